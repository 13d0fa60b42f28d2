package io.keyvalueserve.journal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Zeroed memory whose address is a multiple of 4096, as direct I/O wants it. It comes from the C
 * library or the kernel, and not from an {@code Arena}, whose memory counts against the JVM's limit
 * for direct buffers.
 *
 * <p>Whoever closes it must know that nobody uses it any more.
 */
@SuppressWarnings("restricted") // memory by address is what this class is for
public final class AlignedMemory implements AutoCloseable {
  /** The alignment of addresses, in bytes. */
  public static final int ALIGNMENT = 4096;

  private static final MethodHandle ALIGNED_ALLOC =
      function("aligned_alloc", FunctionDescriptor.of(ADDRESS, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle FREE = function("free", FunctionDescriptor.ofVoid(ADDRESS));

  private static final long HUGE_PAGE_BYTES = 2 << 20;
  private static final boolean LINUX = System.getProperty("os.name", "").equals("Linux");

  private static final AtomicLong OUTSTANDING = new AtomicLong();

  private final MemorySegment segment;
  private final long mappedBytes; // 0 if it is the C library's
  private boolean closed;

  private AlignedMemory(MemorySegment segment, long mappedBytes) {
    this.segment = segment;
    this.mappedBytes = mappedBytes;
  }

  /** Allocates at least so many bytes. */
  public static AlignedMemory allocate(long bytes) {
    long whole = Math.max(ALIGNMENT, (bytes + ALIGNMENT - 1) & -ALIGNMENT);
    MemorySegment pointer;
    try {
      pointer = (MemorySegment) ALIGNED_ALLOC.invokeExact((long) ALIGNMENT, whole);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    return of(pointer, whole, 0);
  }

  /**
   * Allocates at least so many bytes that the disk reads and writes again and again. From 1 MiB on
   * the kernel is asked for huge pages of 2 MiB. It pins each as one and hands it to the disk as
   * one, where it goes through 512 base pages else.
   */
  static AlignedMemory allocateLasting(long bytes) {
    if (!LINUX || bytes < HUGE_PAGE_BYTES / 2) {
      return allocate(bytes);
    }
    long whole = (bytes + HUGE_PAGE_BYTES - 1) & -HUGE_PAGE_BYTES;
    return of(HugePages.map(whole), whole, whole);
  }

  private static AlignedMemory of(MemorySegment pointer, long bytes, long mapped) {
    if (pointer.address() == 0) {
      throw new OutOfMemoryError("no memory for the journal: bytes=" + bytes);
    }
    AlignedMemory memory = new AlignedMemory(pointer.reinterpret(bytes).fill((byte) 0), mapped);
    OUTSTANDING.addAndGet(bytes);
    return memory;
  }

  /** Returns the bytes that are allocated and not closed, in this process. */
  public static long outstandingBytes() {
    return OUTSTANDING.get();
  }

  /** Returns the address at which it begins. */
  public long address() {
    return segment.address();
  }

  /** Returns its size in bytes. */
  public long bytes() {
    return segment.byteSize();
  }

  /** A part of it, for reads and writes. */
  public MemorySegment slice(long offset, long bytes) {
    return segment.asSlice(offset, bytes);
  }

  /** All of it, for as long as an arena is open; that gives it back, and nobody else. */
  MemorySegment until(Arena arena) {
    return segment.reinterpret(arena, all -> close());
  }

  /** All of it as a buffer with a position of its own; at most 2 GiB. */
  public ByteBuffer buffer() {
    return segment.asByteBuffer().order(ByteOrder.nativeOrder());
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      OUTSTANDING.addAndGet(-segment.byteSize());
      if (mappedBytes > 0) {
        HugePages.unmap(segment.address(), mappedBytes);
        return;
      }
      try {
        FREE.invokeExact(segment);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /**
   * Mappings of their own: what the C library gives may have been used before, in base pages.
   * Apart, so that nothing is looked up where these functions may not exist.
   */
  private static final class HugePages {
    private static final int PROT_READ_WRITE = 0x1 | 0x2;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x2 | 0x20;
    private static final int MADV_HUGEPAGE = 14;

    private static final MethodHandle MMAP =
        function(
            "mmap",
            FunctionDescriptor.of(
                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP =
        function("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle MADVISE =
        function("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));

    /**
     * Maps memory at a multiple of the size of a huge page, or returns {@link MemorySegment#NULL}.
     */
    static MemorySegment map(long bytes) {
      try {
        long mapped =
            (long)
                MMAP.invokeExact(
                    0L, bytes + HUGE_PAGE_BYTES, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
        if (mapped == -1) {
          return MemorySegment.NULL;
        }
        long begin = (mapped + HUGE_PAGE_BYTES - 1) & -HUGE_PAGE_BYTES;
        unmap(mapped, begin - mapped);
        unmap(begin + bytes, mapped + HUGE_PAGE_BYTES - begin);
        int ignored = (int) MADVISE.invokeExact(begin, bytes, MADV_HUGEPAGE); // base pages do too
        return MemorySegment.ofAddress(begin);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    static void unmap(long address, long bytes) {
      if (bytes == 0) {
        return;
      }
      try {
        int ignored = (int) MUNMAP.invokeExact(address, bytes);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static MethodHandle function(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
  }
}
