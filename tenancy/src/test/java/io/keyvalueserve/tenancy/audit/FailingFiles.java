package io.keyvalueserve.tenancy.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Real files of a disk that can be full (half of a write gets in), refuse to be forced, to be cut
 * or to make a file, and hang.
 */
final class FailingFiles implements SegmentFile.Opener {
  volatile boolean full;
  volatile boolean unforced;
  volatile boolean uncut;
  volatile boolean closedForNew;
  volatile @Nullable CountDownLatch hanging;
  final AtomicInteger forces = new AtomicInteger();

  @Override
  public SegmentFile open(Path path) throws IOException {
    if (closedForNew) {
      throw new IOException("no new files");
    }
    return new Failing(SegmentFile.open(path));
  }

  private final class Failing implements SegmentFile {
    private final SegmentFile real;

    Failing(SegmentFile real) {
      this.real = real;
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      CountDownLatch latch = hanging;
      if (latch != null) {
        try {
          latch.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
      if (full) {
        real.append(bytes.limit(bytes.limit() / 2));
        throw new IOException("no space left");
      }
      real.append(bytes);
    }

    @Override
    public void force() throws IOException {
      if (unforced) {
        throw new IOException("cannot be forced");
      }
      forces.incrementAndGet();
      real.force();
    }

    @Override
    public void truncate(long bytes) throws IOException {
      if (uncut) {
        throw new IOException("cannot be cut");
      }
      real.truncate(bytes);
    }

    @Override
    public void close() throws IOException {
      real.close();
    }
  }
}
