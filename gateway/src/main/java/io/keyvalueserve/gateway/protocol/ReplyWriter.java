package io.keyvalueserve.gateway.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writing side of a connection: replies become bytes that are gathered and sent together.
 *
 * <p>Between two flushes it owns one buffer at most, and none when there is nothing to send. A
 * large bulk string is handed to the network as it is, not gathered. On the connection's event loop
 * only.
 */
public final class ReplyWriter {
  private static final int FIRST_BYTES = 256;
  private static final int CHUNK_BYTES = 64 * 1024;
  private static final int LARGE_BYTES = 16 * 1024;
  private static final int LONGEST_NUMBER = 20;

  private final ChannelHandlerContext context;
  private @Nullable ByteBuf chunk;
  private boolean resp3;
  private long bytesWritten;
  private long bytesFlushed;

  /** A writer that speaks RESP2. */
  public ReplyWriter(ChannelHandlerContext context) {
    this.context = context;
  }

  /** Whether to speak RESP3 from here on. */
  public void speakResp3(boolean yes) {
    resp3 = yes;
  }

  /** Whether it speaks RESP3. */
  public boolean speaksResp3() {
    return resp3;
  }

  /** How many bytes were written since the beginning. */
  public long bytesWritten() {
    return bytesWritten;
  }

  /** Writes a reply. It is sent with the next {@link #flush}, or before. */
  public void write(Reply reply) {
    switch (reply) {
      case Reply.Status status -> line('+', status.text());
      case Reply.ErrorLine error -> error(error.line());
      case Reply.Int integer -> number(':', integer.value());
      case Reply.Bulk bulk -> bulk(bulk.bytes(), bulk.offset(), bulk.length());
      case Reply.Verbatim verbatim -> verbatim(verbatim.text());
      case Reply.Null _ -> line(resp3 ? '_' : '$', resp3 ? "" : "-1");
      case Reply.Array array -> aggregate('*', array.elements().size(), array.elements());
      case Reply.SetOf set -> aggregate(resp3 ? '~' : '*', set.elements().size(), set.elements());
      case Reply.MapOf map -> {
        int size = map.alternating().size();
        aggregate(resp3 ? '%' : '*', resp3 ? size / 2 : size, map.alternating());
      }
      case Reply.Push push -> aggregate(resp3 ? '>' : '*', push.elements().size(), push.elements());
      case Reply.Real real -> real(real.value());
      case Reply.Bool bool -> {
        if (resp3) {
          line('#', bool.value() ? "t" : "f");
        } else {
          number(':', bool.value() ? 1 : 0);
        }
      }
    }
  }

  /** Sends what was written. */
  public void flush() {
    if (bytesWritten > bytesFlushed) {
      bytesFlushed = bytesWritten;
      sendChunk();
      context.flush();
    }
  }

  /** Gives the buffer back, for a connection that is gone. */
  public void release() {
    ByteBuf unsent = chunk;
    if (unsent != null) {
      chunk = null;
      unsent.release();
    }
  }

  private void aggregate(char type, int count, List<? extends Reply> elements) {
    number(type, count);
    for (Reply element : elements) {
      write(element);
    }
  }

  private void line(char type, String ascii) {
    int length = ascii.length();
    ByteBuf out = room(length + 3);
    out.writeByte(type);
    out.writeCharSequence(ascii, US_ASCII);
    ByteBufUtil.writeShortBE(out, '\r' << 8 | '\n');
    bytesWritten += length + 3;
  }

  private void error(byte[] text) {
    ByteBuf out = room(text.length + 3);
    out.writeByte('-');
    for (byte b : text) {
      out.writeByte(b == '\r' || b == '\n' ? ' ' : b);
    }
    ByteBufUtil.writeShortBE(out, '\r' << 8 | '\n');
    bytesWritten += text.length + 3;
  }

  private void number(char type, long value) {
    ByteBuf out = room(LONGEST_NUMBER + 3);
    int before = out.writerIndex();
    out.writeByte(type);
    digits(out, value);
    ByteBufUtil.writeShortBE(out, '\r' << 8 | '\n');
    bytesWritten += out.writerIndex() - before;
  }

  private void bulk(byte[] bytes, int offset, int length) {
    number('$', length);
    if (length < LARGE_BYTES) {
      room(length).writeBytes(bytes, offset, length);
    } else {
      sendChunk();
      send(Unpooled.wrappedBuffer(bytes, offset, length));
    }
    ByteBufUtil.writeShortBE(room(2), '\r' << 8 | '\n');
    bytesWritten += length + 2;
  }

  private void verbatim(String text) {
    byte[] bytes = (resp3 ? "txt:" + text : text).getBytes(UTF_8);
    if (resp3) {
      number('=', bytes.length);
      room(bytes.length + 2).writeBytes(bytes).writeByte('\r').writeByte('\n');
      bytesWritten += bytes.length + 2;
    } else {
      bulk(bytes, 0, bytes.length);
    }
  }

  private void real(double value) {
    String text;
    if (Double.isInfinite(value)) {
      text = value > 0 ? "inf" : "-inf";
    } else if (Double.isNaN(value)) {
      text = "nan";
    } else {
      text =
          value == Math.rint(value) && Math.abs(value) < 1e17
              ? Long.toString((long) value)
              : Double.toString(value);
    }
    if (resp3) {
      line(',', text);
    } else {
      byte[] bytes = text.getBytes(US_ASCII);
      bulk(bytes, 0, bytes.length);
    }
  }

  private static void digits(ByteBuf out, long value) {
    if (value >= 0 && value < 10) {
      out.writeByte('0' + (int) value);
    } else if (value >= 0 && value < 100) {
      out.writeByte('0' + (int) (value / 10)).writeByte('0' + (int) (value % 10));
    } else {
      out.writeCharSequence(Long.toString(value), US_ASCII);
    }
  }

  private ByteBuf room(int bytes) {
    ByteBuf current = chunk;
    if (current != null && current.readableBytes() + bytes > CHUNK_BYTES) {
      sendChunk();
      current = null;
    }
    if (current == null) {
      current = context.alloc().ioBuffer(Math.max(FIRST_BYTES, bytes));
      chunk = current;
    }
    return current;
  }

  private void sendChunk() {
    ByteBuf full = chunk;
    if (full != null) {
      chunk = null;
      send(full);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a void promise reports to exceptionCaught
  private void send(ByteBuf bytes) {
    context.write(bytes, context.voidPromise());
  }
}
