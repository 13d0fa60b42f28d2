package io.keyvalueserve.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The few calls of the C library that pages and threads need, on 64-bit Linux. Addresses are {@code
 * long}: pointers and longs travel alike there. All but {@link #currentCpu} are for opening,
 * closing and giving back, and made simple rather than fast. Thread-safe.
 */
@SuppressWarnings("restricted") // native calls are what this class is for
final class LibC {

  static final int EPERM = 1;
  static final int ESRCH = 3;
  static final int ENOMEM = 12;
  static final int EINVAL = 22;
  static final int ENOSYS = 38;

  static final int PROT_NONE = 0;
  static final int PROT_READ_WRITE = 0x1 | 0x2;

  static final int MAP_SHARED = 0x01;
  static final int MAP_PRIVATE = 0x02;
  static final int MAP_SHARED_VALIDATE = 0x03;
  static final int MAP_FIXED = 0x10;
  static final int MAP_ANONYMOUS = 0x20;
  static final int MAP_NORESERVE = 0x4000;
  static final int MAP_HUGETLB = 0x40000;
  static final int MAP_SYNC = 0x80000;

  /** The exponent of a huge page's size goes into the flags from this bit on. */
  static final int MAP_HUGE_SHIFT = 26;

  static final int MADV_DONTNEED = 4;
  static final int MADV_HUGEPAGE = 14;
  static final int MADV_POPULATE_WRITE = 23;

  // The same on x86_64 and aarch64.
  private static final int O_RDWR = 0x2;
  private static final int O_CREAT = 0x40;
  private static final int O_EXCL = 0x80;
  private static final int O_CLOEXEC = 0x80000;
  private static final int OWNER_ONLY = 0600;
  private static final int LOCK_EXCLUSIVE_OR_FAIL = 2 | 4;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO_OF_STATE =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle MMAP =
      function(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG),
          ERRNO);
  private static final MethodHandle MUNMAP =
      function("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG), ERRNO);
  private static final MethodHandle MADVISE =
      function("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT), ERRNO);
  private static final MethodHandle OPEN =
      function(
          "open",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
          ERRNO,
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle CLOSE =
      function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT), ERRNO);
  private static final MethodHandle FLOCK =
      function("flock", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT), ERRNO);
  private static final MethodHandle POSIX_FALLOCATE =
      function("posix_fallocate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle SYSCALL =
      function(
          "syscall",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
              JAVA_LONG),
          ERRNO,
          Linker.Option.firstVariadicArg(1));
  private static final MethodHandle SETENV =
      function("setenv", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT), ERRNO);
  private static final MethodHandle GETENV =
      function("getenv", FunctionDescriptor.of(ADDRESS, ADDRESS));
  private static final MethodHandle STRERROR =
      function("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));
  private static final MethodHandle SCHED_GETCPU =
      function("sched_getcpu", FunctionDescriptor.of(JAVA_INT), Linker.Option.critical(false));
  private static final MethodHandle SCHED_GETAFFINITY =
      function(
          "sched_getaffinity",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG),
          ERRNO);
  private static final MethodHandle SCHED_SETAFFINITY =
      function(
          "sched_setaffinity",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG),
          ERRNO);

  private LibC() {}

  /** A call of the C library that failed. */
  static final class Failure extends Exception {
    private final int errno;

    private Failure(String call, int errno) {
      super(call + " failed: errno=" + errno + " (" + meaning(errno) + ")");
      this.errno = errno;
    }

    int errno() {
      return errno;
    }
  }

  /** Maps memory, or a file from its beginning; returns the address. */
  static long mmap(long address, long bytes, int protection, int flags, int file) throws Failure {
    return call("mmap", MMAP, address, bytes, protection, flags, file, 0L);
  }

  static void munmap(long address, long bytes) throws Failure {
    call("munmap", MUNMAP, address, bytes);
  }

  static void madvise(long address, long bytes, int advice) throws Failure {
    call("madvise", MADVISE, address, bytes, advice);
  }

  /** Creates a file that is not there yet, for its owner only; returns its descriptor. */
  static int create(String path) throws Failure {
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC);
  }

  /** Opens a file that is there; returns its descriptor. */
  static int open(String path) throws Failure {
    return open(path, O_RDWR | O_CLOEXEC);
  }

  private static int open(String path, int flags) throws Failure {
    try (Arena arena = Arena.ofConfined()) {
      return (int) call("open", OPEN, arena.allocateFrom(path), flags, OWNER_ONLY);
    }
  }

  static void close(int file) throws Failure {
    call("close", CLOSE, file);
  }

  /** Locks an open file, if nobody has locked it through another opening, until it is closed. */
  static void lock(int file) throws Failure {
    call("flock", FLOCK, file, LOCK_EXCLUSIVE_OR_FAIL);
  }

  /** Gives a file its size and all the space for it. */
  static void allocate(int file, long bytes) throws Failure {
    int errno;
    try {
      errno = (int) POSIX_FALLOCATE.invokeExact(file, 0L, bytes);
    } catch (Throwable e) {
      throw unexpected(e);
    }
    if (errno != 0) { // this one call returns it
      throw new Failure("posix_fallocate", errno);
    }
  }

  /** Calls the kernel by number, for what the C library has no function. */
  static long syscall(long number, long a, long b, long c, long d, long e, long f) throws Failure {
    return call("syscall " + number, SYSCALL, number, a, b, c, d, e, f);
  }

  /** Sets a variable of the process's native environment; the JVM's own copy does not change. */
  static void setenv(String name, String value) throws Failure {
    try (Arena arena = Arena.ofConfined()) {
      call("setenv", SETENV, arena.allocateFrom(name), arena.allocateFrom(value), 1);
    }
  }

  /** Returns a variable of the process's native environment, empty when there is none. */
  static String getenv(String name) {
    try (Arena arena = Arena.ofConfined()) {
      return text((MemorySegment) GETENV.invokeExact(arena.allocateFrom(name)));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Returns the processor the calling thread is on now, -1 when the kernel does not say. */
  static int currentCpu() {
    try {
      return (int) SCHED_GETCPU.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Writes the mask of a thread's processors; thread 0 is the one that calls. */
  static void schedGetAffinity(int thread, long bytes, long mask) throws Failure {
    call("sched_getaffinity", SCHED_GETAFFINITY, thread, bytes, mask);
  }

  static void schedSetAffinity(int thread, long bytes, long mask) throws Failure {
    call("sched_setaffinity", SCHED_SETAFFINITY, thread, bytes, mask);
  }

  static String meaning(int errno) {
    try {
      return text((MemorySegment) STRERROR.invokeExact(errno));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static String text(MemorySegment pointer) {
    return pointer.address() == 0 ? "" : pointer.reinterpret(Long.MAX_VALUE).getString(0);
  }

  /** Calls a function that tells failure by -1 and errno. */
  private static long call(String name, MethodHandle function, Object... arguments) throws Failure {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      List<Object> all = new ArrayList<>();
      all.add(state);
      all.addAll(List.of(arguments));
      long result = ((Number) function.invokeWithArguments(all)).longValue();
      if (result == -1) {
        throw new Failure(name, (int) ERRNO_OF_STATE.get(state, 0L));
      }
      return result;
    } catch (Failure failure) {
      throw failure;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static RuntimeException unexpected(Throwable thrown) {
    return switch (thrown) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new IllegalStateException(thrown);
    };
  }

  private static MethodHandle function(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
  }
}
