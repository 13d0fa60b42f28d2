/**
 * Snapshots of one tenant: its maps as they were at one instant, read by the members that own its
 * partitions, kept in a repository that all of them see, and put back. The forms of what is kept
 * are in the module {@code snapshots}; nothing here writes a file of its own.
 */
@NullMarked
package io.keyvalueserve.grid.snapshot;

import org.jspecify.annotations.NullMarked;
