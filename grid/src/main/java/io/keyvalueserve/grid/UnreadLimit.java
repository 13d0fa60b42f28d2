package io.keyvalueserve.grid;

import java.time.Duration;

/**
 * Bounds the Java heap of answers and events that Hazelcast clients do not read.
 *
 * @param connectionBytes the most bytes that may wait for one connection whose client has stopped
 *     reading, 1 or more; one message may be longer
 * @param allBytes the most bytes that wait for all connections together, 1 or more; a tenant that
 *     is alone may have half of them
 * @param stall a client that has read nothing for longer than this has stopped reading
 */
public record UnreadLimit(long connectionBytes, long allBytes, Duration stall) {
  private static final Duration USUAL_STALL = Duration.ofSeconds(10);
  private static final int CONNECTION_PART = 32;
  private static final long LEAST_CONNECTION_BYTES = 8L << 20;
  private static final int ALL_PART = 4;

  /**
   * @throws IllegalArgumentException if a bound is less than 1
   */
  public UnreadLimit {
    if (connectionBytes < 1 || allBytes < 1) {
      throw new IllegalArgumentException(
          "bounds of unread answers must be 1 or more: connectionBytes="
              + connectionBytes
              + " allBytes="
              + allBytes);
    }
  }

  /**
   * Returns the usual bounds: a quarter of the heap for all; for a connection a thirty-second, or 8
   * MiB if that is more.
   *
   * @param heapBytes the most bytes that the heap may have
   */
  public static UnreadLimit ofHeap(long heapBytes) {
    return new UnreadLimit(
        Math.max(LEAST_CONNECTION_BYTES, heapBytes / CONNECTION_PART),
        Math.max(1, heapBytes / ALL_PART),
        USUAL_STALL);
  }

  /** Returns these bounds with another one for a connection. */
  public UnreadLimit ofConnection(long bytes) {
    return new UnreadLimit(bytes, allBytes, stall);
  }
}
