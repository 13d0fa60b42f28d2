package io.keyvalueserve.gates.reclaim;

import java.time.Duration;

/**
 * The rules for taking memory: when, and from whom first.
 *
 * @param capacityBytes the memory that tenants share: 1 to {@link #MOST_BYTES}
 * @param highPercent of the capacity: when more is used, memory is taken; 1 to 100
 * @param lowPercent of the capacity: until no more is used; 1 to {@code highPercent}
 * @param inactiveAfter for how long a tenant has asked for nothing when it counts as inactive: 1 ms
 *     or more
 * @param lessActivePercent a tenant that uses entries, for its weight, less often than this percent
 *     of what counts of the most active tenant's uses, counts as inactive too, as long as that is
 *     so; 0 to 100, 0 for none
 * @param floorBytes what every tenant keeps of what it holds, whatever happens: 0 or more
 */
public record ReclaimConfig(
    long capacityBytes,
    int highPercent,
    int lowPercent,
    Duration inactiveAfter,
    int lessActivePercent,
    long floorBytes) {
  /** The most memory that can be planned with: 10^15 bytes. */
  public static final long MOST_BYTES = 1_000_000_000_000_000L;

  /**
   * @throws IllegalArgumentException if a field is out of its range; the message names it
   */
  public ReclaimConfig {
    requireRange("capacityBytes", capacityBytes, 1, MOST_BYTES);
    requireRange("highPercent", highPercent, 1, 100);
    requireRange("lowPercent", lowPercent, 1, highPercent);
    if (inactiveAfter.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("inactiveAfter is 1 ms or more: " + inactiveAfter);
    }
    requireRange("lessActivePercent", lessActivePercent, 0, 100);
    requireRange("floorBytes", floorBytes, 0, MOST_BYTES);
  }

  /**
   * Returns the defaults: from 95 % down to 93 %; inactive after 10 minutes, or below a fifth of
   * the most active one; an inactive tenant keeps a 2000th of the memory.
   */
  public static ReclaimConfig of(long capacityBytes) {
    return new ReclaimConfig(
        capacityBytes, 95, 93, Duration.ofMinutes(10), 20, capacityBytes / 2000);
  }

  private static void requireRange(String field, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException("%s is %d to %d: %d".formatted(field, least, most, value));
    }
  }

  /** Returns the bytes to take when so many are used; 0 below the high watermark. */
  public long neededBytes(long usedBytes) {
    long high = capacityBytes / 100 * highPercent + capacityBytes % 100 * highPercent / 100;
    long low = lowBytes();
    return usedBytes > high ? usedBytes - low : 0;
  }

  /** Down to how many bytes memory is taken. */
  long lowBytes() {
    return capacityBytes / 100 * lowPercent + capacityBytes % 100 * lowPercent / 100;
  }
}
