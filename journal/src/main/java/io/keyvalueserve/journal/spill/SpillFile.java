package io.keyvalueserve.journal.spill;

import io.keyvalueserve.journal.Disk;
import io.keyvalueserve.journal.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;

/**
 * One file of an area. Thread-safe: many threads read while one writes elsewhere in it.
 *
 * <p>Java closes a file under all its readers when one of them is interrupted while it reads. So it
 * is opened again then, and who was interrupted stays so.
 */
final class SpillFile implements Closeable {
  private static final int MOST_ATTEMPTS = 100;

  /** One attempt at reading or writing. */
  private interface Attempt {
    int with(DiskFile file) throws IOException;
  }

  private final Disk disk;
  private final String name;
  private volatile DiskFile file;
  private volatile boolean closed;

  /**
   * Makes a file with all its space.
   *
   * @throws io.keyvalueserve.journal.NoSpaceException if the disk has not so much; no file is left
   */
  SpillFile(Disk disk, String name, long bytes) throws IOException {
    this.disk = disk;
    this.name = name;
    this.file = disk.create(name, bytes);
  }

  /** Returns its path, as an operator would name it. */
  String path() {
    return disk.path(name);
  }

  int read(long offset, MemorySegment bytes) throws IOException {
    return attempt(open -> open.read(offset, bytes));
  }

  void write(long offset, MemorySegment bytes) throws IOException {
    attempt(
        open -> {
          open.write(offset, bytes);
          return 0;
        });
  }

  private int attempt(Attempt attempt) throws IOException {
    boolean interrupted = false;
    try {
      for (int i = 1; ; i++) {
        interrupted |= Thread.interrupted();
        DiskFile open = file;
        try {
          return attempt.with(open);
        } catch (ClosedChannelException e) {
          if (closed || i == MOST_ATTEMPTS) {
            throw e;
          }
          reopen(open);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void reopen(DiskFile broken) throws IOException {
    if (broken.equals(file) && !closed) {
      DiskFile next = disk.open(name, Disk.Access.WRITE);
      file = next;
      broken.close();
    }
  }

  /** Closes and removes it. */
  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      try {
        file.close();
      } finally {
        disk.delete(name);
      }
    }
  }
}
