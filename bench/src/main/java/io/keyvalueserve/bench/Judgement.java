package io.keyvalueserve.bench;

import java.util.List;

/** Whether a key holds what it may. */
sealed interface Judgement {
  /**
   * It does.
   *
   * @param state the write that left it so; of several that may have, the last
   * @param lost acknowledged writes after it, which may be lost
   */
  record Kept(KeyWrite state, List<KeyWrite> lost) implements Judgement {}

  /** It does not. */
  record Broken(Violation violation) implements Judgement {}
}
