package io.keyvalueserve.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.LongStream;

/** Mapping at an alignment, touching, giving back and unmapping: what the sources share. */
final class Mappings {

  /** The smallest page of any machine: touching one byte in each touches all. */
  private static final int SMALLEST_PAGE = 4096;

  /** The bytes that one thread touches at a time. */
  private static final long TOUCH_BYTES = 256L << 20;

  private Mappings() {}

  /** Maps anonymous memory that is reserved as addresses only, at a power-of-two alignment. */
  static Extent anonymous(long bytes, long alignment) throws LibC.Failure {
    int flags = LibC.MAP_PRIVATE | LibC.MAP_ANONYMOUS | LibC.MAP_NORESERVE;
    return aligned(bytes, alignment, LibC.PROT_READ_WRITE, flags);
  }

  /** Maps a file from its beginning, at a power-of-two alignment. */
  static Extent file(int file, long bytes, long alignment, int flags) throws LibC.Failure {
    int reserve = LibC.MAP_PRIVATE | LibC.MAP_ANONYMOUS | LibC.MAP_NORESERVE;
    Extent room = aligned(bytes, alignment, LibC.PROT_NONE, reserve);
    // If this fails, the room is left: what became of it the kernel does not tell.
    LibC.mmap(room.address(), bytes, LibC.PROT_READ_WRITE, flags | LibC.MAP_FIXED, file);
    return room;
  }

  private static Extent aligned(long bytes, long alignment, int protection, int flags)
      throws LibC.Failure {
    long mapped = LibC.mmap(0, bytes + alignment, protection, flags, -1);
    long address = (mapped + alignment - 1) & -alignment;
    long before = address - mapped;
    if (before > 0) {
      LibC.munmap(mapped, before);
    }
    if (before < alignment) {
      LibC.munmap(address + bytes, alignment - before);
    }
    return new Extent(address, bytes);
  }

  /**
   * Touches every page, so that nobody waits for it later. For memory that nobody uses yet.
   *
   * @throws LibC.Failure if the kernel has not enough
   */
  static void touch(Extent extent) throws LibC.Failure {
    try {
      LibC.madvise(
          extent.address(),
          Math.min(extent.bytes(), PageHeap.PAGE_BYTES),
          LibC.MADV_POPULATE_WRITE);
    } catch (LibC.Failure e) {
      if (e.errno() != LibC.EINVAL) {
        throw e;
      }
      touchByHand(extent); // a kernel older than 5.14
      return;
    }
    long parts = (extent.bytes() + TOUCH_BYTES - 1) / TOUCH_BYTES;
    try {
      LongStream.range(0, parts).parallel().forEach(part -> populate(extent, part * TOUCH_BYTES));
    } catch (PopulateFailure e) {
      throw e.failure;
    }
  }

  private static void populate(Extent extent, long offset) {
    try {
      LibC.madvise(
          extent.address() + offset,
          Math.min(TOUCH_BYTES, extent.bytes() - offset),
          LibC.MADV_POPULATE_WRITE);
    } catch (LibC.Failure e) {
      throw new PopulateFailure(e);
    }
  }

  @SuppressWarnings("restricted") // the extent is ours
  static void touchByHand(Extent extent) {
    MemorySegment memory = MemorySegment.ofAddress(extent.address()).reinterpret(extent.bytes());
    for (long offset = 0; offset < extent.bytes(); offset += SMALLEST_PAGE) {
      memory.set(ValueLayout.JAVA_BYTE, offset, (byte) 0);
    }
  }

  static void discard(long address, long bytes) {
    try {
      LibC.madvise(address, bytes, LibC.MADV_DONTNEED);
    } catch (LibC.Failure e) {
      throw new IllegalStateException("pages of this process must be discardable", e);
    }
  }

  static void unmap(Extent extent) {
    try {
      LibC.munmap(extent.address(), extent.bytes());
    } catch (LibC.Failure e) {
      throw new IllegalStateException("an extent that was mapped must be unmappable", e);
    }
  }

  /** Carries a failure out of a stream. */
  private static final class PopulateFailure extends RuntimeException {
    private final LibC.Failure failure;

    PopulateFailure(LibC.Failure failure) {
      super(failure);
      this.failure = failure;
    }
  }
}
