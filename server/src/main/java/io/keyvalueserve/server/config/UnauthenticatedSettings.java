package io.keyvalueserve.server.config;

import io.keyvalueserve.gates.peer.PeerLimits;
import java.time.Duration;

/**
 * The limits of connections without a key, over all doors.
 *
 * @param maxConnections most of them that may be open; 0 for what fits the process
 * @param timeToAuthenticate time from accepting a connection until it must have authenticated
 */
public record UnauthenticatedSettings(int maxConnections, Duration timeToAuthenticate) {
  /**
   * Returns the limits of all such connections of a process.
   *
   * @param descriptors file descriptors that the process may open; 0 if unknown
   * @param heapBytes the largest size of its Java heap
   */
  public PeerLimits limits(long descriptors, long heapBytes) {
    PeerLimits fitted = PeerLimits.fitted(descriptors, heapBytes);
    int connections = maxConnections > 0 ? maxConnections : fitted.connections();
    return new PeerLimits(
        connections,
        connections,
        fitted.bytes(),
        fitted.bytesPerPeer(),
        fitted.requestsPerSecond(),
        fitted.acceptsPerSecond(),
        timeToAuthenticate);
  }
}
