package io.keyvalueserve.engine.value;

/**
 * A part of a value, as commands on bits name it. Negative positions count from the end; positions
 * beyond either end are moved to it.
 *
 * @param start the first byte or bit
 * @param end the last byte or bit
 * @param inBits whether positions count bits; bytes otherwise
 */
public record BitRange(long start, long end, boolean inBits) {
  /** The whole value. */
  public static final BitRange ALL = new BitRange(0, -1, false);

  /**
   * Returns the first bit of the range.
   *
   * @param length of the value, in bytes
   */
  long firstBit(int length) {
    long first = Math.max(start < 0 ? start + units(length) : start, 0);
    return first > units(length) ? bits(length) + 1 : first * unitBits();
  }

  /**
   * Returns the last bit of the range; less than the first one if the range is empty.
   *
   * @param length of the value, in bytes
   */
  long lastBit(int length) {
    long last = Math.max(end < 0 ? end + units(length) : end, 0);
    return Math.min(last, units(length) - 1) * unitBits() + unitBits() - 1;
  }

  private long units(int length) {
    return inBits ? bits(length) : length;
  }

  private long unitBits() {
    return inBits ? 1 : Byte.SIZE;
  }

  private static long bits(int length) {
    return (long) length * Byte.SIZE;
  }
}
