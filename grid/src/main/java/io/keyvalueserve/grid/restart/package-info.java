/**
 * A member that comes back from its own disk with the same data and the same partitions (seed 003).
 *
 * <p>{@code HotRestart} has the order of a start. {@code RestartCoordinator} decides who begins
 * together, {@code Holdings} whose copy of a partition wins, {@code RestartPolicy} what happens if
 * members are missing, {@code Healing} takes from another copy what one lacks. {@code MemberLog}
 * writes to the {@link io.keyvalueserve.journal.Journal}, and refuses writes while its disk is full
 * or has failed ({@code LogRefusedException}). {@code PartitionLog} says which answers wait for the
 * disk.
 *
 * <p>The format of the log does not belong here: it is in {@code journal}.
 */
@NullMarked
package io.keyvalueserve.grid.restart;

import org.jspecify.annotations.NullMarked;
