package io.keyvalueserve.maps.reclaim;

import io.keyvalueserve.gates.reclaim.ReclaimConfig;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings by which a member reclaims memory.
 *
 * @param highPercent of its memory: when more is used, memory is taken; 1 to 100
 * @param lowPercent of its memory: until no more is used; 1 to {@code highPercent}
 * @param inactiveAfter for how long a tenant has asked for nothing when it counts as inactive: 1 ms
 *     or more
 * @param lessActivePercent a tenant with fewer uses of entries than this percent of the most active
 *     one's counts as inactive too; 0 to 100, 0 for none
 * @param spillDirectory where values go that leave memory, for this member alone; null if they
 *     stay, and only what may be deleted is taken
 * @param spillBytes the most that they take there
 */
public record ReclaimSetup(
    int highPercent,
    int lowPercent,
    Duration inactiveAfter,
    int lessActivePercent,
    @Nullable Path spillDirectory,
    long spillBytes) {
  /** The usual limit of values on the disk, as a multiple of the memory's capacity. */
  public static final int SPILLED_TO_MEMORY = 4;

  /** The usual, without a disk. */
  public static final ReclaimSetup USUAL = usual();

  private static ReclaimSetup usual() {
    ReclaimConfig usual = ReclaimConfig.of(1);
    return new ReclaimSetup(
        usual.highPercent(),
        usual.lowPercent(),
        usual.inactiveAfter(),
        usual.lessActivePercent(),
        null,
        0);
  }

  /** Returns the configuration for a member with {@code capacityBytes} bytes of memory. */
  public ReclaimConfig config(long capacityBytes) {
    return new ReclaimConfig(
        capacityBytes,
        highPercent,
        lowPercent,
        inactiveAfter,
        lessActivePercent,
        ReclaimConfig.of(capacityBytes).floorBytes());
  }
}
