package io.keyvalueserve.hazelcast;

import com.hazelcast.internal.networking.OutboundFrame;
import io.keyvalueserve.maps.LocalMap;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Answers to requests of one connection, encoded one behind the other, that go out together.
 *
 * <p>A thread that reads fills one, seals it and hands it to its connection; from then on it
 * belongs to who writes, until {@link #isWritten}. If that is at once, as it mostly is, the reader
 * takes it for the next answers; if not, the reader leaves it and makes another.
 */
final class ReplyFrame implements OutboundFrame, LocalMap.DataSink {
  private static final int FIRST_BYTES = 8 << 10;

  /** A buffer that one large value made larger than this is not kept. */
  private static final int MOST_KEPT_BYTES = 256 << 10;

  private byte[] bytes = new byte[FIRST_BYTES];

  /** The offset at which the answers end that are whole. */
  private int length;

  /** The offset at which the frames end that were begun. */
  private int at;

  private int lastFrame;
  private int position;
  private volatile boolean written;

  /** Begins an answer. */
  void begin(int type, int contentBytes, long correlation) {
    at = length;
    int content = frame(contentBytes, FrameLayout.UNFRAGMENTED);
    FrameLayout.putInt(bytes, content + FrameLayout.TYPE, type);
    FrameLayout.putLong(bytes, content + FrameLayout.CORRELATION, correlation);
    bytes[content + FrameLayout.ACKS] = 0;
  }

  /** The content of the answer's first frame; see {@link FrameLayout}. */
  void put(int offset, byte value) {
    bytes[length + FrameLayout.HEADER_BYTES + offset] = value;
  }

  /** Adds a frame without content. */
  void marker(int flags) {
    int _ = frame(0, flags);
  }

  /** Adds a frame with a copy. */
  void data(byte[] source, int offset, int dataLength) {
    int content = frame(dataLength, 0);
    System.arraycopy(source, offset, bytes, content, dataLength);
  }

  /** Adds the frame whose content is where {@link #room} made room for it. */
  void data(int dataLength) {
    int _ = frame(dataLength, 0);
  }

  @Override
  public byte[] room(int dataLength) {
    ensure(FrameLayout.HEADER_BYTES + dataLength);
    return bytes;
  }

  @Override
  public int offset() {
    return at + FrameLayout.HEADER_BYTES;
  }

  /** Returns how far the answer has come, for {@link #backTo}. */
  int mark() {
    return at;
  }

  /** Takes back the frames added since. One must be left to follow. */
  void backTo(int mark) {
    at = mark;
  }

  /** The answer is whole. */
  void end() {
    int content = FrameLayout.lengthAt(bytes, lastFrame) - FrameLayout.HEADER_BYTES;
    int flags = FrameLayout.flagsAt(bytes, lastFrame);
    FrameLayout.putHeader(bytes, lastFrame, content, flags | FrameLayout.FINAL);
    length = at;
  }

  private int frame(int contentLength, int flags) {
    ensure(FrameLayout.HEADER_BYTES + contentLength);
    FrameLayout.putHeader(bytes, at, contentLength, flags);
    lastFrame = at;
    int content = at + FrameLayout.HEADER_BYTES;
    at = content + contentLength;
    return content;
  }

  private void ensure(int more) {
    int needed = Math.addExact(at, more);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, needed * 2L));
    }
  }

  boolean isEmpty() {
    return length == 0;
  }

  @Override
  public int getFrameLength() {
    return length;
  }

  @Override
  public boolean isUrgent() {
    return false;
  }

  /** Returns how many bytes it has room for. */
  int capacity() {
    return bytes.length;
  }

  /** Empties it, for the next answers. */
  void clear() {
    length = 0;
    position = 0;
    written = false;
    if (bytes.length > MOST_KEPT_BYTES) {
      bytes = new byte[FIRST_BYTES];
    }
  }

  /** Returns the number of bytes that are yet to be written. */
  int remaining() {
    return length - position;
  }

  /** Writes as much as there is room for. */
  void writeTo(ByteBuffer target) {
    int count = Math.min(target.remaining(), remaining());
    target.put(bytes, position, count);
    position += count;
  }

  /** Gives it back: all was written. The last that the writer does with it. */
  void giveBack() {
    written = true;
  }

  /** Returns whether the frame was written and given back. */
  boolean isWritten() {
    return written;
  }
}
