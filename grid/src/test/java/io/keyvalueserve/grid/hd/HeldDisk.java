package io.keyvalueserve.grid.hd;

import io.keyvalueserve.journal.Disk;
import io.keyvalueserve.journal.DiskFile;
import io.keyvalueserve.journal.FileDisk;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A real disk whose reads hang as long as a test wants, or fail. */
final class HeldDisk implements Disk {
  private static final int ALL = 1 << 20;

  private final Disk disk;
  private final Semaphore allowed = new Semaphore(ALL);
  private final AtomicInteger hanging = new AtomicInteger();
  private final AtomicInteger reads = new AtomicInteger();
  private volatile boolean fails;

  HeldDisk() {
    try {
      Path directory = Files.createTempDirectory("kvs-held-");
      directory.toFile().deleteOnExit();
      disk = FileDisk.at(directory);
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

  private final class HeldFile implements DiskFile {
    private final DiskFile file;

    HeldFile(DiskFile file) {
      this.file = file;
    }

    @Override
    public void write(long offset, MemorySegment bytes) throws IOException {
      file.write(offset, bytes);
    }

    @Override
    public int read(long offset, MemorySegment bytes) throws IOException {
      HeldDisk.this.read();
      return file.read(offset, bytes);
    }

    @Override
    public void sync() throws IOException {
      file.sync();
    }

    @Override
    public void truncate(long bytes) throws IOException {
      file.truncate(bytes);
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  @Override
  public int blockBytes() {
    return disk.blockBytes();
  }

  @Override
  public String mode() {
    return disk.mode();
  }

  @Override
  public DiskFile create(String name, long bytes) throws IOException {
    return new HeldFile(disk.create(name, bytes));
  }

  @Override
  public DiskFile open(String name, Access access) throws IOException {
    return new HeldFile(disk.open(name, access));
  }

  @Override
  public List<String> list(String directory) throws IOException {
    return disk.list(directory);
  }

  @Override
  public boolean exists(String name) throws IOException {
    return disk.exists(name);
  }

  @Override
  public void makeDirectory(String directory) throws IOException {
    disk.makeDirectory(directory);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    disk.rename(from, to);
  }

  @Override
  public void delete(String name) throws IOException {
    disk.delete(name);
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    disk.syncDirectory(directory);
  }

  @Override
  public long freeBytes() throws IOException {
    return disk.freeBytes();
  }

  @Override
  public String path(String name) {
    return disk.path(name);
  }

  @Override
  public Closeable lock(String name) throws IOException {
    return disk.lock(name);
  }
}
