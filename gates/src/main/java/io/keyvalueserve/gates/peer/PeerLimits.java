package io.keyvalueserve.gates.peer;

import java.time.Duration;

/**
 * Bounds for all peers without a key together.
 *
 * @param connections open connections, at least 1
 * @param connectionsPerAddress open connections from one address, at least 1
 * @param bytes bytes buffered for all of them, in and out, at least {@code bytesPerPeer}
 * @param bytesPerPeer bytes buffered for one of them, in and out, at least 1
 * @param requestsPerSecond requests that all of them may send in a second, at least 1
 * @param acceptsPerSecond connections that all doors accept in a second while others are closed to
 *     make room, at least 1
 * @param timeToAuthenticate time from accepting a connection until it must have authenticated
 */
public record PeerLimits(
    int connections,
    int connectionsPerAddress,
    long bytes,
    long bytesPerPeer,
    int requestsPerSecond,
    int acceptsPerSecond,
    Duration timeToAuthenticate) {
  private static final int MOST_CONNECTIONS = 4096;
  private static final int PART_OF_DESCRIPTORS = 8;
  private static final int PART_OF_HEAP = 16;
  private static final long MOST_BYTES = 32L << 20;
  private static final long BYTES_PER_PEER = 64L << 10;
  private static final int REQUESTS_PER_SECOND = 20_000;
  private static final int ACCEPTS_PER_SECOND = 500;
  private static final Duration TIME_TO_AUTHENTICATE = Duration.ofSeconds(10);

  /** Checks the ranges. */
  public PeerLimits {
    if (connections < 1
        || connectionsPerAddress < 1
        || requestsPerSecond < 1
        || acceptsPerSecond < 1) {
      throw new IllegalArgumentException(
          "limits of peers without a key must be positive: connections="
              + connections
              + " connectionsPerAddress="
              + connectionsPerAddress
              + " requestsPerSecond="
              + requestsPerSecond
              + " acceptsPerSecond="
              + acceptsPerSecond);
    }
    if (bytesPerPeer < 1 || bytes < bytesPerPeer) {
      throw new IllegalArgumentException(
          "bytes must be at least bytesPerPeer: bytes=" + bytes + " bytesPerPeer=" + bytesPerPeer);
    }
    if (timeToAuthenticate.isNegative() || timeToAuthenticate.isZero()) {
      throw new IllegalArgumentException(
          "timeToAuthenticate must be positive: " + timeToAuthenticate);
    }
  }

  /**
   * Returns the defaults for a process.
   *
   * @param descriptors file descriptors that the process may open; 0 if unknown
   * @param heapBytes the largest size of its Java heap
   */
  public static PeerLimits fitted(long descriptors, long heapBytes) {
    int connections =
        descriptors <= 0
            ? MOST_CONNECTIONS
            : Math.clamp(descriptors / PART_OF_DESCRIPTORS, 16, MOST_CONNECTIONS);
    long bytes = Math.clamp(heapBytes / PART_OF_HEAP, BYTES_PER_PEER, MOST_BYTES);
    return new PeerLimits(
        connections,
        connections,
        bytes,
        BYTES_PER_PEER,
        REQUESTS_PER_SECOND,
        ACCEPTS_PER_SECOND,
        TIME_TO_AUTHENTICATE);
  }
}
