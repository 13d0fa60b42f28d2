package io.keyvalueserve.postgres;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * The configuration of a {@link PostgresServer}.
 *
 * @param address where to listen; port 0 takes any that is free
 * @param eventLoops how many threads read and write connections; 1 or more
 * @param mostClients how many connections to take; one more is told so and closed
 * @param mostMessageBytes the longest message of a client that has authenticated
 * @param mostPendingBytes no more rows are read while so many bytes wait to be sent to the client
 * @param longestStall a client that does not read for so long is cut off
 * @param encryption how connections are encrypted
 */
public record PostgresConfig(
    InetSocketAddress address,
    int eventLoops,
    int mostClients,
    int mostMessageBytes,
    int mostPendingBytes,
    Duration longestStall,
    Encryption encryption) {
  private static final int LEAST_MESSAGE_BYTES = 1024;

  /** Checks the ranges. */
  public PostgresConfig {
    if (eventLoops < 1
        || mostClients < 1
        || mostPendingBytes < 1
        || mostMessageBytes < LEAST_MESSAGE_BYTES) {
      throw new IllegalArgumentException(
          "limits must be positive: eventLoops="
              + eventLoops
              + " mostClients="
              + mostClients
              + " mostMessageBytes="
              + mostMessageBytes
              + " mostPendingBytes="
              + mostPendingBytes);
    }
  }

  /** Returns the defaults, at this address. */
  public static PostgresConfig at(InetSocketAddress address) {
    return new PostgresConfig(
        address, 2, 1000, 64 << 20, 64 << 10, Duration.ofSeconds(60), Encryption.NONE);
  }

  /** Returns this configuration with so many clients at most. */
  public PostgresConfig withMostClients(int count) {
    return new PostgresConfig(
        address, eventLoops, count, mostMessageBytes, mostPendingBytes, longestStall, encryption);
  }

  /** Returns this configuration with another longest message. */
  public PostgresConfig withMostMessageBytes(int bytes) {
    return new PostgresConfig(
        address, eventLoops, mostClients, bytes, mostPendingBytes, longestStall, encryption);
  }

  /** Returns this configuration with another time after which a client that stalls is cut off. */
  public PostgresConfig withLongestStall(Duration time) {
    return new PostgresConfig(
        address, eventLoops, mostClients, mostMessageBytes, mostPendingBytes, time, encryption);
  }

  /** Returns this configuration with connections that are encrypted. */
  public PostgresConfig withEncryption(Encryption next) {
    return new PostgresConfig(
        address, eventLoops, mostClients, mostMessageBytes, mostPendingBytes, longestStall, next);
  }
}
