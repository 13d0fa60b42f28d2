/**
 * The journal: what a member must not forget, on its own disk.
 *
 * <p>A log is a directory. Its <em>chunks</em> are files of some tens of MiB, written from front to
 * back by one <em>stream</em> each and never changed afterwards; a chunk holds <em>frames</em>, one
 * for each record that was put, removed or cleared. Where a frame is, chunk and offset in one long,
 * is its <em>position</em>, and that is its sequence number too. While a member runs the log is
 * only written; it is read when the member starts, and by the compactor.
 *
 * <p>Read in this order: {@link io.keyvalueserve.journal.Disk} (all that is asked of a disk),
 * {@code Frames} and {@code ChunkHeader} (the bytes), {@code Stream} (how many threads append to
 * one stream without a lock), {@code LogWriter} and {@code LogSync} (from memory to the disk, and
 * when that is certain), {@code Survey} and {@code Replay} (back from the disk, and what damage
 * means), {@code Compactor} (why the log does not grow for ever), {@link
 * io.keyvalueserve.journal.Journal} (the door).
 *
 * <p>{@code Health} says whether the log takes records. While the disk is full it takes none, and
 * {@code DiskReserve} keeps room for removes.
 *
 * <p>Keys, values and whom they belong to are nobody's business here: a payload is bytes, a
 * partition and a map are numbers. The model is the hot-restart store of seed 003.
 */
@NullMarked
package io.keyvalueserve.journal;

import org.jspecify.annotations.NullMarked;
