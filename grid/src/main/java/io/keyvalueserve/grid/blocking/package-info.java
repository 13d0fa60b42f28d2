/**
 * Waiting for keys, over all members: the queues lie with the owners of the keys, and who waits is
 * told by messages.
 */
@NullMarked
package io.keyvalueserve.grid.blocking;

import org.jspecify.annotations.NullMarked;
