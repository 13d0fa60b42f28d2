/**
 * Queries over the entries of this member where they lie: a {@link
 * io.keyvalueserve.engine.query.Condition} is compiled for a map ({@link
 * io.keyvalueserve.maps.query.MapScan}) and carried out in slices on any thread that may block.
 *
 * <p>Two ways lead to an attribute of an entry. {@code ObjectTests} make the objects that
 * Hazelcast's predicates would see, and compare as those do. {@code FastTests} read the bytes of
 * well-known forms; what they cannot decide, they leave to the others. So the bytes never say
 * anything else than the objects.
 */
@NullMarked
package io.keyvalueserve.maps.query;

import org.jspecify.annotations.NullMarked;
