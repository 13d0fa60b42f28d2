/**
 * A member that comes back from its own disk with the same data and the same partitions (seed 003):
 * what it writes to its {@link io.keyvalueserve.journal.Journal}, and the order in which it starts.
 */
@NullMarked
package io.keyvalueserve.grid.restart;

import org.jspecify.annotations.NullMarked;
