package io.keyvalueserve.hazelcast;

import static io.keyvalueserve.hazelcast.FrameLayout.HEADER_BYTES;

import com.hazelcast.client.impl.protocol.codec.MapContainsKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutCodec;
import com.hazelcast.client.impl.protocol.codec.MapSetCodec;

/**
 * A request that may be answered on the spot, read where it lies: offsets into the bytes that came
 * from a socket. Used again and again; of one thread at a time.
 */
final class DirectRequest {
  /** The forms that bytes can have. */
  enum Form {
    /** A whole request, ready to be answered. */
    WHOLE,
    /** The beginning of something; more bytes will tell. */
    INCOMPLETE,
    /** Something else, or in a form that is not quite the usual one. */
    OTHER
  }

  static final int GET = MapGetCodec.REQUEST_MESSAGE_TYPE;
  static final int CONTAINS = MapContainsKeyCodec.REQUEST_MESSAGE_TYPE;
  static final int GET_ALL = MapGetAllCodec.REQUEST_MESSAGE_TYPE;
  static final int PUT = MapPutCodec.REQUEST_MESSAGE_TYPE;
  static final int SET = MapSetCodec.REQUEST_MESSAGE_TYPE;

  /** Clients say so when the caller gave no time to live. */
  private static final long NO_TIME_TO_LIVE = -1;

  private byte[] bytes = new byte[0];
  private int limit;
  private int begin;
  private int at;
  private int type;
  private int nameOffset;
  private int nameLength;
  private int keyOffset;
  private int keyLength;
  private int valueOffset;
  private int valueLength;
  private int keyCount;
  private int firstKey;
  private int frameOffset;

  /** Returns the number of operations that the request counts for. */
  int operations() {
    return type == GET_ALL ? Math.max(1, keyCount) : 1;
  }

  /** Returns whether the request stores a value. */
  boolean isWrite() {
    return type == PUT || type == SET;
  }

  /** Returns the length of the request in bytes. */
  int length() {
    return end() - begin;
  }

  /**
   * Looks at the bytes from {@code start} to {@code limit}. Trusts nothing they say.
   *
   * @param start where a message begins
   */
  Form parse(byte[] bytes, int start, int limit) {
    this.bytes = bytes;
    this.begin = start;
    this.at = start;
    this.limit = limit;
    if (limit - start < HEADER_BYTES) {
      return Form.INCOMPLETE;
    }
    int content = FrameLayout.lengthAt(bytes, start) - HEADER_BYTES;
    int flags = FrameLayout.flagsAt(bytes, start);
    boolean unfragmented = (flags & FrameLayout.UNFRAGMENTED) == FrameLayout.UNFRAGMENTED;
    if (content < FrameLayout.MANY_KEYS_BYTES
        || content > FrameLayout.WRITE_BYTES
        || !unfragmented
        || (flags & FrameLayout.FINAL) != 0) {
      return Form.OTHER;
    }
    if (limit - start < HEADER_BYTES + content) {
      return Form.INCOMPLETE;
    }
    at = start + HEADER_BYTES + content;
    type = FrameLayout.intAt(bytes, field(FrameLayout.TYPE));
    if (type == GET || type == CONTAINS) {
      return content == FrameLayout.ONE_KEY_BYTES ? key(FrameLayout.FINAL) : Form.OTHER;
    }
    if (type == PUT || type == SET) {
      return content == FrameLayout.WRITE_BYTES
              && FrameLayout.longAt(bytes, field(FrameLayout.TIME_TO_LIVE)) == NO_TIME_TO_LIVE
          ? keyAndValue()
          : Form.OTHER;
    }
    return type == GET_ALL && content == FrameLayout.MANY_KEYS_BYTES ? keys() : Form.OTHER;
  }

  private int field(int offset) {
    return begin + HEADER_BYTES + offset;
  }

  private Form key(int flags) {
    Form name = frame(0);
    if (name != Form.WHOLE) {
      return name;
    }
    nameOffset = contentOffset();
    nameLength = contentLength();
    Form key = data(flags);
    if (key == Form.WHOLE) {
      keyOffset = contentOffset();
      keyLength = contentLength();
    }
    return key;
  }

  private Form keyAndValue() {
    Form key = key(0);
    if (key != Form.WHOLE) {
      return key;
    }
    Form value = data(FrameLayout.FINAL);
    if (value == Form.WHOLE) {
      valueOffset = contentOffset();
      valueLength = contentLength();
    }
    return value;
  }

  /** {@code name BEGIN key* END}. */
  private Form keys() {
    Form name = frame(0);
    if (name != Form.WHOLE) {
      return name;
    }
    nameOffset = contentOffset();
    nameLength = contentLength();
    Form begin = frame(FrameLayout.BEGIN);
    if (begin != Form.WHOLE) {
      return begin;
    }
    firstKey = at;
    keyCount = 0;
    while (limit - at < HEADER_BYTES || FrameLayout.flagsAt(bytes, at) == 0) {
      Form key = data(0);
      if (key != Form.WHOLE) {
        return key;
      }
      keyCount++;
    }
    return frame(FrameLayout.END | FrameLayout.FINAL);
  }

  private Form data(int flags) {
    Form form = frame(flags);
    if (form != Form.WHOLE) {
      return form;
    }
    return contentLength() >= FrameLayout.DATA_HEAD_BYTES
            && FrameLayout.intAt(bytes, contentOffset() + FrameLayout.DATA_TYPE) != 0 // null's type
        ? Form.WHOLE
        : Form.OTHER;
  }

  private int contentOffset() {
    return frameOffset + HEADER_BYTES;
  }

  private int contentLength() {
    return at - frameOffset - HEADER_BYTES;
  }

  /** Steps over a frame that has exactly these flags. */
  private Form frame(int flags) {
    int left = limit - at;
    if (left < HEADER_BYTES) {
      return Form.INCOMPLETE;
    }
    int length = FrameLayout.lengthAt(bytes, at);
    if (length < HEADER_BYTES || FrameLayout.flagsAt(bytes, at) != flags) {
      return Form.OTHER;
    }
    if (left < length) {
      return Form.INCOMPLETE;
    }
    frameOffset = at;
    at += length;
    return Form.WHOLE;
  }

  /** Goes to the first key of a request for many, if it has any. */
  void firstKey() {
    keyAt(firstKey);
  }

  /** Goes to the next of as many keys as there are. */
  void nextKey() {
    keyAt(keyOffset + keyLength);
  }

  private void keyAt(int keyFrame) {
    keyOffset = keyFrame + HEADER_BYTES;
    keyLength = FrameLayout.lengthAt(bytes, keyFrame) - HEADER_BYTES;
  }

  /** The bytes that the offsets are in. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns the offset at which the message ends. */
  int end() {
    return at;
  }

  int type() {
    return type;
  }

  /** Returns what is known of requests of its type. */
  MessageDescriptor descriptor() {
    return MessageTable.get(type);
  }

  long correlation() {
    return FrameLayout.longAt(bytes, field(FrameLayout.CORRELATION));
  }

  /** Returns the partition that the client takes for the key's. */
  int partition() {
    return FrameLayout.intAt(bytes, field(FrameLayout.PARTITION));
  }

  int nameOffset() {
    return nameOffset;
  }

  int nameLength() {
    return nameLength;
  }

  int keyOffset() {
    return keyOffset;
  }

  int keyLength() {
    return keyLength;
  }

  int valueOffset() {
    return valueOffset;
  }

  int valueLength() {
    return valueLength;
  }

  /** Returns the number of keys of a request for many. */
  int keyCount() {
    return keyCount;
  }
}
