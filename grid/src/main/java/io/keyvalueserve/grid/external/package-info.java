/**
 * Keeps maps and tables of external databases together: loads entries that a map misses, and writes
 * what waits in the queues of its partitions. What a row is to a map is decided here; how a
 * database is spoken to is not.
 */
@NullMarked
package io.keyvalueserve.grid.external;

import org.jspecify.annotations.NullMarked;
