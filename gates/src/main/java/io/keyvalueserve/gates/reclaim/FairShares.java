package io.keyvalueserve.gates.reclaim;

/**
 * Divides bytes among tenants: weighted max-min fairness with guarantees.
 *
 * <p>Water filling (D. Bertsekas and R. Gallager, "Data Networks", 2nd edition, 1992, section
 * 6.5.2): a level rises, and each tenant has its weight times the level, but no less than what it
 * is guaranteed and no more than what it demands. The level is a whole number of bytes for each
 * unit of weight, found by bisection, so that nothing is rounded; the few bytes left below the next
 * level go to the first tenants that want them.
 *
 * <p>Pure functions.
 */
final class FairShares {
  private FairShares() {}

  /**
   * Divides a budget.
   *
   * @param budget 0 to {@link ReclaimConfig#MOST_BYTES}
   * @param weights 1 to {@link TenantMemory#MOST_WEIGHT} each
   * @param guarantees at most the demand each, and together at most the budget
   * @param demands 0 to {@link ReclaimConfig#MOST_BYTES} each
   * @return a share for each: together the budget, or all demands if they are less
   */
  static long[] divide(long budget, int[] weights, long[] guarantees, long[] demands) {
    if (sum(guarantees) > budget) {
      throw new IllegalArgumentException(
          "guarantees are at most the budget: %d %d".formatted(sum(guarantees), budget));
    }
    long[] shares = new long[weights.length];
    long low = 0;
    long high = max(demands); // at this level everybody has its demand
    while (low < high) {
      long middle = (low + high + 1) >>> 1;
      fill(middle, weights, guarantees, demands, shares);
      if (sum(shares) <= budget) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    fill(low, weights, guarantees, demands, shares);
    addRest(budget - sum(shares), low, weights, demands, shares);
    return shares;
  }

  private static void fill(
      long level, int[] weights, long[] guarantees, long[] demands, long[] shares) {
    for (int i = 0; i < shares.length; i++) {
      shares[i] = Math.clamp(level * weights[i], guarantees[i], demands[i]);
    }
  }

  /** Nobody passes the next level: who is above it has that by its guarantee. */
  private static void addRest(long rest, long level, int[] weights, long[] demands, long[] shares) {
    for (int i = 0; i < shares.length && rest > 0; i++) {
      long next = Math.min(demands[i], (level + 1) * weights[i]);
      long more = Math.clamp(next - shares[i], 0, rest);
      shares[i] += more;
      rest -= more;
    }
  }

  static long sum(long[] bytes) {
    long sum = 0;
    for (long each : bytes) {
      sum += each;
    }
    return sum;
  }

  private static long max(long[] bytes) {
    long max = 0;
    for (long each : bytes) {
      max = Math.max(max, each);
    }
    return max;
  }
}
