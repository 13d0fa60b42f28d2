package io.keyvalueserve.engine.rdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.engine.collection.Bytes;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads one value that a client gives: the footer first, then the parts in their order. Nothing is
 * read beyond the array, and no more memory is taken than the bytes can stand for.
 *
 * <p>For one thread.
 */
public final class RdbReader {
  private final byte[] bytes;
  private final int end;
  private final int mostBytes;
  private int at;

  /**
   * @param bytes the value with its footer
   * @param mostBytes the longest string that is taken, in bytes
   * @throws RdbException if there is no footer, or its version is of a later format
   */
  public RdbReader(byte[] bytes, int mostBytes) throws RdbException {
    this.bytes = bytes;
    this.end = bytes.length - Rdb.FOOTER_BYTES;
    this.mostBytes = mostBytes;
    if (end < 0 || (int) littleEndian(end, Short.BYTES) > Rdb.LATEST_VERSION) {
      throw new RdbException("no footer that is known");
    }
  }

  /** Returns the number of bytes that the checksum is of. */
  public int checkedBytes() {
    return bytes.length - Long.BYTES;
  }

  /**
   * Compares the checksum.
   *
   * @param crc of the first {@link #checkedBytes}
   */
  public boolean hasChecksum(long crc) {
    return littleEndian(bytes.length - Long.BYTES, Long.BYTES) == crc;
  }

  /** Reads the type of the value. */
  public int type() throws RdbException {
    return next();
  }

  /** Reads a length, or a number that is 0 or more. */
  public long length() throws RdbException {
    int first = next();
    return switch (first >> Rdb.KIND_SHIFT) {
      case Rdb.SHORT_LENGTH, Rdb.ENCODED -> first & Rdb.KIND_MASK;
      case Rdb.MIDDLE_LENGTH -> ((first & Rdb.KIND_MASK) << Byte.SIZE) | next();
      default ->
          switch (first) {
            case Rdb.LENGTH_OF_4_BYTES -> bigEndian(Integer.BYTES);
            case Rdb.LENGTH_OF_8_BYTES -> bigEndian(Long.BYTES);
            default -> throw bad();
          };
    };
  }

  /** Returns the number of bytes before the footer that were not read yet. */
  int left() {
    return end - at;
  }

  /** Reads a score of 8 bytes, the lowest one first. */
  double binaryScore() throws RdbException {
    return Double.longBitsToDouble(little(Long.BYTES));
  }

  /** Reads a score as text behind its length of one byte, or one of three bytes with a meaning. */
  double textScore() throws RdbException {
    int length = next();
    return switch (length) {
      case Rdb.NEGATIVE_INFINITY -> Double.NEGATIVE_INFINITY;
      case Rdb.POSITIVE_INFINITY -> Double.POSITIVE_INFINITY;
      case Rdb.NOT_A_NUMBER -> Double.NaN;
      default -> {
        require(length <= end - at);
        at += length;
        yield ScoreText.parse(new Bytes(bytes, at - length, length));
      }
    };
  }

  /** Reads a string, which is whole once {@link Parts#run} says so. */
  public Parts string() throws RdbException {
    return string(mostBytes, RdbReader::bad);
  }

  /**
   * Reads a string of another limit.
   *
   * @param most the longest string that is taken, in bytes
   * @param tooLong makes what is thrown for a longer one
   */
  Parts string(long most, Supplier<RdbException> tooLong) throws RdbException {
    require(at < end);
    int first = bytes[at] & 0xff;
    if (first >> Rdb.KIND_SHIFT != Rdb.ENCODED) {
      long declared = length();
      require(declared >= 0 && declared <= end - at);
      int length = within(declared, most, tooLong);
      byte[] string = Arrays.copyOfRange(bytes, at, at + length);
      at += length;
      return new Parts(string, null);
    }
    at++;
    return switch (first & Rdb.KIND_MASK) {
      case Rdb.INTEGER_OF_1_BYTE -> integer((byte) little(Byte.BYTES));
      case Rdb.INTEGER_OF_2_BYTES -> integer((short) little(Short.BYTES));
      case Rdb.INTEGER_OF_4_BYTES -> integer((int) little(Integer.BYTES));
      case Rdb.COMPRESSED -> compressed(most, tooLong);
      default -> throw bad();
    };
  }

  private static Parts integer(int value) {
    return new Parts(Integer.toString(value).getBytes(US_ASCII), null);
  }

  private Parts compressed(long most, Supplier<RdbException> tooLong) throws RdbException {
    long packed = length();
    long declared = length();
    require(packed >= 0 && packed <= end - at);
    require(declared >= 0 && declared <= packed * Lzf.MOST_EXPANSION);
    int length = within(declared, most, tooLong);
    byte[] string = new byte[length];
    Lzf lzf = new Lzf(bytes, at, at + (int) packed, string);
    at += (int) packed;
    return new Parts(string, lzf);
  }

  private static int within(long length, long most, Supplier<RdbException> tooLong)
      throws RdbException {
    if (length > most) {
      throw tooLong.get();
    }
    return (int) length;
  }

  private long bigEndian(int count) throws RdbException {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value = (value << Byte.SIZE) | next();
    }
    return value;
  }

  private long little(int count) throws RdbException {
    require(count <= end - at);
    long value = littleEndian(at, count);
    at += count;
    return value;
  }

  private long littleEndian(int from, int count) {
    long value = 0;
    for (int i = count - 1; i >= 0; i--) {
      value = (value << Byte.SIZE) | (bytes[from + i] & 0xff);
    }
    return value;
  }

  private int next() throws RdbException {
    require(at < end);
    return bytes[at++] & 0xff;
  }

  private static void require(boolean holds) throws RdbException {
    if (!holds) {
      throw bad();
    }
  }

  private static RdbException bad() {
    return new RdbException("a value that is none");
  }

  /** A string that may have to be decompressed, some at a time. For one thread. */
  public static final class Parts {
    private final byte[] string;
    private final @Nullable Lzf lzf;

    Parts(byte[] string, @Nullable Lzf lzf) {
      this.string = string;
      this.lzf = lzf;
    }

    /**
     * Goes on.
     *
     * @param most about how many bytes to decompress
     * @return whether the string is whole
     */
    public boolean run(int most) throws RdbException {
      return lzf == null || lzf.run(most);
    }

    /** Returns the string, whole once {@link #run} has said so. */
    public byte[] string() {
      return string;
    }
  }
}
