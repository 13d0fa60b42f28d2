/**
 * Decides which bytes of a tenant a member may make objects of.
 *
 * <p>{@link io.keyvalueserve.maps.readable.ReadableTypes} is the allow-list. {@link
 * io.keyvalueserve.maps.readable.ValueCheck} holds serialized bytes against it without making an
 * object. The door asks it for whatever a request has made into an object; the member's
 * serialization service asks it again whenever bytes are read. Bytes that are not readable are
 * still stored and returned as they came. A class that reads nothing of a tenant belongs elsewhere.
 */
@NullMarked
package io.keyvalueserve.maps.readable;

import org.jspecify.annotations.NullMarked;
