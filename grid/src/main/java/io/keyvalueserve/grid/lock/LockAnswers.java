package io.keyvalueserve.grid.lock;

import java.util.List;

/**
 * The answers of all members about a map's locks.
 *
 * @param locks those there are, or those that were taken off
 * @param silent the addresses of members that gave no answer
 */
public record LockAnswers(List<HeldLock> locks, List<String> silent) {
  public LockAnswers {
    locks = List.copyOf(locks);
    silent = List.copyOf(silent);
  }
}
