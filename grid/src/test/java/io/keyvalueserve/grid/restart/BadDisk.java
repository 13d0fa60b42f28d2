package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.Disk;
import io.keyvalueserve.journal.DiskFile;
import io.keyvalueserve.journal.NoSpaceException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * The file system, on which the log of one member's directory fails when it is told to; the files
 * beside the log stay sound. For members that are started while it is open.
 */
public final class BadDisk implements AutoCloseable {
  private static final String LOG = "log/";

  private final String directory;
  private volatile Fault fault = Fault.NONE;

  /** What goes wrong from now on. */
  public enum Fault {
    /** Nothing. */
    NONE,
    /** Writes are taken, but the disk does not say that they are on it. */
    SYNC,
    /** Writes are refused. */
    WRITE,
    /** There is no space for another file. */
    FULL
  }

  /** The disk of a member's directory. */
  public BadDisk(Path directory) {
    this.directory = directory.toAbsolutePath().normalize().toString();
    DataDisk.putBetween(this::of);
  }

  /** From now on. */
  public void becomes(Fault next) {
    fault = next;
  }

  @Override
  public void close() {
    DataDisk.putBetween(disk -> disk);
  }

  private Disk of(Disk real) {
    return real.path("").startsWith(directory) ? new Failing(real) : real;
  }

  private final class Failing extends DiskBetween {
    Failing(Disk real) {
      super(real);
    }

    @Override
    public DiskFile create(String name, long bytes) throws IOException {
      if (fault == Fault.FULL && name.startsWith(LOG)) {
        throw new NoSpaceException("no space");
      }
      return super.create(name, bytes);
    }

    @Override
    protected DiskFile file(String name, DiskFile file) {
      return name.startsWith(LOG) ? new FailingFile(file) : file;
    }
  }

  private final class FailingFile extends DiskBetween.FileBetween {
    FailingFile(DiskFile real) {
      super(real);
    }

    @Override
    public void write(long offset, MemorySegment bytes) throws IOException {
      if (fault == Fault.WRITE) {
        throw new IOException("a bad disk: EIO on write");
      }
      super.write(offset, bytes);
    }

    @Override
    public void sync() throws IOException {
      if (fault == Fault.SYNC) {
        throw new IOException("a bad disk: EIO on sync");
      }
      super.sync();
    }
  }
}
