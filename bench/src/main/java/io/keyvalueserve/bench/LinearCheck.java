package io.keyvalueserve.bench;

import java.util.Comparator;
import java.util.List;

/**
 * Checks whether the operations of one key could have taken effect one after the other, each
 * between its call and its answer. Stateless.
 *
 * <p>The key is absent at first. Operations with an unknown outcome may take effect once, at any
 * time after their call, or never.
 */
final class LinearCheck {
  private LinearCheck() {}

  /**
   * Checks a history.
   *
   * <p>A value with a time to live expires at an unknown moment. It is not before the call plus the
   * time to live, and not after the answer plus the time to live; clocks may shift both limits.
   *
   * @param history the operations on one key, in any order
   * @param clockSlackNanos how far the clocks of servers and clients may differ
   * @param maximumSteps how many configurations the search may visit; each takes some 150 bytes
   */
  static Verdict check(List<KeyOperation> history, long clockSlackNanos, long maximumSteps) {
    if (clockSlackNanos < 0) {
      throw new IllegalArgumentException("the slack of clocks is negative: " + clockSlackNanos);
    }
    List<KeyOperation> operations =
        history.stream()
            .filter(each -> !(each.isUnknown() && each.kind() == KeyOperation.Kind.GET))
            .sorted(Comparator.comparingLong(KeyOperation::invokedNanos))
            .toList();
    return new LinearSearch(operations, clockSlackNanos).run(maximumSteps);
  }
}
