/** Messages of PostgreSQL's protocol 3: bytes to messages, and answers to bytes. */
@NullMarked
package io.keyvalueserve.postgres.wire;

import org.jspecify.annotations.NullMarked;
