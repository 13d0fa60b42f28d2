package io.keyvalueserve.server.http;

import java.time.Duration;

/**
 * Bounds for connections at the HTTP door.
 *
 * @param connections open connections that have shown a key, at least 2; one tenant may have half
 * @param headTime time from the first byte of a request until its headers are complete
 * @param idleTime time that a connection may wait for its next request
 * @param stallTime time that a body, or an answer that is being written, may make no progress
 */
record HttpLimits(int connections, Duration headTime, Duration idleTime, Duration stallTime) {
  private static final Duration HEAD_TIME = Duration.ofSeconds(10);
  private static final Duration IDLE_TIME = Duration.ofSeconds(60);
  private static final Duration STALL_TIME = Duration.ofSeconds(30);

  HttpLimits {
    if (connections < 2) {
      throw new IllegalArgumentException("connections must be at least 2: " + connections);
    }
  }

  /** Returns the limits of a door with the usual times. */
  static HttpLimits of(int connections) {
    return new HttpLimits(connections, HEAD_TIME, IDLE_TIME, STALL_TIME);
  }
}
