/**
 * Collections as values of entries: hashes, lists, sets and sorted sets.
 *
 * <p>What a command does to a collection is a {@link
 * io.keyvalueserve.engine.collection.CollectionOperation}: a function over a view of the type
 * ({@link io.keyvalueserve.engine.collection.HashView} and its like), which knows nothing of how
 * the elements are kept. Today all of them are packed into the value of their entry.
 */
@NullMarked
package io.keyvalueserve.engine.collection;

import org.jspecify.annotations.NullMarked;
