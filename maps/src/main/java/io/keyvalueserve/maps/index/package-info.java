/**
 * Indexes of maps, off the Java heap: hash and sorted ones, with the results of Hazelcast's own.
 *
 * <p>Read in this order: {@code AttributeCode} says what an attribute's value looks like as bytes
 * that have its order; {@code KeyReference} does that for the entry's key; {@code IndexStripe}
 * keeps both, end to end, in a {@link io.keyvalueserve.store.ByteTree}, for the partitions of one
 * writer; {@code NativeIndexStore} is what Hazelcast's index asks. Values are not here: a query
 * reads them from the map, and takes an entry only if the value it has read still answers the
 * question.
 *
 * <p>An index with values that have no such bytes moves to Hazelcast's own store, on the heap, as a
 * whole, and says so in the log.
 */
@NullMarked
package io.keyvalueserve.maps.index;

import org.jspecify.annotations.NullMarked;
