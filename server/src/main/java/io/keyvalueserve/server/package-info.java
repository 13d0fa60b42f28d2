/**
 * The server: its configuration, its parts put together, their start and their end.
 *
 * <p>{@code Server} is the only place where parts meet. Its doors open in this order: the door for
 * Hazelcast clients with the grid, closed to all until the catalogue of tenants is known; the door
 * for Redis clients; the door for HTTP. Then the member says that it is ready.
 *
 * <p>No rule about tenants belongs here: rules are in {@code tenancy}, {@code gates} and {@code
 * billing}.
 */
@NullMarked
package io.keyvalueserve.server;

import org.jspecify.annotations.NullMarked;
