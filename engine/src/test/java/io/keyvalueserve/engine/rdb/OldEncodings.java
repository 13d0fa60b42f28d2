package io.keyvalueserve.engine.rdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.engine.Arithmetic;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Small writers of the strings in which Redis packs collections, and of whole payloads. They follow
 * {@code ziplist.c}, {@code listpack.c}, {@code intset.c} and {@code zipmap.c} of Redis 7.0.
 */
public final class OldEncodings {
  private OldEncodings() {}

  /** Returns a payload of a type and what follows, with a footer. */
  public static byte[] payload(int type, byte[]... parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(type);
    for (byte[] part : parts) {
      bytes.writeBytes(part);
    }
    return sealed(bytes.toByteArray());
  }

  /** Returns bytes with a footer of version 10. */
  public static byte[] sealed(byte[] body) {
    byte[] sealed = Arrays.copyOf(body, body.length + Rdb.FOOTER_BYTES);
    sealed[body.length] = Rdb.VERSION;
    return mended(sealed);
  }

  /** Returns a payload with the checksum that it has to have. */
  public static byte[] mended(byte[] payload) {
    byte[] mended = payload.clone();
    int end = mended.length - Long.BYTES;
    long crc = Crc64.update(0, mended, 0, end);
    System.arraycopy(little(crc, Long.BYTES), 0, mended, end, Long.BYTES);
    return mended;
  }

  /** Returns a length as the format has it. */
  public static byte[] length(long length) {
    RdbWriter writer = new RdbWriter(10);
    writer.length(length);
    return Arrays.copyOf(writer.array(), writer.written());
  }

  /** Returns a string as the format has it. */
  public static byte[] string(byte[] value) {
    RdbWriter writer = new RdbWriter(value.length);
    writer.string(value);
    return Arrays.copyOf(writer.array(), writer.written());
  }

