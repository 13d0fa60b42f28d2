package io.keyvalueserve.memory;

import java.util.List;
import java.util.stream.Collectors;

/**
 * No pool of the heap has a free run of the pages that were asked for; nothing was changed.
 *
 * <p>It belongs to the one operation that asked. A full heap may throw it a million times a second:
 * so it carries a stack trace only in checking mode ({@code -Dkvs.memory.checks=true}), and writes
 * its message only when somebody reads it.
 */
public final class OutOfNativeMemoryException extends RuntimeException {

  private static final boolean TRACED = Boolean.getBoolean("kvs.memory.checks");

  private final long askedBytes;
  private final List<TierReport> tiers;

  OutOfNativeMemoryException(long askedBytes, List<TierReport> tiers) {
    super(null, null, false, TRACED);
    this.askedBytes = askedBytes;
    this.tiers = tiers;
  }

  /** Returns the contiguous bytes that were asked for. */
  public long askedBytes() {
    return askedBytes;
  }

  /** Returns what was asked and, for every pool, capacity, used bytes and largest free run. */
  @Override
  public String getMessage() {
    return "out of native memory: asked="
        + askedBytes
        + " bytes in one run; "
        + tiers.stream().map(OutOfNativeMemoryException::text).collect(Collectors.joining("; "))
        + "; give the heap more memory, or store less";
  }

  private static String text(TierReport tier) {
    return "tier '"
        + tier.name()
        + "': "
        + tier.pools().stream()
            .map(
                pool ->
                    "pool '%s' (%s) capacity=%d used=%d largestFreeRun=%d"
                        .formatted(
                            pool.name(),
                            pool.kind(),
                            pool.capacityBytes(),
                            pool.usedBytes(),
                            pool.largestFreeRunBytes()))
            .collect(Collectors.joining(", "));
  }
}
