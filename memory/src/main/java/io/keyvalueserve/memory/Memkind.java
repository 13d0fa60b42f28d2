package io.keyvalueserve.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * The memkind library (memkind(3)), loaded when a pool first asks for it and never needed
 * otherwise: its project is archived. Thread-safe, as the library is.
 */
@SuppressWarnings("restricted") // native calls are what this class is for
final class Memkind {

  static final String LIBRARY = "libmemkind.so.0";

  private static final int MESSAGE_BYTES = 128; // MEMKIND_ERROR_MESSAGE_SIZE

  private final SymbolLookup library;
  private final MethodHandle createPmem;
  private final MethodHandle destroyKind;
  private final MethodHandle checkAvailable;
  private final MethodHandle alignedAlloc;
  private final MethodHandle free;
  private final MethodHandle errorMessage;

  private Memkind(SymbolLookup library) {
    this.library = library;
    this.createPmem =
        function(
            "memkind_create_pmem", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS));
    this.destroyKind = function("memkind_destroy_kind", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    this.checkAvailable =
        function("memkind_check_available", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    this.alignedAlloc =
        function(
            "memkind_posix_memalign",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG));
    this.free = function("memkind_free", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
    this.errorMessage =
        function("memkind_error_message", FunctionDescriptor.ofVoid(JAVA_INT, ADDRESS, JAVA_LONG));
  }

  /**
   * Loads the library.
   *
   * @throws MemorySourceException if it is not installed
   */
  static Memkind load(String pool, String name) {
    try {
      return new Memkind(SymbolLookup.libraryLookup(name, Arena.global()));
    } catch (IllegalArgumentException e) {
      throw new MemorySourceException(
          """
              pool '%s' needs the memkind library, which is not installed: %s; 'apt-get install \
              libmemkind0' or 'dnf install memkind', or use the kinds file and numa, which need \
              no library"""
              .formatted(pool, name),
          e);
    }
  }

  /** Makes a kind of memory in a file of a directory, which is never larger than a limit. */
  long createPmem(Path directory, long limitBytes) throws Failure {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment kind = arena.allocate(ADDRESS);
      MemorySegment path = arena.allocateFrom(directory.toString());
      check("memkind_create_pmem", (int) createPmem.invokeExact(path, limitBytes, kind));
      return kind.get(JAVA_LONG, 0);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  /** Returns the kind of the nodes in {@code MEMKIND_DAX_KMEM_NODES}, or of those it finds. */
  long kmem() throws Failure {
    long kind =
        library
            .find("MEMKIND_DAX_KMEM")
            .map(pointer -> pointer.reinterpret(Long.BYTES).get(JAVA_LONG, 0))
            .orElse(0L);
    if (kind == 0) {
      throw new Failure("MEMKIND_DAX_KMEM", "this version has it not; 1.10 and later do");
    }
    try {
      // Asked before the first allocation: the library aborts the process where this would say no.
      check("memkind_check_available", (int) checkAvailable.invokeExact(kind));
      return kind;
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  long allocate(long kind, long alignment, long bytes) throws Failure {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pointer = arena.allocate(ADDRESS);
      int errno = (int) alignedAlloc.invokeExact(kind, pointer, alignment, bytes);
      if (errno != 0) {
        throw new Failure("memkind_posix_memalign", LibC.meaning(errno));
      }
      return pointer.get(JAVA_LONG, 0);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  /** Frees memory of any kind: the library finds out which. */
  void free(long address) {
    try {
      free.invokeExact(0L, address);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  void destroyKind(long kind) throws Failure {
    try {
      check("memkind_destroy_kind", (int) destroyKind.invokeExact(kind));
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  /** A call of the library that failed. */
  static final class Failure extends Exception {
    private Failure(String call, String meaning) {
      super(call + " failed: " + meaning);
    }
  }

  private void check(String call, int result) throws Failure {
    if (result != 0) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment message = arena.allocate(MESSAGE_BYTES);
        errorMessage.invokeExact(result, message, (long) MESSAGE_BYTES);
        throw new Failure(call, message.getString(0));
      } catch (Throwable e) {
        throw rethrow(e);
      }
    }
  }

  private static Failure rethrow(Throwable thrown) {
    return switch (thrown) {
      case Failure failure -> failure;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(thrown);
    };
  }

  private MethodHandle function(String name, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), descriptor);
  }
}
