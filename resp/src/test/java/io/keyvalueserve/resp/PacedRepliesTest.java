package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goal: large replies leave whole and in order, and others have their turns in between. */
final class PacedRepliesTest {
  private static final int PIECE = PacedReplies.PIECE_BYTES;
  private static final int AT_ONCE = PacedReplies.AT_ONCE_BYTES;

  private final List<Connection> connections = new ArrayList<>();
  private final Random random = new Random(1);

  /** Whose event loop has the turns: it goes on when a test says so. */
  private final EmbeddedChannel loop = new EmbeddedChannel();

  private final PieceTurns turns = new PieceTurns(loop.eventLoop());

  /** A client's connection. */
  private final class Connection {
    final EmbeddedChannel channel;
    final PacedReplies replies;

    Connection(int tenant) {
      ChannelHandlerContext[] context = new ChannelHandlerContext[1];
      channel =
          new EmbeddedChannel(
              new ChannelInboundHandlerAdapter() {
                @Override
                public void handlerAdded(ChannelHandlerContext ctx) {
                  context[0] = ctx;
                }
              });
      replies = new PacedReplies(context[0], turns, () -> tenant);
      connections.add(this);
    }

    byte[] received() {
      ByteBuf all = Unpooled.buffer();
      ByteBuf next;
      while ((next = channel.readOutbound()) != null) {
        assertThat(next.readableBytes()).isLessThanOrEqualTo(AT_ONCE);
        all.writeBytes(next);
        next.release();
      }
      byte[] bytes = new byte[all.readableBytes()];
      all.readBytes(bytes);
      return bytes;
    }
  }

  @AfterEach
  void close() {
    connections.forEach(connection -> connection.channel.finishAndReleaseAll());
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void everythingLeavesInOrderAndIsToldOnce() {
    Connection client = new Connection(1);
    ByteBuf expected = Unpooled.buffer();
    List<Integer> told = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      int number = i;
      byte[] bytes = bytes(random.nextInt(4) == 0 ? random.nextInt(5 * PIECE) : random.nextInt(99));
      expected.writeBytes(bytes);
      ByteBuf reply = Unpooled.wrappedBuffer(bytes);
      switch (random.nextInt(3)) {
        case 0 -> client.replies.writeAndFlush(reply);
        case 1 -> client.replies.write(reply, null);
        default ->
            client.replies.write(
                reply,
                sent -> {
                  assertThat(sent.isSuccess()).isTrue();
                  told.add(number);
                });
      }
      if (random.nextInt(5) == 0) {
        loop.runPendingTasks();
      }
    }
    client.replies.flush();
    loop.runPendingTasks();
    byte[] all = new byte[expected.readableBytes()];
    expected.readBytes(all);
    assertThat(client.received()).isEqualTo(all);
    assertThat(told).hasSizeGreaterThan(30).isSorted().doesNotHaveDuplicates();
    assertThat(client.replies.waitingBytes()).isZero();
    assertThat(client.channel.isWritable()).isTrue();
  }

  @Test
  void theSessionDoesNoMoreWhileALargeReplyIsOnItsWay() {
    Connection client = new Connection(1);
    client.replies.writeAndFlush(Unpooled.wrappedBuffer(bytes(AT_ONCE)));
    assertThat(client.channel.isWritable()).isTrue();
    client.replies.writeAndFlush(Unpooled.wrappedBuffer(bytes(3 * PIECE)));
    assertThat(client.channel.isWritable()).isFalse();
    assertThat(client.replies.waitingBytes()).isEqualTo(3 * PIECE);
    loop.runPendingTasks();
    assertThat(client.channel.isWritable()).isTrue();
  }

  @Test
  void tenantsAndTheirConnectionsTakeTurns() {
    List<Integer> order = new ArrayList<>();
    for (int tenant : new int[] {1, 1, 1, 2}) {
      Connection client = new Connection(tenant);
      client.replies.write(Unpooled.wrappedBuffer(bytes(3 * PIECE)), sent -> order.add(tenant));
    }
    loop.runPendingTasks();
    // Of twelve pieces the second tenant has the second, the fourth and the sixth.
    assertThat(order).containsExactly(2, 1, 1, 1);
  }

  /** What io_uring is told to send it sends at once, however much that is. */
  @Test
  void onePieceLeavesBeforeConnectionsAreLookedAfter() {
    Connection one = new Connection(1);
    Connection other = new Connection(2);
    one.replies.write(Unpooled.wrappedBuffer(bytes(3 * PIECE)), null);
    other.replies.write(Unpooled.wrappedBuffer(bytes(3 * PIECE)), null);
    turns.run();
    assertThat(one.received().length + other.received().length).isEqualTo(PIECE);
    loop.runPendingTasks();
  }

  /** One that goes on at once where its last reply ended has no more turns than others. */
  @Test
  void aConnectionHasOneTurnAtATime() {
    List<String> order = new ArrayList<>();
    Connection client = new Connection(1);
    client.replies.write(
        Unpooled.wrappedBuffer(bytes(3 * PIECE)),
        sent -> {
          order.add("first");
          client.replies.write(
              Unpooled.wrappedBuffer(bytes(3 * PIECE)), alsoSent -> order.add("second"));
        });
    Connection other = new Connection(1);
    other.replies.write(Unpooled.wrappedBuffer(bytes(5 * PIECE)), sent -> order.add("other"));
    loop.runPendingTasks();
    assertThat(order).containsExactly("first", "other", "second");
  }

  @Test
  void whatWaitsIsDroppedWithItsConnection() {
    Connection client = new Connection(1);
    List<Boolean> told = new ArrayList<>();
    ByteBuf large = Unpooled.wrappedBuffer(bytes(3 * PIECE));
    ByteBuf small = Unpooled.wrappedBuffer(bytes(10));
    client.replies.write(large, sent -> told.add(sent.isSuccess()));
    client.replies.write(small, sent -> told.add(sent.isSuccess()));
    var _ = client.channel.close();
    client.replies.drop();
    loop.runPendingTasks();
    assertThat(told).containsExactly(false, false);
    assertThat(large.refCnt()).isZero();
    assertThat(small.refCnt()).isZero();
    assertThat(client.replies.waitingBytes()).isZero();
  }

  @Test
  void aPieceThatCannotBeSentIsTheLast() {
    Connection client = new Connection(1);
    List<Boolean> told = new ArrayList<>();
    ByteBuf large = Unpooled.wrappedBuffer(bytes(9 * PIECE));
    client.replies.write(large, sent -> told.add(sent.isSuccess()));
    var _ = client.channel.close(); // and nobody has said so to the session yet
    loop.runPendingTasks();
    assertThat(told).containsExactly(false);
    assertThat(large.refCnt()).isZero();
    assertThatThrownBy(client.channel::checkException).isInstanceOf(ClosedChannelException.class);
  }
}
