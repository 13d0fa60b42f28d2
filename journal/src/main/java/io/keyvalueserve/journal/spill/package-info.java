/**
 * The spill area: values that left memory, on a member's own disk. What stays in memory for each is
 * a handle of 64 bits. Nothing here survives the member: what has to is in the journal.
 *
 * <p>An area is files of one size, each so many <em>pages</em> of 4096 bytes. A value with a header
 * of 16 bytes is a <em>frame</em>. A frame of up to 16 KiB has a <em>slot</em> in a <em>block</em>
 * of slots of one size, which is 1, 4 or 16 pages; 64 pages of such blocks are a <em>slab</em>. Any
 * other frame has a run of pages of its own. So a value lies in pages that one read gets, and never
 * moves while it lives: handles stay good, and nothing has to be told of a move. What is freed is
 * used again where it is; of live data only the neighbours in a block are written once more, when a
 * slot among them is filled.
 *
 * <p>Read in this order: {@link io.keyvalueserve.journal.spill.SpillArea} (the door), {@code
 * SpillHandle} and {@code SpillFrame} (the bits and bytes), {@code SpillSpace} (what is taken),
 * {@code SpillWriter} (from memory to the disk).
 */
@NullMarked
package io.keyvalueserve.journal.spill;

import org.jspecify.annotations.NullMarked;
