/**
 * The Hazelcast engine: {@link io.keyvalueserve.engine.Engine} over IMaps.
 *
 * <p>A batch of commands is split by partition ({@code PartitionBatch}); what falls into one
 * partition travels as one operation ({@code KeyReadBatch}, {@code KeyWriteBatch}) and is executed
 * there in order, on the partition's thread, so that reading, deciding and writing are one step.
 * Writes go through the record store's own methods ({@code EntryWriter}): listeners, near caches,
 * indexes, map stores, eviction and statistics see them as they see any other.
 *
 * <p>What an entry is: keys that are UTF-8 are Hazelcast strings, so that any Hazelcast client
 * reads {@code map.get("user:1")}; values are byte arrays; strings, numbers and JSON that a
 * Hazelcast client wrote read as their text ({@code KeyData}, {@code ValueText}).
 */
@NullMarked
package io.keyvalueserve.grid.space;

import org.jspecify.annotations.NullMarked;
