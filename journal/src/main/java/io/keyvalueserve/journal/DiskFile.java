package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * An open file. One thread writes; {@link #sync} may run beside it on another and covers the writes
 * that had returned when it began.
 */
public interface DiskFile extends Closeable {
  /**
   * Writes all the bytes.
   *
   * @throws NoSpaceException if the disk is full; what was written of it is unknown
   */
  void write(long offset, MemorySegment bytes) throws IOException;

  /**
   * Reads until the segment is full or the file ends.
   *
   * @return how many bytes were read, 0 at the end
   */
  int read(long offset, MemorySegment bytes) throws IOException;

  /** Makes certain what was written, and the size. */
  void sync() throws IOException;

  /** Cuts the file off. */
  void truncate(long bytes) throws IOException;

  /** Returns the length of the file. */
  long size() throws IOException;
}
