package io.keyvalueserve.server;

/**
 * What a tenant's Hazelcast clients have sent to a member that it has not answered yet, of what
 * counts against {@code client.max-waiting-requests} and {@code client.max-waiting}.
 *
 * @param requests how many, 0 or more
 * @param bytes how many these have
 */
public record ClientBacklog(int requests, long bytes) {}
