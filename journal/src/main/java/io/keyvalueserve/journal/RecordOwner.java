package io.keyvalueserve.journal;

import java.io.IOException;

/**
 * Whoever has the records that the log keeps for it, as the compactor needs to know it. Its answers
 * decide what is written again and what is forgotten.
 *
 * <p>What it owes the log: whatever leaves it has a remove, clear or drop in the log, but for
 * records that leave when the time has come that their frame names; and a record's frame is the one
 * whose position it keeps.
 */
public interface RecordOwner {
  /**
   * Runs something while nobody else changes the partition, and returns when it has run. It runs on
   * any thread, looks at no more than 128 records, and does not wait for the disk.
   *
   * @throws InterruptedException if the caller was interrupted; it may have run or not
   */
  void exclusively(int partition, Runnable slice) throws InterruptedException;

  /**
   * Told within {@link #exclusively} of frames of which {@link #positionOf} will be asked next:
   * whoever has the records may bring what it knows of them near, all at once, or do nothing.
   */
  default void anticipate(Frame frame) {}

  /**
   * Where the record of a frame's map and key is in the log at present; within {@link
   * #exclusively}.
   *
   * @return 0 if there is no such record here
   */
  long positionOf(Frame frame);

  /**
   * The record of a frame's map and key has been written again and has this position now; within
   * {@link #exclusively}.
   */
  void moved(Frame frame, long position);

  /**
   * The disk has refused to open or to remove a chunk: until it does, nothing is compacted, and the
   * log takes more space. By the compactor's thread.
   */
  default void compactionStands(IOException why) {}

  /** The disk refuses it no more. */
  default void compactionGoesOn() {}
}
