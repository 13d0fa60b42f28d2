/** The door for PostgreSQL clients: the frontend/backend protocol 3 over Netty. */
@NullMarked
package io.keyvalueserve.postgres;

import org.jspecify.annotations.NullMarked;
