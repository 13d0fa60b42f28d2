package io.keyvalueserve.server;

/**
 * The addresses at which clients reach this member.
 *
 * @param host the address it listens on; a wildcard address if on all
 * @param respPort for Redis clients
 * @param clusterName what Hazelcast clients are told
 * @param clientPort for Hazelcast clients
 */
public record Endpoints(String host, int respPort, String clusterName, int clientPort) {}
