/**
 * The door for PostgreSQL clients: protocol 3 over Netty.
 *
 * <p>An event loop reads and authenticates. Statements of a connection run on a virtual thread, one
 * after the other, and wait there while the client does not read. Statements about the catalogue of
 * PostgreSQL go to {@link io.keyvalueserve.postgres.system}, all others to the service of {@link
 * io.keyvalueserve.sql}.
 */
@NullMarked
package io.keyvalueserve.postgres;

import org.jspecify.annotations.NullMarked;
