package io.keyvalueserve.gates.admission;

import java.util.Arrays;

/**
 * Divides one limit among members by what each of them is asked for.
 *
 * <p>Max-min fairness by water filling (D. Bertsekas and R. Gallager, "Data Networks", 2nd edition,
 * 1992, section 6.5.2): everybody is given the same, until it has what it asks for; what it does
 * not need goes to the others. A member that is asked for nothing counts as asking for a floor, a
 * 50th of an equal share: all floors together are 2 % of the limit, so one busy member among many
 * idle ones has 98 % of it, and one that wakes up can begin.
 *
 * <p>What is left when all have what they ask for goes half to all alike, for those that wake up,
 * and half in proportion to what they asked for of late, for those that are busy and may become
 * busier, or were held up for a moment and will come back.
 *
 * <p>Pure functions: equal demands have equal shares in whatever order they come.
 */
public final class ShareDivision {
  private static final int FLOOR = 50;

  /** Takes more away than a quotient of two doubles and a product can add. */
  private static final double ROUNDING = 1 - 0x1p-50;

  private ShareDivision() {}

  /**
   * Divides a limit.
   *
   * @param limit 0 to 10^15, in whatever unit the demands are in
   * @param demands what each member is asked for: 0 or more
   * @param recent the most that each was asked for of late: as much as its demand or more
   * @return a share for each member: together at most the limit, and less than that by at most two
   *     units for each member
   */
  public static long[] divide(long limit, long[] demands, long[] recent) {
    int members = demands.length;
    long[] shares = new long[members];
    if (members == 0) {
      return shares;
    }
    long floor = limit / members / FLOOR;
    long sum = 0;
    for (int i = 0; i < members; i++) {
      shares[i] = Math.clamp(demands[i], floor, limit);
      sum += shares[i];
    }
    if (sum > limit) {
      long level = level(limit, shares);
      for (int i = 0; i < members; i++) {
        shares[i] = Math.min(shares[i], level);
      }
    } else {
      long[] weights = new long[members];
      for (int i = 0; i < members; i++) {
        weights[i] = Math.clamp(recent[i], floor, limit);
      }
      addRest(limit - sum, weights, shares);
    }
    return shares;
  }

  /** The height of the water: demands above it get as much and no more. */
  private static long level(long limit, long[] demands) {
    long[] sorted = demands.clone();
    Arrays.sort(sorted);
    long left = limit;
    for (int i = 0; i < sorted.length; i++) {
      long level = left / (sorted.length - i);
      if (sorted[i] > level) {
        return level;
      }
      left -= sorted[i];
    }
    throw new IllegalArgumentException("the demands are not more than the limit");
  }

  private static void addRest(long rest, long[] weights, long[] shares) {
    long sum = Arrays.stream(weights).sum();
    long each = rest / 2 / shares.length;
    long byDemand = rest - each * shares.length;
    for (int i = 0; i < shares.length; i++) {
      long more =
          sum == 0
              ? byDemand / shares.length
              : weights[i] == sum
                  ? byDemand
                  : (long) ((double) weights[i] / sum * byDemand * ROUNDING);
      shares[i] += each + more;
    }
  }
}
