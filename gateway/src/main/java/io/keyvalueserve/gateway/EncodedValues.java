package io.keyvalueserve.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.gateway.protocol.ReplyWriter;

/**
 * Values as the bulk strings that a client will get, put there by the map that has them. One
 * thread.
 */
final class EncodedValues implements DirectMap.ValueSink {
  private static final byte[] NULL_2 = "$-1\r\n".getBytes(US_ASCII);
  private static final byte[] NULL_3 = "_\r\n".getBytes(US_ASCII);
  private static final int LINE_END = 2;

  private final byte[] none;
  private final EncodedReplies kept = new EncodedReplies();

  /** How long what is before the value is that was begun last. */
  private int headBytes;

  /**
   * @param resp3 whether the client speaks it
   */
  EncodedValues(boolean resp3) {
    this.none = resp3 ? NULL_3 : NULL_2;
  }

  @Override
  public byte[] room(int length) {
    int digits = digits(length);
    headBytes = 1 + digits + LINE_END;
    kept.ensure(headBytes + length + LINE_END);
    byte[] to = kept.array();
    int at = kept.length();
    to[at] = '$';
    int rest = length;
    for (int i = at + digits; i > at; i--) {
      to[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    endLine(to, at + 1 + digits);
    return to;
  }

  @Override
  public int offset() {
    return kept.length() + headBytes;
  }

  /** Keeps the value that is in its room. */
  void keep(int length) {
    endLine(kept.array(), offset() + length);
    kept.keep(headBytes + length + LINE_END);
  }

  /** Keeps that there is none. */
  void keepNone() {
    kept.add(none, none.length);
  }

  /** Keeps a value. */
  void keep(byte[] value) {
    byte[] to = room(value.length);
    System.arraycopy(value, 0, to, offset(), value.length);
    keep(value.length);
  }

  private static int digits(int length) {
    int digits = 1;
    for (int rest = length; rest >= 10; rest /= 10) {
      digits++;
    }
    return digits;
  }

  private static void endLine(byte[] to, int at) {
    to[at] = '\r';
    to[at + 1] = '\n';
  }

  /** How many bytes they are on their way. */
  long bytes() {
    return kept.bytes();
  }

  /**
   * Writes some of them, and forgets them.
   *
   * @return whether there are more
   */
  boolean writeNext(ReplyWriter writer) {
    return kept.writeNext(writer);
  }
}
