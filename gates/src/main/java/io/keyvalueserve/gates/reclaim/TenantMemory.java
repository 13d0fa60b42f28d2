package io.keyvalueserve.gates.reclaim;

/**
 * The memory that one tenant holds on a member, and how active the tenant is.
 *
 * @param tenant its number, 1 or more
 * @param heldBytes the memory of its records: 0 to {@link ReclaimConfig#MOST_BYTES}
 * @param lastActiveMillis when it last asked for something, by the clock of the plan
 * @param usesPerSecond what it asked for of late: 0 or more
 * @param countedPerSecond how much of that counts when others are compared with it, see {@link
 *     TenantActivity}: 0 to {@code usesPerSecond}
 * @param weight its part beside the others': 1 to {@link #MOST_WEIGHT}
 * @param reservedBytes memory that it keeps even when it is inactive: 0 for none
 * @param quotaBytes memory that it may hold at most; {@link Long#MAX_VALUE} for no limit
 * @param action what becomes of what it gives up
 */
public record TenantMemory(
    int tenant,
    long heldBytes,
    long lastActiveMillis,
    double usesPerSecond,
    double countedPerSecond,
    int weight,
    long reservedBytes,
    long quotaBytes,
    ReclaimAction action) {
  /** The greatest weight. */
  public static final int MOST_WEIGHT = 1000;

  /**
   * @throws IllegalArgumentException if a field is out of its range
   */
  public TenantMemory {
    require(tenant >= 1, "tenant", "1 or more", tenant);
    require(
        heldBytes >= 0 && heldBytes <= ReclaimConfig.MOST_BYTES,
        "heldBytes",
        "0 to " + ReclaimConfig.MOST_BYTES,
        heldBytes);
    require(
        usesPerSecond >= 0 && usesPerSecond <= Double.MAX_VALUE,
        "usesPerSecond",
        "0 or more",
        usesPerSecond);
    require(
        countedPerSecond >= 0 && countedPerSecond <= usesPerSecond,
        "countedPerSecond",
        "0 to the uses, which are " + usesPerSecond,
        countedPerSecond);
    require(weight >= 1 && weight <= MOST_WEIGHT, "weight", "1 to " + MOST_WEIGHT, weight);
    require(
        reservedBytes >= 0 && reservedBytes <= quotaBytes,
        "reservedBytes",
        "0 to the quota, which is " + quotaBytes,
        reservedBytes);
  }

  private static void require(boolean holds, String field, String range, Number value) {
    if (!holds) {
      throw new IllegalArgumentException("%s is %s: %s".formatted(field, range, value));
    }
  }

  /** Returns the bytes that it holds, without those over its quota. */
  long allowedBytes() {
    return Math.min(heldBytes, quotaBytes);
  }

  /** Uses a second for each unit of its weight. */
  double activity() {
    return usesPerSecond / weight;
  }

  /** Returns the activity that others' activity is compared with. */
  double countedActivity() {
    return countedPerSecond / weight;
  }
}
