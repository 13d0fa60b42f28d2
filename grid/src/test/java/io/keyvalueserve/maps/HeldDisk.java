package io.keyvalueserve.maps;

import io.keyvalueserve.grid.restart.DiskBetween;
import io.keyvalueserve.journal.Disk;
import io.keyvalueserve.journal.DiskFile;
import io.keyvalueserve.journal.FileDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A real disk whose reads hang as long as a test wants, or fail. */
final class HeldDisk extends DiskBetween {
  private static final int ALL = 1 << 20;

  private final Semaphore allowed = new Semaphore(ALL);
  private final AtomicInteger hanging = new AtomicInteger();
  private final AtomicInteger reads = new AtomicInteger();
  private volatile boolean fails;

  HeldDisk() {
    super(temporary());
  }

  private static Disk temporary() {
    try {
      Path directory = Files.createTempDirectory("kvs-held-");
      directory.toFile().deleteOnExit();
      return FileDisk.at(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** From now on reads hang. */
  void hold() {
    int _ = allowed.drainPermits();
  }

  /** Lets some reads go on. */
  void allow(int count) {
    allowed.release(count);
  }

  /** Lets all reads go on. */
  void release() {
    allowed.release(ALL);
  }

  /** How many reads hang now. */
  int hanging() {
    return hanging.get();
  }

  /** How many were begun. */
  int reads() {
    return reads.get();
  }

  /** Has reads fail, or not. */
  void fail(boolean now) {
    fails = now;
  }

  private void read() throws IOException {
    int _ = reads.incrementAndGet();
    int _ = hanging.incrementAndGet();
    allowed.acquireUninterruptibly();
    int _ = hanging.decrementAndGet();
    if (fails) {
      throw new IOException("the disk fails as the test wants");
    }
  }

  @Override
  protected DiskFile file(String name, DiskFile file) {
    return new FileBetween(file) {
      @Override
      public int read(long offset, MemorySegment bytes) throws IOException {
        HeldDisk.this.read();
        return super.read(offset, bytes);
      }
    };
  }
}
