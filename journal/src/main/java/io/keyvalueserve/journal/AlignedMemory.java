package io.keyvalueserve.journal;

import static java.lang.foreign.ValueLayout.ADDRESS;
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
 * library and not from an {@code Arena}, whose memory counts against the JVM's limit for direct
 * buffers.
 *
 * <p>Whoever closes it must know that nobody uses it any more.
 */
@SuppressWarnings("restricted") // memory by address is what this class is for
public final class AlignedMemory implements AutoCloseable {
  /** What addresses are multiples of. */
  public static final int ALIGNMENT = 4096;

  private static final MethodHandle ALIGNED_ALLOC =
      function("aligned_alloc", FunctionDescriptor.of(ADDRESS, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle FREE = function("free", FunctionDescriptor.ofVoid(ADDRESS));

  private static final AtomicLong OUTSTANDING = new AtomicLong();

  private final MemorySegment segment;
  private boolean closed;

  private AlignedMemory(MemorySegment segment) {
    this.segment = segment;
  }

  /** At least so many bytes. */
  public static AlignedMemory allocate(long bytes) {
    long whole = Math.max(ALIGNMENT, (bytes + ALIGNMENT - 1) & -ALIGNMENT);
    MemorySegment pointer;
    try {
      pointer = (MemorySegment) ALIGNED_ALLOC.invokeExact((long) ALIGNMENT, whole);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    if (pointer.address() == 0) {
      throw new OutOfMemoryError("no memory for the journal: bytes=" + whole);
    }
    AlignedMemory memory = new AlignedMemory(pointer.reinterpret(whole).fill((byte) 0));
    OUTSTANDING.addAndGet(whole);
    return memory;
  }

  /** How many bytes are allocated and not closed, in this process. */
  public static long outstandingBytes() {
    return OUTSTANDING.get();
  }

  /** Where it begins. */
  public long address() {
    return segment.address();
  }

  /** How many bytes there are. */
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
      try {
        FREE.invokeExact(segment);
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
