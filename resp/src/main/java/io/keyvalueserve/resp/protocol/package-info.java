/**
 * The Redis serialization protocol: bytes to requests, replies to bytes. Knows no command and no
 * session.
 */
@NullMarked
package io.keyvalueserve.resp.protocol;

import org.jspecify.annotations.NullMarked;
