package io.keyvalueserve.resp.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.LentValue;
import io.keyvalueserve.engine.RealText;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writing side of a connection: replies become bytes that are gathered and sent together.
 *
 * <p>They are gathered in the buffer of the event loop, which is empty again after {@link #flush}
 * or {@link #discard}: one of them ends every turn in which something was written. The connection
 * itself owns no buffer. A large bulk string is handed to the network as it is, not gathered. On
 * the connection's event loop only.
 *
 * <p>It also takes values from a {@link DirectMap}: {@link #room} or {@link #lend} begins a bulk
 * string, {@link #endValue} ends it.
 */
public final class ReplyWriter implements DirectMap.ValueSink {
  /** The bytes gathered before they are handed to the network. */
  public static final int CHUNK_BYTES = 64 * 1024;

  private static final int LARGE_BYTES = 16 * 1024;

  /** Shorter messages that are written together are copied into one buffer. */
  private static final int GATHERED_BYTES = 4 * 1024;

  /** Values of so many bytes are sent from where they are kept, if they can be. */
  private static final int LENT_BYTES = 64 * 1024;

  /** The most bytes around those of a reply: a type, a number, the ends of two lines. */
  private static final int FRAME_BYTES = 32;

  private static final byte[] OK = ascii("+OK\r\n");
  private static final byte[] COLON = ascii(":");
  private static final byte[] NULL_2 = ascii("$-1\r\n");
  private static final byte[] NULL_ARRAY_2 = ascii("*-1\r\n");
  private static final byte[] NULL_3 = ascii("_\r\n");

  private final ByteBufAllocator allocator;
  private final ReplyOutlet outlet;
  private final ReplyBuffer buffer;
  private final LargeValueRoom room;
  private boolean resp3;
  private boolean isMuted;
  private long bytesSent;

  /**
   * A value that is too large to be gathered, between {@link #room} or {@link #lend} and {@link
   * #endValue}.
   */
  private @Nullable ByteBuf largeValue;

  /**
   * A writer that speaks RESP2.
   *
   * @param outlet where the bytes go
   * @param buffer the one of the connection's event loop
   * @param room is told of large replies
   */
  public ReplyWriter(
      ByteBufAllocator allocator, ReplyOutlet outlet, ReplyBuffer buffer, LargeValueRoom room) {
    this.allocator = allocator;
    this.outlet = outlet;
    this.buffer = buffer;
    this.room = room;
  }

  /** Sets whether replies are in RESP3 from here on. */
  public void speakResp3(boolean yes) {
    resp3 = yes;
  }

  /** Returns whether replies are in RESP3. */
  public boolean speaksResp3() {
    return resp3;
  }

  /**
   * Sets whether all that is written from here on is dropped. What was written before is sent.
   * Between {@link #mark} and {@link #rollBack} this must not be called.
   */
  public void mute(boolean yes) {
    sendChunk();
    isMuted = yes;
  }

  /** Returns whether all that is written is dropped. */
  public boolean isMuted() {
    return isMuted;
  }

  /** Returns the bytes that were written since the beginning, without those that were dropped. */
  public long bytesWritten() {
    return buffer.isOwnedBy(this) && !isMuted ? bytesSent + buffer.length() : bytesSent;
  }

  /** Returns the bytes that are gathered and not handed to the network yet. */
  public int bytesGathered() {
    return buffer.isOwnedBy(this) ? buffer.length() : 0;
  }

  /** Writes a reply. It is sent with the next {@link #flush}, or before. */
  public void write(Reply reply) {
    switch (reply) {
      case Reply.Status status -> line('+', status.text().getBytes(US_ASCII));
      case Reply.ErrorLine error -> line('-', oneLine(error.line()));
      case Reply.Int integer -> number(':', integer.value());
      case Reply.Bulk bulk -> bulk(bulk.bytes(), bulk.offset(), bulk.length());
      case Reply.StatusLine status -> line('+', oneLine(status.line()));
      case Reply.Verbatim verbatim -> verbatim(verbatim);
      case Reply.Null _ -> begin(NULL_2.length).put(resp3 ? NULL_3 : NULL_2);
      case Reply.NullArray _ -> begin(NULL_ARRAY_2.length).put(resp3 ? NULL_3 : NULL_ARRAY_2);
      case Reply.Array array -> aggregate('*', array.elements().size(), array.elements());
      case Reply.SetOf set -> aggregate(resp3 ? '~' : '*', set.elements().size(), set.elements());
      case Reply.MapOf map -> {
        int size = map.alternating().size();
        aggregate(resp3 ? '%' : '*', resp3 ? size / 2 : size, map.alternating());
      }
      case Reply.PairsOf pairs -> pairs(pairs.alternating());
      case Reply.Push push -> confirmation(push);
      case Reply.Several several -> several.replies().forEach(this::write);
      case Reply.Real real -> real(real.value());
      case Reply.Numeral numeral -> {
        byte[] digits = oneLine(numeral.digits());
        if (resp3) {
          line(numeral.isBig() ? '(' : ',', digits);
        } else {
          bulk(digits, 0, digits.length);
        }
      }
      case Reply.Bool bool -> {
        if (resp3) {
          line('#', ascii(bool.value() ? "t" : "f"));
        } else {
          number(':', bool.value() ? 1 : 0);
        }
      }
    }
  }

  /**
   * Writes a message that is encoded already, and releases it. A message that comes alone, or is
   * large, is sent from where it is. Messages are no replies: they are sent while those are
   * dropped.
   *
   * @param isAlone whether nothing else is written before the next {@link #flush}
   */
  public void push(ByteBuf message, boolean isAlone) {
    int length = message.readableBytes();
    if (isMuted || length >= GATHERED_BYTES || (isAlone && !hasGathered())) {
      sendChunk();
      bytesSent += length;
      outlet.write(message, null);
      return;
    }
    ReplyBuffer out = begin(length);
    out.ensure(length);
    message.readBytes(out.bytes(), out.length(), length);
    out.skip(length);
    boolean _ = message.release();
  }

  private boolean hasGathered() {
    return buffer.isOwnedBy(this) && buffer.length() > 0;
  }

  /** Sends what was written. */
  public void flush() {
    outlet.flush(takeChunk());
  }

  /** Drops what is gathered, for a turn that ended in a defect. */
  public void discard() {
    dropLargeValue();
    if (buffer.isOwnedBy(this)) {
      buffer.clear();
    }
  }

  // ---- replies whose bytes are known, which allocate nothing

  /**
   * Begins a reply that may be taken back: to be called before each of those below, unless they are
   * parts of one reply. What was gathered before is handed to the network if it is much.
   *
   * @return what {@link #rollBack} needs
   */
  public int mark() {
    buffer.own(this);
    if (buffer.length() >= CHUNK_BYTES) {
      sendChunk();
    }
    return buffer.length();
  }

  /** Takes back all that was written since the mark. */
  public void rollBack(int mark) {
    dropLargeValue();
    buffer.truncate(mark);
  }

  /** Returns the bytes that were written since the mark. */
  public int bytesSince(int mark) {
    return buffer.length() - mark;
  }

  /** {@code +OK}. */
  public void ok() {
    buffer.put(OK);
  }

  /** No value. */
  public void none() {
    buffer.put(resp3 ? NULL_3 : NULL_2);
  }

  /** An integer. */
  public void integer(long value) {
    buffer.putNumber(':', value);
  }

  /** The beginning of an array of so many replies. */
  public void array(int count) {
    buffer.putNumber('*', count);
  }

  /** A line whose bytes are ready, its end included. */
  public void line(byte[] whole) {
    buffer.put(whole);
  }

  /** Bytes that are replies already. */
  public void encoded(byte[] bytes, int length) {
    buffer.put(bytes, 0, length);
  }

  @Override
  public byte[] room(int length) {
    buffer.putNumber('$', length);
    if (length >= LARGE_BYTES) {
      ByteBuf alone = Unpooled.wrappedBuffer(new byte[length]);
      largeValue = alone;
      return alone.array();
    }
    buffer.ensure(length + 2);
    return buffer.bytes();
  }

  @Override
  public int offset() {
    return largeValue == null ? buffer.length() : 0;
  }

  @Override
  public int leastLent() {
    return LENT_BYTES;
  }

  @Override
  public void lend(LentValue value) {
    ByteBuf lent = LentBytes.of(value, allocator);
    buffer.putNumber('$', lent.readableBytes());
    largeValue = lent;
  }

  private void dropLargeValue() {
    ByteBuf begun = largeValue;
    if (begun != null) {
      largeValue = null;
      begun.release();
    }
  }

  /**
   * Returns whether the begun value is too large to be gathered. Ending it cannot be undone then.
   */
  public boolean isValueLarge() {
    return largeValue != null;
  }

  /** Ends the value that was begun, when it is in its room. */
  public void endValue(int length) {
    ByteBuf alone = largeValue;
    if (alone == null) {
      buffer.skip(length);
    } else {
      largeValue = null;
      sendChunk();
      sendLarge(alone);
    }
    buffer.putLineEnd();
  }

  /** A bulk string of bytes that are the caller's again when this returns. */
  public void copy(byte[] bytes, int offset, int length) {
    byte[] room = room(length);
    System.arraycopy(bytes, offset, room, offset(), length);
    endValue(length);
  }

  // ---- the other replies

  private void bulk(byte[] bytes, int offset, int length) {
    if (length < LARGE_BYTES) {
      ReplyBuffer out = begin(length);
      out.putNumber('$', length);
      out.put(bytes, offset, length);
      out.putLineEnd();
    } else {
      begin(0).putNumber('$', length);
      sendChunk();
      sendLarge(Unpooled.wrappedBuffer(bytes, offset, length));
      buffer.putLineEnd();
    }
  }

  private void aggregate(char type, int count, List<? extends Reply> elements) {
    number(type, count);
    for (Reply element : elements) {
      write(element);
    }
  }

  private void pairs(List<? extends Reply> alternating) {
    if (!resp3) {
      aggregate('*', alternating.size(), alternating);
      return;
    }
    number('*', alternating.size() / 2);
    for (int i = 0; i < alternating.size(); i += 2) {
      aggregate('*', 2, alternating.subList(i, i + 2));
    }
  }

  private void line(char type, byte[] text) {
    ReplyBuffer out = begin(text.length);
    out.ensure(1);
    out.bytes()[out.length()] = (byte) type;
    out.skip(1);
    out.put(text);
    out.putLineEnd();
  }

  private static byte[] oneLine(byte[] text) {
    byte[] line = text.clone();
    for (int i = 0; i < line.length; i++) {
      if (line[i] == '\r' || line[i] == '\n') {
        line[i] = ' ';
      }
    }
    return line;
  }

  private void number(char type, long value) {
    begin(0).putNumber(type, value);
  }

  private void verbatim(Reply.Verbatim verbatim) {
    byte[] text = verbatim.text();
    if (resp3) {
      byte[] format = ascii(verbatim.format());
      int length = format.length + 1 + text.length;
      ReplyBuffer out = begin(length);
      out.putNumber('=', length);
      out.put(format);
      out.put(COLON);
      out.put(text);
      out.putLineEnd();
    } else {
      bulk(text, 0, text.length);
    }
  }

  private void real(double value) {
    String text = RealText.of(value);
    if (resp3) {
      line(',', ascii(text));
    } else {
      byte[] bytes = ascii(text);
      bulk(bytes, 0, bytes.length);
    }
  }

  /** The buffer, after what is in it was handed over if so much more would make it too long. */
  private ReplyBuffer begin(int bytes) {
    buffer.own(this);
    if (buffer.length() + bytes > CHUNK_BYTES - FRAME_BYTES) {
      sendChunk();
    }
    return buffer;
  }

  /** Writes what is no reply to a command alone: Redis sends it to muted clients as well. */
  private void confirmation(Reply.Push push) {
    boolean wasMuted = isMuted;
    if (wasMuted) {
      mute(false);
    }
    aggregate(resp3 ? '>' : '*', push.elements().size(), push.elements());
    if (wasMuted) {
      mute(true);
    }
  }

  private void sendChunk() {
    ByteBuf chunk = takeChunk();
    if (chunk != null) {
      outlet.write(chunk, null);
    }
  }

  private void sendLarge(ByteBuf value) {
    if (isMuted) {
      value.release();
      return;
    }
    int length = value.readableBytes();
    bytesSent += length;
    room.replyBegun(length);
    outlet.write(
        value,
        sent -> {
          room.replySent(length);
          if (!sent.isSuccess()) {
            sent.channel().pipeline().fireExceptionCaught(sent.cause());
          }
        });
  }

  /** Takes the gathered bytes as a buffer for the network, or returns null if there are none. */
  private @Nullable ByteBuf takeChunk() {
    if (!buffer.isOwnedBy(this) || buffer.length() == 0) {
      return null;
    }
    if (isMuted) {
      buffer.clear();
      return null;
    }
    int length = buffer.length();
    ByteBuf chunk = allocator.ioBuffer(length, length);
    chunk.writeBytes(buffer.bytes(), 0, length);
    buffer.clear();
    bytesSent += length;
    return chunk;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
