package io.keyvalueserve.bench;

import java.util.Comparator;
import java.util.List;

/**
 * Checks whether the operations of one key could have taken effect one after the other, each
 * between its call and its answer. Stateless.
 *
 * <p>The key is absent at first. What operations with an unknown outcome may do is a choice: see
 * {@link UnknownWrites}.
 */
final class LinearCheck {
  private LinearCheck() {}

  /**
   * Checks a history in which operations with an unknown outcome take effect once, at any time
   * after their call, or never.
   *
   * @param history the operations on one key, in any order
   * @param clockSlackNanos how far the clocks of servers and clients may differ
   * @param maximumSteps how many configurations the search may visit; each takes some 150 bytes
   */
  static Verdict check(List<KeyOperation> history, long clockSlackNanos, long maximumSteps) {
    return check(history, clockSlackNanos, maximumSteps, UnknownWrites.TAKE_EFFECT_OR_NOT);
  }

  /**
   * Checks a history.
   *
   * <p>A value with a time to live expires at an unknown moment. It is not before the call plus the
   * time to live, and not after the answer plus the time to live; clocks may shift both limits.
   *
   * @param history the operations on one key, in any order
   * @param clockSlackNanos how far the clocks of servers and clients may differ
   * @param maximumSteps how many configurations the search may visit; each takes some 150 bytes
   * @param unknownWrites what operations with an unknown outcome may do
   */
  static Verdict check(
      List<KeyOperation> history,
      long clockSlackNanos,
      long maximumSteps,
      UnknownWrites unknownWrites) {
    if (clockSlackNanos < 0) {
      throw new IllegalArgumentException("the slack of clocks is negative: " + clockSlackNanos);
    }
    List<KeyOperation> operations =
        history.stream()
            .filter(each -> !(each.isUnknown() && each.kind() == KeyOperation.Kind.GET))
            .sorted(Comparator.comparingLong(KeyOperation::invokedNanos))
            .toList();
    return new LinearSearch(operations, clockSlackNanos, unknownWrites).run(maximumSteps);
  }
}
