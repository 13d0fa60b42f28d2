package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.internal.networking.OutboundFrame;
import io.keyvalueserve.maps.query.RowChunks.Chunk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer to a query as bytes: a list of keys, of values, or of both in turn, each a frame. Made
 * by one thread, and then written by another.
 */
final class RowsReply implements OutboundFrame {
  private final ClientMessage head;
  private final List<Chunk> chunks;
  private final long length;
  private int chunk;
  private int position;

  /**
   * @param type of the answer
   * @param rows frames, one behind the other
   */
  RowsReply(int type, long correlation, List<Chunk> rows) {
    this.head = head(type, correlation);
    this.chunks = new ArrayList<>(rows.size() + 2);
    chunks.add(begin(type, correlation));
    chunks.addAll(rows);
    chunks.add(end());
    this.length = chunks.stream().mapToLong(Chunk::length).sum();
  }

  private static ClientMessage head(int type, long correlation) {
    ClientMessage message = ClientMessage.createForEncode();
    message.add(
        new ClientMessage.Frame(
            new byte[FrameLayout.ANSWER_BYTES], ClientMessage.UNFRAGMENTED_MESSAGE));
    message.setMessageType(type);
    message.setCorrelationId(correlation);
    return message;
  }

  private static Chunk begin(int type, long correlation) {
    byte[] bytes = new byte[2 * FrameLayout.HEADER_BYTES + FrameLayout.ANSWER_BYTES];
    FrameLayout.putHeader(bytes, 0, FrameLayout.ANSWER_BYTES, FrameLayout.UNFRAGMENTED);
    FrameLayout.putInt(bytes, FrameLayout.HEADER_BYTES + FrameLayout.TYPE, type);
    FrameLayout.putLong(bytes, FrameLayout.HEADER_BYTES + FrameLayout.CORRELATION, correlation);
    FrameLayout.putHeader(
        bytes, FrameLayout.HEADER_BYTES + FrameLayout.ANSWER_BYTES, 0, FrameLayout.BEGIN);
    return new Chunk(bytes, bytes.length);
  }

  private static Chunk end() {
    byte[] bytes = new byte[FrameLayout.HEADER_BYTES];
    FrameLayout.putHeader(bytes, 0, 0, FrameLayout.END | FrameLayout.FINAL);
    return new Chunk(bytes, bytes.length);
  }

  /** Returns the answer's first frame, which names the request. */
  ClientMessage head() {
    return head;
  }

  @Override
  public int getFrameLength() {
    return (int) Math.min(Integer.MAX_VALUE, length);
  }

  @Override
  public boolean isUrgent() {
    return false;
  }

  /** Writes as much as there is room for. Returns whether that is all. */
  boolean writeTo(ByteBuffer target) {
    while (chunk < chunks.size()) {
      Chunk current = chunks.get(chunk);
      int count = Math.min(target.remaining(), current.length() - position);
      target.put(current.bytes(), position, count);
      position += count;
      if (position < current.length()) {
        return false;
      }
      chunk++;
      position = 0;
    }
    return true;
  }
}
