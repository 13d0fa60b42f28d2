package io.keyvalueserve.journal;

import java.io.IOException;

/**
 * A part of the log that is kept back until its partitions are asked for. Any threads, for
 * different partitions, until it is closed.
 */
interface HeldPart extends AutoCloseable {
  /**
   * Gives what there is of a partition to a loader's sink, in the order in which it was appended.
   */
  void give(int partition, Loader loader) throws IOException;

  /** Returns the memory that it takes, in bytes. */
  long bytes();

  /** Returns the memory that {@link #readAhead} would take, in bytes. */
  default long aheadBytes() {
    return 0;
  }

  /** Reads what it would read when it is asked, as far as the disk can. Blocks. */
  default void readAhead() {}

  @Override
  void close();
}
