package io.keyvalueserve.server;

/**
 * The requests of a tenant's Hazelcast clients that a member has not answered yet, and the bytes
 * that the clients have not read. Requests are those that count against {@code
 * client.max-waiting-requests} and {@code client.max-waiting}.
 *
 * @param requests how many, 0 or more
 * @param bytes how many these have
 * @param unreadBytes about how many bytes of answers and events the clients have not read
 */
public record ClientBacklog(int requests, long bytes, long unreadBytes) {}
