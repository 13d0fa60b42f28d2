package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of one key by what others have: the sources are read one after the other, then the
 * target is written. It gathers while it is carried out, so each is for one run.
 */
interface KeyMerge {
  /** Returns the keys to read, in their order; may name a key twice, and the target. */
  List<byte[]> sources();

  /** Returns the command that reads a source. */
  KeyCommand reading(byte[] source);

  /**
   * Takes the outcome of reading the next source.
   *
   * @return null to go on; else the outcome of the whole, and nothing is written
   */
  @Nullable Outcome take(Outcome found);

  /**
   * Returns the command that writes the target: by what was taken so far. Its kind and key are
   * always the same, as far as rights depend on them.
   */
  KeyCommand writing();

  /**
   * Carries it out.
   *
   * @return the outcome of writing, or that which {@link #take} ended with
   */
  default Outcome run(TransactionScope scope) {
    List<KeyCommand> all = new ArrayList<>();
    sources().forEach(source -> all.add(reading(source)));
    all.add(writing());
    scope.require(all);
    for (byte[] source : sources()) {
      Outcome end = take(scope.execute(reading(source)));
      if (end != null) {
        return end;
      }
    }
    return scope.execute(writing());
  }
}
