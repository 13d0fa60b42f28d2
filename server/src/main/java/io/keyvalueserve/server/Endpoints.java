package io.keyvalueserve.server;

/**
 * The addresses at which clients reach this member.
 *
 * @param host the address it listens on; a wildcard address if on all
 * @param respPort for Redis clients
 * @param clusterName what Hazelcast clients are told
 * @param clientPort for Hazelcast clients
 * @param postgresPort for PostgreSQL clients; {@link #CLOSED} if that door is closed
 */
public record Endpoints(
    String host, int respPort, String clusterName, int clientPort, int postgresPort) {
  /** The port of a door that is closed. */
  static final int CLOSED = 0;
}
