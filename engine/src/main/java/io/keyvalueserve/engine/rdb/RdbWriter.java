package io.keyvalueserve.engine.rdb;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.engine.collection.Bytes;
import java.util.Arrays;
import java.util.Optional;

/**
 * Writes one value: its type, then its parts, then the footer. Nothing is compressed, which readers
 * of the format take as well.
 *
 * <p>For one thread.
 */
public final class RdbWriter {
  private static final int MOST_HEAD_BYTES = 9;
  private static final int MOST_INTEGER_CHARACTERS = 11;

  private byte[] bytes;
  private int length;

  /**
   * @param expected about how many bytes the parts have together
   */
  public RdbWriter(int expected) {
    this.bytes = new byte[1 + MOST_HEAD_BYTES + expected + Rdb.FOOTER_BYTES];
  }

  /** Writes the type of the value. */
  public void type(int type) {
    put(type);
  }

  /** Writes a length, or a number that is 0 or more. */
  public void length(long value) {
    if (value < 1 << Rdb.KIND_SHIFT) {
      put((int) value);
    } else if (value < 1 << (Rdb.KIND_SHIFT + Byte.SIZE)) {
      put((int) (value >> Byte.SIZE) | (Rdb.MIDDLE_LENGTH << Rdb.KIND_SHIFT));
      put((int) value);
    } else if (value <= 0xffff_ffffL) {
      put(Rdb.LENGTH_OF_4_BYTES);
      bigEndian(value, Integer.BYTES);
    } else {
      put(Rdb.LENGTH_OF_8_BYTES);
      bigEndian(value, Long.BYTES);
    }
  }

  /** Writes a string: as an integer of up to 32 bits if it is one. */
  public void string(byte[] value) {
    Optional<Long> integer =
        value.length <= MOST_INTEGER_CHARACTERS ? Arithmetic.parseInteger(value) : Optional.empty();
    if (integer.isPresent() && integer.get() == integer.get().intValue()) {
      integer(integer.get().intValue());
      return;
    }
    plain(Bytes.of(value));
  }

  /** Writes a string as {@link #string(byte[])} does. */
  void string(Bytes value) {
    if (value.length() <= MOST_INTEGER_CHARACTERS) {
      string(value.toArray());
    } else {
      plain(value);
    }
  }

  private void plain(Bytes value) {
    length(value.length());
    ensure(value.length());
    System.arraycopy(value.array(), value.offset(), bytes, length, value.length());
    length += value.length();
  }

  /** Writes a score in 8 bytes, the lowest one first. */
  void score(double score) {
    littleEndian(Double.doubleToRawLongBits(score), Long.BYTES);
  }

  private void integer(int value) {
    int kind = Rdb.ENCODED << Rdb.KIND_SHIFT;
    if (value == (byte) value) {
      put(kind | Rdb.INTEGER_OF_1_BYTE);
      littleEndian(value, Byte.BYTES);
    } else if (value == (short) value) {
      put(kind | Rdb.INTEGER_OF_2_BYTES);
      littleEndian(value, Short.BYTES);
    } else {
      put(kind | Rdb.INTEGER_OF_4_BYTES);
      littleEndian(value, Integer.BYTES);
    }
  }

  /** Writes the version. What is left to write is the checksum of all before it. */
  public void version() {
    littleEndian(Rdb.VERSION, Short.BYTES);
  }

  /** Writes the checksum of all before it. */
  public void checksum(long crc) {
    littleEndian(crc, Long.BYTES);
  }

  /** Returns the number of bytes that were written. */
  public int written() {
    return length;
  }

  /** Returns the array that the bytes are in, from its beginning; until more is written. */
  public byte[] array() {
    return bytes;
  }

  /** Returns a string as DUMP has it. */
  public static byte[] dump(byte[] string) {
    RdbWriter writer = new RdbWriter(string.length);
    writer.type(Rdb.STRING);
    writer.string(string);
    writer.version();
    writer.checksum(Crc64.update(0, writer.bytes, 0, writer.length));
    return Arrays.copyOf(writer.bytes, writer.length);
  }

  private void littleEndian(long value, int count) {
    for (int i = 0; i < count; i++) {
      put((int) (value >> (i * Byte.SIZE)));
    }
  }

  private void bigEndian(long value, int count) {
    for (int i = count - 1; i >= 0; i--) {
      put((int) (value >> (i * Byte.SIZE)));
    }
  }

  private void put(int value) {
    ensure(1);
    bytes[length++] = (byte) value;
  }

  private void ensure(int more) {
    if (more > bytes.length - length) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, more), 2 * bytes.length));
    }
  }
}
