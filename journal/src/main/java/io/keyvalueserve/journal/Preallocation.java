package io.keyvalueserve.journal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * Space for a file before it is written: writes then neither run out of it nor change the file's
 * size. On 64-bit Linux; elsewhere a file just grows.
 */
@SuppressWarnings("restricted") // native calls are what this class is for
final class Preallocation {
  static final int ENOSPC = 28;
  static final int EDQUOT = 122;

  private static final int O_RDWR_CLOEXEC = 0x2 | 0x80000; // the same on x86_64 and aarch64
  private static final boolean LINUX =
      System.getProperty("os.name", "").equals("Linux")
          && MemorySegment.NULL.address() == 0
          && ADDRESS.byteSize() == Long.BYTES;

  private Preallocation() {}

  /** Takes the space; returns 0, or the error's number if it was not to be had. */
  static int allocate(Path path, long bytes) {
    return LINUX ? Calls.allocate(path, bytes) : 0;
  }

  /** Apart, so that nothing is looked up where these functions may not exist. */
  private static final class Calls {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle OPEN =
        LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("open"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle POSIX_FALLOCATE =
        LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("posix_fallocate"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle CLOSE =
        LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    static int allocate(Path path, long bytes) {
      try (Arena arena = Arena.ofConfined()) {
        int file = (int) OPEN.invokeExact(arena.allocateFrom(path.toString()), O_RDWR_CLOEXEC);
        if (file < 0) {
          return 0; // then the file grows as it is written, and says itself what is wrong
        }
        try {
          return (int) POSIX_FALLOCATE.invokeExact(file, 0L, bytes);
        } finally {
          int ignored = (int) CLOSE.invokeExact(file);
        }
      } catch (Throwable e) {
        throw new IllegalStateException("posix_fallocate cannot be called", e);
      }
    }
  }
}
