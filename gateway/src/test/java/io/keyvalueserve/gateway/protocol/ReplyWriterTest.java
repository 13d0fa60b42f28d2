package io.keyvalueserve.gateway.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Goal: each kind of reply is the right bytes in both protocols. */
class ReplyWriterTest {
  private static final List<Reply> PAIR = List.of(Reply.bulk("a"), Reply.integer(1));

  private static String bytes(Reply reply, boolean resp3) {
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
    writer.speakResp3(resp3);
    writer.write(reply);
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
}
