package io.keyvalueserve.tenancy.audit;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of an audit trail: where it is kept, and how much of it.
 *
 * @param directory where its files are, and nobody else's; null to keep it in memory only
 * @param segmentBytes the most bytes of a file, 64 KiB or more
 * @param retainedBytes the most bytes of all files, two segments or more; the oldest go. What is
 *     written at once may pass it for a moment
 * @param retainedAge how long an event is kept, 1 minute to 100 years. Files go whole and hold no
 *     more than a tenth of it, so some are kept a tenth longer; the newest file stays
 * @param memoryEvents how many events are kept if there is no directory, 1 or more
 * @param handOverEvents how many events may wait for the writer, a power of two; more are dropped
 * @param window how long equal events of clients are counted before one is written, 0 to 30 seconds
 * @param coalescedEvents how many different events of clients are told apart in a window, 1 or
 *     more; beyond it as many actors are, and beyond that nobody
 */
public record AuditConfig(
    @Nullable Path directory,
    long segmentBytes,
    long retainedBytes,
    Duration retainedAge,
    int memoryEvents,
    int handOverEvents,
    Duration window,
    int coalescedEvents) {
  private static final long LEAST_SEGMENT_BYTES = 64 << 10;
  private static final Duration LEAST_AGE = Duration.ofMinutes(1);
  private static final Duration MOST_AGE = Duration.ofDays(36_525);
  private static final Duration MOST_WINDOW = Duration.ofSeconds(30);

  public AuditConfig {
    require(segmentBytes >= LEAST_SEGMENT_BYTES, "segmentBytes", segmentBytes, "64 KiB or more");
    require(
        retainedBytes >= 2 * segmentBytes, "retainedBytes", retainedBytes, "two segments or more");
    require(
        retainedAge.compareTo(LEAST_AGE) >= 0 && retainedAge.compareTo(MOST_AGE) <= 0,
        "retainedAge",
        retainedAge,
        "1 minute to 100 years");
    require(memoryEvents >= 1, "memoryEvents", memoryEvents, "1 or more");
    require(
        handOverEvents >= 1 && Integer.bitCount(handOverEvents) == 1,
        "handOverEvents",
        handOverEvents,
        "a power of two");
    require(
        !window.isNegative() && window.compareTo(MOST_WINDOW) <= 0,
        "window",
        window,
        "0 to 30 seconds");
    require(coalescedEvents >= 1, "coalescedEvents", coalescedEvents, "1 or more");
  }

  /**
   * Returns the configuration of a trail in a directory: segments of 16 MiB, 256 MiB and 90 days of
   * them.
   */
  public static AuditConfig in(Path directory) {
    return defaults(directory);
  }

  /** Returns the configuration of a trail in memory: the last 10,000 events. */
  public static AuditConfig inMemory() {
    return defaults(null);
  }

  /** Returns this configuration with other bounds of its files. */
  public AuditConfig keeping(long newSegmentBytes, long newRetainedBytes, Duration newAge) {
    return new AuditConfig(
        directory,
        newSegmentBytes,
        newRetainedBytes,
        newAge,
        memoryEvents,
        handOverEvents,
        window,
        coalescedEvents);
  }

  /** Returns this configuration with another number of events in memory. */
  public AuditConfig remembering(int newMemoryEvents) {
    return new AuditConfig(
        directory,
        segmentBytes,
        retainedBytes,
        retainedAge,
        newMemoryEvents,
        handOverEvents,
        window,
        coalescedEvents);
  }

  /** Returns this configuration with other bounds of what comes in. */
  public AuditConfig taking(int newHandOverEvents, Duration newWindow, int newCoalescedEvents) {
    return new AuditConfig(
        directory,
        segmentBytes,
        retainedBytes,
        retainedAge,
        memoryEvents,
        newHandOverEvents,
        newWindow,
        newCoalescedEvents);
  }

  private static AuditConfig defaults(@Nullable Path directory) {
    return new AuditConfig(
        directory,
        16L << 20,
        256L << 20,
        Duration.ofDays(90),
        10_000,
        16_384,
        Duration.ofSeconds(1),
        256);
  }

  private static void require(boolean holds, String field, Object value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(
          "audit: %s must be %s: %s=%s".formatted(field, rule, field, value));
    }
  }
}
