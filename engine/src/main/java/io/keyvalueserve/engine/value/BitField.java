package io.keyvalueserve.engine.value;

/**
 * One step of a command on bit fields: an integer of some bits at any bit of a value.
 *
 * @param action what to do
 * @param overflow what to do if the result does not fit
 * @param signed whether the integer has a sign
 * @param bits its width: 1 to 64, at most 63 without a sign
 * @param offset of its most significant bit, 0 or more
 * @param operand the value that is set or added; 0 for {@link Action#GET}
 */
public record BitField(
    Action action, Overflow overflow, boolean signed, int bits, long offset, long operand) {
  /** The work of a step. */
  public enum Action {
    /** Answers the integer. */
    GET,
    /** Writes the integer, and answers the one before. */
    SET,
    /** Adds to the integer, and answers the sum. */
    INCREMENT
  }

  /** The rule for a result that does not fit. */
  public enum Overflow {
    /** Keeps the low bits. */
    WRAP,
    /** Takes the greatest or the least integer that fits. */
    SATURATE,
    /** Changes nothing, and has no answer. */
    FAIL
  }

  /** Returns whether the step can change the value. */
  public boolean writes() {
    return action != Action.GET;
  }

  /** Returns the length that a value needs to hold the integer, in bytes. */
  int requiredBytes() {
    return Math.toIntExact(((offset + bits - 1) >>> 3) + 1);
  }

  /** Returns the integer as it is; bits beyond the end are zeros. */
  long read(byte[] value) {
    long result = 0;
    int left = bits;
    long at = offset;
    while (left > 0) {
      int inByte = (int) (at & 7);
      int take = Math.min(left, Byte.SIZE - inByte);
      long index = at >>> 3;
      int b = index < value.length ? value[(int) index] & 0xff : 0;
      int part = (b >> (Byte.SIZE - inByte - take)) & ((1 << take) - 1);
      result = (result << take) | part;
      at += take;
      left -= take;
    }
    int unused = Long.SIZE - bits;
    return signed ? (result << unused) >> unused : result;
  }

  /** Writes the low bits of an integer; the value is long enough. */
  void write(byte[] value, long integer) {
    int left = bits;
    long at = offset;
    while (left > 0) {
      int inByte = (int) (at & 7);
      int take = Math.min(left, Byte.SIZE - inByte);
      int shift = Byte.SIZE - inByte - take;
      int mask = (1 << take) - 1;
      int part = (int) (integer >>> (left - take)) & mask;
      int index = (int) (at >>> 3);
      value[index] = (byte) ((value[index] & ~(mask << shift)) | (part << shift));
      at += take;
      left -= take;
    }
  }

  /** Returns the greatest integer that fits. */
  private long most() {
    return signed ? Long.MAX_VALUE >>> (Long.SIZE - bits) : (1L << bits) - 1;
  }

  /** Returns the least integer that fits. */
  private long least() {
    return signed ? Long.MIN_VALUE >> (Long.SIZE - bits) : 0;
  }

  /**
   * Returns whether a sum is beyond what fits: -1 below, 1 above, 0 if it fits.
   *
   * @param before an integer that fits, or, without a sign, any operand as 64 bits without a sign
   */
  int beyond(long before, long added) {
    if (!signed && (before < 0 || before > most())) {
      return 1; // a negative operand is a great one, as Redis takes it
    }
    if (before > most()) {
      return 1;
    }
    if (before < least()) {
      return -1;
    }
    long sum = before + added;
    if (added > 0 && (sum < before || sum > most())) {
      return 1;
    }
    return added < 0 && (sum > before || sum < least()) ? -1 : 0;
  }

  /** Returns what a sum becomes that does not fit. */
  long corrected(long sum, int beyond) {
    if (overflow == Overflow.SATURATE) {
      return beyond > 0 ? most() : least();
    }
    int unused = Long.SIZE - bits;
    return signed ? (sum << unused) >> unused : sum & most();
  }
}
