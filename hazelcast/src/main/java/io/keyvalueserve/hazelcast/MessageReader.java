package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessage.Frame;
import com.hazelcast.internal.nio.Bits;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a message, however many pieces it comes in. What a frame says of its length is believed as
 * far as a mebibyte: beyond that there is memory for it as its bytes come. Hazelcast's own reader
 * takes all at once, and a client that has authenticated may name any length.
 *
 * <p>For the thread that reads a connection.
 */
final class MessageReader {
  private static final int HEAD_BYTES = ClientMessage.SIZE_OF_FRAME_LENGTH_AND_FLAGS;
  private static final int BELIEVED_BYTES = 1 << 20;
  private static final int GROWTH = 4;

  /** The bytes that a frame takes besides its content. */
  private static final int FRAME_BYTES = 64;

  private static final byte[] NOTHING = {};

  private final long mostSent;
  private final long mostBytes;
  private final LongConsumer growing;
  private @Nullable ClientMessage message;
  private long sent;
  private long bytes;

  // Of the frame that has come in part.
  private boolean isInFrame;
  private int flags;
  private int length;
  private int come;
  private byte[] content = NOTHING;

  /**
   * @param mostSent how many bytes a message may have as it is sent
   * @param mostBytes how much memory it may take
   * @param growing is told how much memory the message is about to take, before more than a
   *     mebibyte is taken for a frame; may throw an exception, which ends the message
   */
  MessageReader(long mostSent, long mostBytes, LongConsumer growing) {
    this.mostSent = mostSent;
    this.mostBytes = mostBytes;
    this.growing = growing;
  }

  /** Returns the bytes of memory that are held for the part of the message that has come. */
  long bytes() {
    return bytes;
  }

  /**
   * Reads on.
   *
   * @return the message, once it is complete; null if the source ends before that
   * @throws IllegalStateException if it is no message, or too long
   */
  @Nullable ClientMessage read(ByteBuffer source) {
    while (isInFrame || begin(source)) {
      if (!fill(source)) {
        return null;
      }
      Frame frame = new Frame(content, flags);
      content = NOTHING;
      isInFrame = false;
      ClientMessage known = message;
      if (known == null) {
        known = ClientMessage.createForDecode(frame);
        message = known;
      } else {
        known.add(frame);
      }
      if (ClientMessage.isFlagSet(flags, ClientMessage.IS_FINAL_FLAG)) {
        return known;
      }
    }
    return null;
  }

  private boolean begin(ByteBuffer source) {
    if (source.remaining() < HEAD_BYTES) {
      return false;
    }
    int frame = Bits.readIntL(source, source.position());
    if (frame < HEAD_BYTES) {
      throw new IllegalStateException("a frame of " + frame + " bytes: it has 6 at least");
    }
    flags = Bits.readShortL(source, source.position() + Integer.BYTES) & 0xffff;
    source.position(source.position() + HEAD_BYTES);
    length = frame - HEAD_BYTES;
    come = 0;
    sent += frame;
    bytes += FRAME_BYTES;
    if (sent > mostSent || bytes + length > mostBytes) {
      throw new IllegalStateException(
          "a message that is too long: most bytes="
              + Math.min(mostSent, mostBytes)
              + "; send less in one request");
    }
    content = NOTHING;
    grow(Math.min(length, BELIEVED_BYTES));
    isInFrame = true;
    return true;
  }

  private void grow(int capacity) {
    if (capacity > 0) {
      bytes += capacity - content.length;
      if (capacity > BELIEVED_BYTES) {
        growing.accept(bytes);
      }
      content = Arrays.copyOf(content, capacity);
    }
  }

  /** Returns whether the frame is complete. */
  private boolean fill(ByteBuffer source) {
    while (come < length) {
      if (!source.hasRemaining()) {
        return false;
      }
      if (come == content.length) {
        grow((int) Math.min(length, (long) GROWTH * content.length));
      }
      int some = Math.min(source.remaining(), content.length - come);
      source.get(content, come, some);
      come += some;
    }
    return true;
  }
}
