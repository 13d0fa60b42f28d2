package io.keyvalueserve.resp.protocol;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The buffer in which the replies of one event loop are gathered before they go to the network.
 *
 * <p>The connections of the loop share it, one turn each: who writes owns it, and it must be empty
 * when another one begins, so that no byte of one connection can reach another. One thread.
 */
public final class ReplyBuffer {
  private static final int FIRST_BYTES = 16 * 1024;
  private static final int LONGEST_NUMBER = 20;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;
  private @Nullable ReplyWriter owner;

  /** An empty one. */
  public ReplyBuffer() {}

  /**
   * Says who writes from here on.
   *
   * @throws IllegalStateException if somebody else's replies are still in it; they are dropped
   */
  void own(ReplyWriter writer) {
    if (owner != writer) {
      owner = writer;
      if (length > 0) {
        clear();
        throw new IllegalStateException("a connection left replies behind that were not sent");
      }
    }
  }

  boolean isOwnedBy(ReplyWriter writer) {
    return owner == writer;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  void clear() {
    length = 0;
  }

  /** Takes back what was written after a moment when the length was this. */
  void truncate(int toLength) {
    length = toLength;
  }

  /** Makes room for so many bytes more. */
  void ensure(int count) {
    if (length + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
    }
  }

  /** Counts bytes as written that were put in the array behind the length. */
  void skip(int count) {
    length += count;
  }

  void put(byte[] source) {
    put(source, 0, source.length);
  }

  void put(byte[] source, int offset, int count) {
    ensure(count);
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }

  /** Writes a type, a number, and the end of the line. */
  void putNumber(char type, long value) {
    ensure(LONGEST_NUMBER + 3);
    byte[] to = bytes;
    int at = length;
    to[at++] = (byte) type;
    if (value >= 0 && value < 10) {
      to[at++] = (byte) ('0' + value);
    } else if (value == Long.MIN_VALUE) {
      byte[] digits = Long.toString(value).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
      System.arraycopy(digits, 0, to, at, digits.length);
      at += digits.length;
    } else {
      long rest = value;
      if (rest < 0) {
        to[at++] = '-';
        rest = -rest;
      }
      at += digitCount(rest);
      int end = at;
      while (rest > Integer.MAX_VALUE) {
        to[--end] = (byte) ('0' + rest % 10);
        rest /= 10;
      }
      int small = (int) rest;
      do {
        to[--end] = (byte) ('0' + small % 10);
        small /= 10;
      } while (small > 0);
    }
    to[at] = '\r';
    to[at + 1] = '\n';
    length = at + 2;
  }

  void putLineEnd() {
    ensure(2);
    bytes[length] = '\r';
    bytes[length + 1] = '\n';
    length += 2;
  }

  private static int digitCount(long positive) {
    int count = 1;
    long bound = 10;
    while (positive >= bound) {
      count++;
      if (count == 19) {
        return count;
      }
      bound *= 10;
    }
    return count;
  }
}
