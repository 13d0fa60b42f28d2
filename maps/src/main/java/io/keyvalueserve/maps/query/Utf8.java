package io.keyvalueserve.maps.query;

import io.keyvalueserve.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Text in UTF-8 that is compared as {@link String#compareTo} compares it. */
final class Utf8 {
  /** From here on, bytes begin characters whose order in UTF-16 may be another. */
  private static final int FIRST_PRIVATE = 0xEE;

  private static final int FIRST_SUPPLEMENTARY = 0xF0;

  private Utf8() {}

  /** Returns the bytes of a text; null if it has halves of characters. */
  static byte @Nullable [] of(String text) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] exact = new byte[bytes.remaining()];
      bytes.get(exact);
      return exact;
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** Compares a text in memory with another. */
  static int compare(long address, int length, byte[] other) {
    int common = Math.min(length, other.length);
    for (int i = 0; i < common; i++) {
      int left = Memory.getByte(address + i) & 0xFF;
      int right = other[i] & 0xFF;
      if (left != right) {
        return order(left, right);
      }
    }
    return length - other.length;
  }

  /** Compares a text in an array with another. */
  static int compare(byte[] bytes, int from, int to, byte[] other) {
    int common = Math.min(to - from, other.length);
    for (int i = 0; i < common; i++) {
      int left = bytes[from + i] & 0xFF;
      int right = other[i] & 0xFF;
      if (left != right) {
        return order(left, right);
      }
    }
    return to - from - other.length;
  }

  /** In UTF-16, supplementary characters come before those from U+E000 on. */
  private static int order(int left, int right) {
    boolean turned =
        left >= FIRST_PRIVATE
            && right >= FIRST_PRIVATE
            && (left >= FIRST_SUPPLEMENTARY) != (right >= FIRST_SUPPLEMENTARY);
    return turned ? right - left : left - right;
  }

  /** Returns whether a text in memory has another at an offset. */
  static boolean has(long address, int length, int offset, byte[] other) {
    return length - offset >= other.length
        && offset >= 0
        && Memory.equal(address + offset, other, 0, other.length);
  }

  /** Returns whether a text in memory contains another. */
  static boolean contains(long address, int length, byte[] other) {
    for (int i = 0; i <= length - other.length; i++) {
      if (Memory.equal(address + i, other, 0, other.length)) {
        return true;
      }
    }
    return false;
  }
}
