package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.Disk;
import io.keyvalueserve.journal.DiskFile;
import io.keyvalueserve.journal.NoSpaceException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

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
    return real.path("").startsWith(directory) ? disk(real) : real;
  }

  private Disk disk(Disk real) {
    return (Disk)
        Proxy.newProxyInstance(
            Disk.class.getClassLoader(),
            new Class<?>[] {Disk.class},
            (self, method, arguments) -> {
              boolean log = isOfLog(arguments);
              if (log && fault == Fault.FULL && method.getName().equals("create")) {
                throw new NoSpaceException("no space");
              }
              Object result = call(real, method, arguments);
              return log && result instanceof DiskFile file ? new File(file) : result;
            });
  }

  private static boolean isOfLog(Object @Nullable [] arguments) {
    return arguments != null && arguments[0] instanceof String name && name.startsWith(LOG);
  }

  private static @Nullable Object call(Disk real, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private final class File implements DiskFile {
    private final DiskFile real;

    File(DiskFile real) {
      this.real = real;
    }

    @Override
    public void write(long offset, MemorySegment bytes) throws IOException {
      if (fault == Fault.WRITE) {
        throw new IOException("a bad disk: EIO on write");
      }
      real.write(offset, bytes);
    }

    @Override
    public int read(long offset, MemorySegment bytes) throws IOException {
      return real.read(offset, bytes);
    }

    @Override
    public void sync() throws IOException {
      if (fault == Fault.SYNC) {
        throw new IOException("a bad disk: EIO on sync");
      }
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
}
