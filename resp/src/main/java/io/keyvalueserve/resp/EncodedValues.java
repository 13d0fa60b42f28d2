package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.resp.protocol.ReplyWriter;

/**
 * Values as the bulk strings that a client will get, put there by the map that has them. One
 * thread.
 */
final class EncodedValues implements DirectMap.ValueSink {
  private static final byte[] NULL_2 = "$-1\r\n".getBytes(US_ASCII);
  private static final byte[] NULL_3 = "_\r\n".getBytes(US_ASCII);

  private final byte[] none;
  private final EncodedReplies kept;

  /** The offset of the value that was begun last. */
  private int offset;

  /**
   * @param resp3 whether the client speaks it
   * @param free of the event loop
   */
  EncodedValues(boolean resp3, ReplyChunks free) {
    this.kept = new EncodedReplies(free);
    this.none = resp3 ? NULL_3 : NULL_2;
  }

  @Override
  public byte[] room(int length) {
    kept.ensure(EncodedReplies.frameBytes(length) + length);
    byte[] to = kept.array();
    offset = EncodedReplies.putHead(to, kept.length(), length);
    return to;
  }

  @Override
  public int offset() {
    return offset;
  }

  /** Keeps the value that is in its room. */
  void keep(int length) {
    int end = EncodedReplies.putLineEnd(kept.array(), offset + length);
    kept.keep(end - kept.length());
  }

  /** Keeps that there is none. */
  void keepNone() {
    kept.add(none, none.length);
  }

  /** Keeps a value. */
  void keep(byte[] value) {
    byte[] to = room(value.length);
    System.arraycopy(value, 0, to, offset, value.length);
    keep(value.length);
  }

  /** Returns the bytes that they take on their way. */
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
