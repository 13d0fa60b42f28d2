package io.keyvalueserve.resp.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.LentValue;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Goal: each kind of reply is the right bytes in both protocols. */
class ReplyWriterTest {
  private static final List<Reply> PAIR = List.of(Reply.bulk("a"), Reply.integer(1));

  private static String bytes(Reply reply, boolean resp3) {
    return bytes(
        writer -> {
          writer.speakResp3(resp3);
          writer.write(reply);
        });
  }

  private static String bytes(Consumer<ReplyWriter> replies) {
    ChannelInboundHandlerAdapter handler = new ChannelInboundHandlerAdapter();
    EmbeddedChannel channel = new EmbeddedChannel(handler);
    ChannelHandlerContext context = channel.pipeline().context(handler);
    ReplyOutlet outlet =
        new ReplyOutlet() {
          @Override
          public void write(ByteBuf part, @Nullable ChannelFutureListener sent) {
            ChannelFuture written = context.write(part);
            if (sent != null) {
              written.addListener(sent);
            }
          }

          @Override
          public void flush(@Nullable ByteBuf rest) {
            if (rest != null) {
              write(rest, null);
            }
            context.flush();
          }
        };
    ReplyWriter writer =
        new ReplyWriter(channel.alloc(), outlet, new ReplyBuffer(), LargeValueRoom.UNBOUNDED);
    replies.accept(writer);
    writer.flush();
    StringBuilder text = new StringBuilder();
    while (channel.readOutbound() instanceof ByteBuf buffer) {
      text.append(buffer.toString(ISO_8859_1));
      buffer.release();
    }
    assertThat(writer.bytesWritten()).isEqualTo(text.length());
    channel.finishAndReleaseAll();
    return text.toString();
  }

  private static void check(Reply reply, String resp2, String resp3) {
    assertThat(bytes(reply, false)).isEqualTo(resp2);
    assertThat(bytes(reply, true)).isEqualTo(resp3);
  }

  /** Messages of both sizes: those that are copied, and those that are sent from where they are. */
  @Test
  void messagesAreSentWhileRepliesAreDropped() {
    for (int length : new int[] {1, 5000}) {
      String message = "m".repeat(length);
      assertThat(
              bytes(
                  writer -> {
                    writer.mute(true);
                    writer.write(Reply.OK);
                    writer.push(Unpooled.copiedBuffer(message, ISO_8859_1), false);
                    writer.write(Reply.OK);
                    writer.mute(false);
                    writer.write(Reply.integer(1));
                  }))
          .isEqualTo(message + ":1\r\n");
    }
  }

  @Test
  void writesEachKindInBothProtocols() {
    check(Reply.OK, "+OK\r\n", "+OK\r\n");
    check(Reply.error("ERR a\r\nb"), "-ERR a  b\r\n", "-ERR a  b\r\n");
    check(Reply.integer(-42), ":-42\r\n", ":-42\r\n");
    check(new Reply.Bulk(new byte[] {1, 2, 3, 4}, 1, 2), "$2\r\n\2\3\r\n", "$2\r\n\2\3\r\n");
    check(Reply.Null.NULL, "$-1\r\n", "_\r\n");
    check(new Reply.Array(PAIR), "*2\r\n$1\r\na\r\n:1\r\n", "*2\r\n$1\r\na\r\n:1\r\n");
    check(new Reply.SetOf(PAIR), "*2\r\n$1\r\na\r\n:1\r\n", "~2\r\n$1\r\na\r\n:1\r\n");
    check(new Reply.MapOf(PAIR), "*2\r\n$1\r\na\r\n:1\r\n", "%1\r\n$1\r\na\r\n:1\r\n");
    check(new Reply.Push(PAIR), "*2\r\n$1\r\na\r\n:1\r\n", ">2\r\n$1\r\na\r\n:1\r\n");
    check(new Reply.Real(1.5), "$3\r\n1.5\r\n", ",1.5\r\n");
    check(new Reply.Real(3), "$1\r\n3\r\n", ",3\r\n");
    check(new Reply.Real(Double.NEGATIVE_INFINITY), "$4\r\n-inf\r\n", ",-inf\r\n");
    check(new Reply.Bool(true), ":1\r\n", "#t\r\n");
    check(new Reply.Verbatim("hi"), "$2\r\nhi\r\n", "=6\r\ntxt:hi\r\n");
  }

  @Test
  void writesLargeValuesWhole() {
    String value = "v".repeat(200_000);
    String expected = "*2\r\n$200000\r\n" + value + "\r\n:7\r\n";
    Reply reply = new Reply.Array(List.of(Reply.bulk(value), Reply.integer(7)));
    check(reply, expected, expected);
  }

  /** A value that somebody lends, and wants back. */
  private static final class Lent implements LentValue {
    private final ByteBuffer bytes;
    private int givenBack;

    Lent(String value) {
      bytes = ByteBuffer.allocateDirect(value.length());
      bytes.put(0, value.getBytes(ISO_8859_1));
    }

    @Override
    public ByteBuffer bytes() {
      return bytes;
    }

    @Override
    public void giveBack() {
      givenBack++;
    }
  }

  @Test
  void whatIsLentIsSentInItsPlaceAndGivenBackOnce() {
    String value = "v".repeat(200_000);
    Lent lent = new Lent(value);
    String sent =
        bytes(
            writer -> {
              int _ = writer.mark();
              writer.array(2);
              assertThat(value.length()).isGreaterThan(writer.leastLent());
              writer.lend(lent);
              assertThat(writer.isValueLarge()).isTrue();
              writer.endValue(value.length());
              assertThat(lent.givenBack).isZero();
              writer.integer(7);
            });
    assertThat(sent).isEqualTo("*2\r\n$200000\r\n" + value + "\r\n:7\r\n");
    assertThat(lent.givenBack).isEqualTo(1);
  }

  @Test
  void whatIsLentInVainIsGivenBack() {
    Lent takenBack = new Lent("v".repeat(100_000));
    Lent dropped = new Lent("w".repeat(100_000));
    String sent =
        bytes(
            writer -> {
              int mark = writer.mark();
              writer.lend(takenBack);
              writer.rollBack(mark);
              assertThat(takenBack.givenBack).isEqualTo(1);
              writer.lend(dropped);
              writer.discard();
              assertThat(dropped.givenBack).isEqualTo(1);
              int _ = writer.mark();
              writer.ok();
            });
    assertThat(sent).isEqualTo("+OK\r\n");
    assertThat(takenBack.givenBack + dropped.givenBack).isEqualTo(2);
  }
}
