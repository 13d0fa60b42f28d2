package io.keyvalueserve.server;

/**
 * What a tenant's Hazelcast clients have sent to a member that it has not answered yet, of what
 * counts against {@code client.max-waiting-requests} and {@code client.max-waiting}, and what they
 * were sent and have not read.
 *
 * @param requests how many, 0 or more
 * @param bytes how many these have
 * @param unreadBytes about how many bytes of answers and events the clients have not read
 */
public record ClientBacklog(int requests, long bytes, long unreadBytes) {}
