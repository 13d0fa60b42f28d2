package io.keyvalueserve.resp.channel;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import org.jspecify.annotations.Nullable;

/**
 * A message as its subscribers receive it. It is encoded once for each version of the protocol, by
 * the first event loop that needs it, and all subscribers share the bytes. Reference-counted;
 * thread-safe.
 */
public final class Message extends AbstractReferenceCounted {
  private static final byte[] LINE_END = {'\r', '\n'};

  /** The bytes around each part: a type, a number of ten digits, two ends of lines. */
  private static final int FRAME_BYTES = 15;

  private final byte[][] parts;
  private final int size;
  private final boolean endsWithNumber;
  private volatile @Nullable ByteBuf resp2;
  private volatile @Nullable ByteBuf resp3;

  private Message(byte[]... parts) {
    this(false, parts);
  }

  private Message(boolean endsWithNumber, byte[]... parts) {
    this.endsWithNumber = endsWithNumber;
    this.parts = parts;
    int bytes = FRAME_BYTES;
    for (byte[] part : parts) {
      bytes += part.length + FRAME_BYTES;
    }
    this.size = bytes;
  }

  /** A message to the subscribers of a channel. */
  static Message of(boolean sharded, byte[] channel, byte[] payload) {
    return new Message((sharded ? "smessage" : "message").getBytes(US_ASCII), channel, payload);
  }

  /** A message to the subscribers of a pattern. */
  static Message of(byte[] pattern, byte[] channel, byte[] payload) {
    return new Message("pmessage".getBytes(US_ASCII), pattern, channel, payload);
  }

  /** Tells a client that a subscription has ended. The last part is a number. */
  public static Message ended(String action, byte[] name, int count) {
    return new Message(
        true, action.getBytes(US_ASCII), name, Integer.toString(count).getBytes(US_ASCII));
  }

  /** Returns about how many bytes it takes. */
  public int size() {
    return size;
  }

  /** Returns the encoded message, which the caller has to release. */
  public ByteBuf encoded(boolean isResp3) {
    ByteBuf known = isResp3 ? resp3 : resp2;
    return (known == null ? encodeOnce(isResp3) : known).retainedDuplicate();
  }

  private synchronized ByteBuf encodeOnce(boolean isResp3) {
    ByteBuf known = isResp3 ? resp3 : resp2;
    if (known == null) {
      known = encode(isResp3 ? '>' : '*');
      if (isResp3) {
        resp3 = known;
      } else {
        resp2 = known;
      }
    }
    return known;
  }

  private ByteBuf encode(char type) {
    ByteBuf out = ByteBufAllocator.DEFAULT.directBuffer(size, size);
    number(out, type, parts.length);
    for (int i = 0; i < parts.length; i++) {
      byte[] part = parts[i];
      if (endsWithNumber && i == parts.length - 1) {
        out.writeByte(':').writeBytes(part).writeBytes(LINE_END);
        continue;
      }
      number(out, '$', part.length);
      out.writeBytes(part).writeBytes(LINE_END);
    }
    return out;
  }

  private static void number(ByteBuf out, char type, int value) {
    out.writeByte(type).writeBytes(Integer.toString(value).getBytes(US_ASCII)).writeBytes(LINE_END);
  }

  @Override
  protected void deallocate() {
    ByteBuf first = resp2;
    if (first != null) {
      boolean _ = first.release();
    }
    ByteBuf second = resp3;
    if (second != null) {
      boolean _ = second.release();
    }
  }

  @Override
  public Message retain() {
    super.retain();
    return this;
  }

  @Override
  public ReferenceCounted touch(Object hint) {
    return this;
  }
}