  /** Returns a string whose bytes are compressed where one byte comes several times. */
  public static byte[] compressed(byte[] value) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    for (int i = 0; i < value.length; ) {
      int run = 0;
      while (i > 0 && i + run < value.length && run < 264 && value[i + run] == value[i - 1]) {
        run++;
      }
      if (run >= 9) {
        packed.write(0xe0);
        packed.write(run - 9);
        packed.write(0);
        i += run;
      } else {
        packed.write(0);
        packed.write(value[i++]);
      }
    }
    return joined(
        new byte[] {(byte) 0xc3},
        length(packed.size()),
        length(value.length),
        packed.toByteArray());
  }

  /** Returns the bytes of several arrays. */
  public static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      bytes.writeBytes(part);
    }
    return bytes.toByteArray();
  }

  /** Returns a ziplist of elements, integers as such. */
  public static byte[] ziplist(List<byte[]> elements) {
    ByteArrayOutputStream entries = new ByteArrayOutputStream();
    int last = 0;
    int lastAt = 10;
    for (byte[] element : elements) {
      lastAt = 10 + entries.size();
      byte[] content = ziplistContent(element);
      byte[] previous =
          last < 254
              ? new byte[] {(byte) last}
              : joined(new byte[] {(byte) 254}, little(last, Integer.BYTES));
      entries.writeBytes(previous);
      entries.writeBytes(content);
      last = previous.length + content.length;
    }
    return joined(
        little(11 + entries.size(), Integer.BYTES),
        little(lastAt, Integer.BYTES),
        little(Math.min(elements.size(), 0xffff), 2),
        entries.toByteArray(),
        new byte[] {(byte) 0xff});
  }

  private static byte[] ziplistContent(byte[] element) {
    Optional<Long> integer = Arithmetic.parseInteger(element);
    if (integer.isPresent()) {
      long value = integer.get();
      if (value >= 0 && value <= 12) {
        return new byte[] {(byte) (0xf1 + value)};
      }
      int width = width(value, 1, 2, 3, 4, 8);
      int encoding =
          switch (width) {
            case 1 -> 0xfe;
            case 2 -> 0xc0;
            case 3 -> 0xf0;
            case 4 -> 0xd0;
            default -> 0xe0;
          };
      return joined(new byte[] {(byte) encoding}, little(value, width));
    }
    int length = element.length;
    if (length < 64) {
      return joined(new byte[] {(byte) length}, element);
    }
    if (length < 16_384) {
      return joined(new byte[] {(byte) (0x40 | (length >> 8)), (byte) length}, element);
    }
    byte[] head = {
      (byte) 0x80, (byte) (length >> 24), (byte) (length >> 16), (byte) (length >> 8), (byte) length
    };
    return joined(head, element);
  }

  /** Returns a listpack of elements, integers as such. */
  public static byte[] listpack(List<byte[]> elements) {
    ByteArrayOutputStream entries = new ByteArrayOutputStream();
    for (byte[] element : elements) {
      byte[] content = listpackContent(element);
      entries.writeBytes(content);
      entries.writeBytes(backLength(content.length));
    }
    return joined(
        little(7 + entries.size(), Integer.BYTES),
        little(Math.min(elements.size(), 0xffff), 2),
        entries.toByteArray(),
        new byte[] {(byte) 0xff});
  }

  private static byte[] listpackContent(byte[] element) {
    Optional<Long> integer = Arithmetic.parseInteger(element);
    if (integer.isPresent()) {
      long value = integer.get();
      if (value >= 0 && value <= 127) {
        return new byte[] {(byte) value};
      }
      if (value >= -4096 && value <= 4095) {
        return new byte[] {(byte) (0xc0 | ((value >> 8) & 0x1f)), (byte) value};
      }
      int width = width(value, 2, 3, 4, 8);
      int encoding = width == 8 ? 0xf4 : 0xf1 + width - 2;
      return joined(new byte[] {(byte) encoding}, little(value, width));
    }
    int length = element.length;
    if (length < 64) {
      return joined(new byte[] {(byte) (0x80 | length)}, element);
    }
    if (length < 4096) {
      return joined(new byte[] {(byte) (0xe0 | (length >> 8)), (byte) length}, element);
    }
    return joined(new byte[] {(byte) 0xf0}, little(length, Integer.BYTES), element);
  }

  private static byte[] backLength(int length) {
    int bytes =
        length <= 127
            ? 1
            : length < 16_383 ? 2 : length < 2_097_151 ? 3 : length < 268_435_455 ? 4 : 5;
    byte[] back = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      int bits = (length >> ((bytes - 1 - i) * 7)) & 0x7f;
      back[i] = (byte) (i == 0 ? bits : bits | 0x80);
    }
    return back;
  }

  /** Returns an intset of integers in ascending order. */
  public static byte[] intset(long... values) {
    int width = 2;
    for (long value : values) {
      width = Math.max(width, width(value, 2, 4, 8));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(little(width, Integer.BYTES));
    bytes.writeBytes(little(values.length, Integer.BYTES));
    for (long value : values) {
      bytes.writeBytes(little(value, width));
    }
    return bytes.toByteArray();
  }

  /**
   * Returns a zipmap of names and values.
   *
   * @param unused bytes behind each value
   */
  public static byte[] zipmap(List<byte[]> namesAndValues, int unused) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Math.min(namesAndValues.size() / 2, 254));
    for (int i = 0; i < namesAndValues.size(); i++) {
      byte[] part = namesAndValues.get(i);
      if (part.length < 254) {
        bytes.write(part.length);
      } else {
        bytes.write(254);
        bytes.writeBytes(little(part.length, Integer.BYTES));
      }
      boolean isValue = i % 2 == 1;
      if (isValue) {
        bytes.write(unused);
      }
      bytes.writeBytes(part);
      bytes.writeBytes(new byte[isValue ? unused : 0]);
    }
    bytes.write(0xff);
    return bytes.toByteArray();
  }

  /** Returns a score as text behind its length. */
  public static byte[] textScore(String score) {
    byte[] text = score.getBytes(US_ASCII);
    return joined(new byte[] {(byte) text.length}, text);
  }

  /** Returns an integer, the lowest byte first. */
  public static byte[] little(long value, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (value >> (i * Byte.SIZE));
    }
    return bytes;
  }

  private static int width(long value, int... widths) {
    for (int width : widths) {
      int shift = Long.SIZE - width * Byte.SIZE;
      if (value << shift >> shift == value) {
        return width;
      }
    }
    return Long.BYTES;
  }
}
