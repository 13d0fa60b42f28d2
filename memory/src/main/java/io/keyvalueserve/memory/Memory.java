package io.keyvalueserve.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Raw access to memory by address. Nothing here knows who owns what: an address that is not within
 * a block of the caller's reads nonsense or ends the process. Callers are stores, which prove their
 * addresses; everybody else goes through them.
 *
 * <p>The memory order shows in a method's name. What has none is plain: for memory that one thread
 * owns, or that is published by an ordered write afterwards. Ordered access needs an address that
 * is a multiple of the size. Numbers are in the byte order of the machine.
 */
public final class Memory {
  /**
   * True if blocks are checked. Double free, foreign free and use after free are errors then, for a
   * price. Set by {@code -Dkvs.memory.checks=true}; the tests run with it.
   */
  public static final boolean CHECKED = Boolean.getBoolean("kvs.memory.checks");

  @SuppressWarnings("restricted") // the whole address space: that is what this class is for
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private Memory() {}

  /**
   * A range as a direct buffer, for the network. It knows nothing of who owns the range; nothing is
   * to be written through it where others read.
   *
   * @param length 0 or more, in bytes
   */
  public static ByteBuffer buffer(long address, int length) {
    return ALL.asSlice(address, length).asByteBuffer();
  }

  /** The byte at an address. */
  public static byte getByte(long address) {
    return ALL.get(ValueLayout.JAVA_BYTE, address);
  }

  /** Writes a byte. */
  public static void putByte(long address, byte value) {
    ALL.set(ValueLayout.JAVA_BYTE, address, value);
  }

  /** The byte at an address; what is read later was written no earlier. */
  public static byte getByteAcquire(long address) {
    return (byte) BYTE.getAcquire(ALL, address);
  }

  /** Writes a byte; whoever acquires it sees all that was written before. */
  public static void putByteRelease(long address, byte value) {
    BYTE.setRelease(ALL, address, value);
  }

  /** The int at any address. */
  public static int getInt(long address) {
    return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
  }

  /** Writes an int to any address. */
  public static void putInt(long address, int value) {
    ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
  }

  /** The int at an address, whole, in no order. */
  public static int getIntOpaque(long address) {
    return (int) INT.getOpaque(ALL, address);
  }

  /** Writes an int, whole, in no order. */
  public static void putIntOpaque(long address, int value) {
    INT.setOpaque(ALL, address, value);
  }

  /** The int at an address; what is read later was written no earlier. */
  public static int getIntAcquire(long address) {
    return (int) INT.getAcquire(ALL, address);
  }

  /** Writes an int; whoever acquires it sees all that was written before. */
  public static void putIntRelease(long address, int value) {
    INT.setRelease(ALL, address, value);
  }

  /** The long at any address. */
  public static long getLong(long address) {
    return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
  }

  /** Writes a long to any address. */
  public static void putLong(long address, long value) {
    ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
  }

  /** The long at an address, whole, in no order. */
  public static long getLongOpaque(long address) {
    return (long) LONG.getOpaque(ALL, address);
  }

  /** Writes a long, whole, in no order. */
  public static void putLongOpaque(long address, long value) {
    LONG.setOpaque(ALL, address, value);
  }

  /** The long at an address; what is read later was written no earlier. */
  public static long getLongAcquire(long address) {
    return (long) LONG.getAcquire(ALL, address);
  }

  /** Writes a long; whoever acquires it sees all that was written before. */
  public static void putLongRelease(long address, long value) {
    LONG.setRelease(ALL, address, value);
  }

  /** Copies bytes out of memory. */
  public static void copy(long from, byte[] to, int offset, int length) {
    MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, from, to, offset, length);
  }

  /** Copies bytes into memory. */
  public static void copy(byte[] from, int offset, long to, int length) {
    MemorySegment.copy(from, offset, ALL, ValueLayout.JAVA_BYTE, to, length);
  }

  /** Copies bytes within memory; the ranges must not overlap. */
  public static void copy(long from, long to, long length) {
    MemorySegment.copy(ALL, from, ALL, to, length);
  }

  /** Sets bytes to one value. */
  public static void fill(long address, long length, byte value) {
    ALL.asSlice(address, length).fill(value);
  }

  /**
   * Returns whether bytes in memory are equal to those of an array.
   *
   * @param length 0 or more, the same on both sides
   */
  public static boolean equal(long address, byte[] bytes, int offset, int length) {
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      if (getLong(address + i) != Bytes.getLong(bytes, offset + i)) {
        return false;
      }
    }
    for (; i < length; i++) {
      if (getByte(address + i) != bytes[offset + i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether two ranges of memory of the same length are equal. */
  public static boolean equal(long address, long other, int length) {
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      if (getLong(address + i) != getLong(other + i)) {
        return false;
      }
    }
    for (; i < length; i++) {
      if (getByte(address + i) != getByte(other + i)) {
        return false;
      }
    }
    return true;
  }
}
