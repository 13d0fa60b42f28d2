package io.keyvalueserve.journal;

import java.io.IOException;
import java.util.function.LongPredicate;

/**
 * The owner of the records that the log keeps, as the compactor sees it. Its answers decide what is
 * written again and what is forgotten.
 *
 * <p>The owner has two duties to the log. Each record that leaves it has a remove, clear or drop in
 * the log, unless the record leaves because the expiry in its frame has come. And a record's frame
 * is the one whose position the owner keeps.
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
   * Returns the present position in the log of the record of a frame's map and key. Called within
   * {@link #exclusively}.
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
   * The records that were written anew because the log had lost them.
   *
   * @param records how many records
   * @param bytes what their frames took that are lost, with their headers, in whole 8 bytes
   * @param lost how many records are lost, as nobody has their values
   * @param complete false if there was no room for all: it will be asked for again
   */
  record Renewed(long records, long bytes, long lost, boolean complete) {
    /** The result if there was nothing to write. */
    static final Renewed NONE = new Renewed(0, 0, 0, true);
  }

  /**
   * Puts each record anew whose present position is lost, and says of the old one that it is dead.
   * Not within {@link #exclusively}: it takes each partition itself, some records at a time. An
   * owner that has no values puts none.
   *
   * @param lost tells the positions whose frames cannot be read any more
   * @throws InterruptedException if the owner goes down
   */
  default Renewed renew(LongPredicate lost) throws InterruptedException {
    return Renewed.NONE;
  }

  /**
   * A file of the log is not as it was written, and was when the log was opened. By the compactor's
   * thread, once for each file.
   *
   * @param first the first of its damaged places
   * @param places how many there are, as far as the file was read
   */
  default void damageFound(Damage first, int places) {}

  /** All that was needed of a damaged file is in the log again, and the file is set aside. */
  default void damageMended(String file) {}

  /**
   * The disk has refused to open or to remove a chunk: until it does, nothing is compacted, and the
   * log takes more space. By the compactor's thread.
   */
  default void compactionStands(IOException why) {}

  /** The disk refuses it no more. */
  default void compactionGoesOn() {}
}
