package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.Disk;
import io.keyvalueserve.journal.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** A disk that passes everything on to a real one, but for what a test wants to be otherwise. */
public abstract class DiskBetween implements Disk {
  private final Disk real;

  protected DiskBetween(Disk real) {
    this.real = real;
  }

  /** What is used in the place of a file that was created or opened. */
  protected abstract DiskFile file(String name, DiskFile file);

  /** A file that passes everything on to a real one. */
  public abstract static class FileBetween implements DiskFile {
    private final DiskFile real;

    protected FileBetween(DiskFile real) {
      this.real = real;
    }

    @Override
    public void write(long offset, MemorySegment bytes) throws IOException {
      real.write(offset, bytes);
    }

    @Override
    public int read(long offset, MemorySegment bytes) throws IOException {
      return real.read(offset, bytes);
    }

    @Override
    public void sync() throws IOException {
      real.sync();
    }

    @Override
    public void truncate(long bytes) throws IOException {
      real.truncate(bytes);
    }

    @Override
    public long size() throws IOException {
      return real.size();
    }

    @Override
    public void close() throws IOException {
      real.close();
    }
  }

  @Override
  public int blockBytes() {
    return real.blockBytes();
  }

  @Override
  public String mode() {
    return real.mode();
  }

  @Override
  public DiskFile create(String name, long bytes) throws IOException {
    return file(name, real.create(name, bytes));
  }

  @Override
  public DiskFile open(String name, Access access) throws IOException {
    return file(name, real.open(name, access));
  }

  @Override
  public List<String> list(String directory) throws IOException {
    return real.list(directory);
  }

  @Override
  public boolean exists(String name) throws IOException {
    return real.exists(name);
  }

  @Override
  public void makeDirectory(String directory) throws IOException {
    real.makeDirectory(directory);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    real.rename(from, to);
  }

  @Override
  public void delete(String name) throws IOException {
    real.delete(name);
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    real.syncDirectory(directory);
  }

  @Override
  public long freeBytes() throws IOException {
    return real.freeBytes();
  }

  @Override
  public String path(String name) {
    return real.path(name);
  }

  @Override
  public Closeable lock(String name) throws IOException {
    return real.lock(name);
  }
}
