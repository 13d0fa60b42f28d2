package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessage.Frame;
import com.hazelcast.internal.nio.Connection;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Goal: no client has a member take memory for what it has not sent, nor without bound for what
 * never becomes a message. Method: frames as they are sent, many of them never complete.
 */
class WholeMessagesTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final int FINAL = ClientMessage.IS_FINAL_FLAG;
  private static final int WHOLE = ClientMessage.UNFRAGMENTED_MESSAGE;
  private static final int BEGIN = ClientMessage.BEGIN_FRAGMENT_FLAG;
  private static final int END = ClientMessage.END_FRAGMENT_FLAG;
  private static final int UNTRUSTED = 1024;
  private static final int TENANT = 7;

  private final MemberHeap whole = MemberHeap.unbounded();
  private final UnfinishedMessages unfinished =
      new UnfinishedMessages(4 * MEBIBYTE, 8 * MEBIBYTE, whole);
  private final List<ClientMessage> got = new ArrayList<>();
  private final List<Long> untrustedBytes = new ArrayList<>();
  private boolean trusted = true;
  private final WholeMessages messages = connection();

  private WholeMessages connection() {
    Connection connection =
        (Connection)
            Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                  throw new UnsupportedOperationException(method.toString());
                });
    return new WholeMessages(
        connection,
        got::add,
        () -> trusted,
        UNTRUSTED,
        untrustedBytes::add,
        unfinished.new OfConnection(() -> TENANT),
        new UnansweredMessages(new MessageTimes(System::nanoTime)));
  }

  /** What begins a frame, whether that many bytes follow or not. */
  private static byte[] head(int contentLength, int flags) {
    return ByteBuffer.allocate(6)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(6 + contentLength)
        .putShort((short) flags)
        .array();
  }

  private static byte[] frame(byte[] content, int flags) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(head(content.length, flags));
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] fragment(long id, byte[] content, int flags) {
    byte[] name = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(id).array();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(frame(name, flags));
    out.writeBytes(frame(content, FINAL));
    return out.toByteArray();
  }

  private static void send(WholeMessages to, byte[] bytes) {
    ByteBuffer source = ByteBuffer.wrap(bytes);
    while (source.hasRemaining() && to.read(source) >= 0) {
      // the next one
    }
    assertThat(source.remaining()).isLessThan(6);
  }

  @Test
  void readsFramesOfAllLengthsHoweverTheyAreCut() {
    Random random = new Random(7);
    for (int length : new int[] {16, 100, MEBIBYTE - 1, MEBIBYTE, MEBIBYTE + 1, 5 * MEBIBYTE + 3}) {
      byte[] first = new byte[16];
      byte[] content = new byte[length];
      random.nextBytes(content);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.writeBytes(frame(first, WHOLE));
      out.writeBytes(frame(content, 0));
      out.writeBytes(frame(new byte[0], FINAL));
      byte[] all = out.toByteArray();
      ByteBuffer source = ByteBuffer.wrap(all);
      got.clear();
      while (source.hasRemaining() || source.limit() < all.length) {
        int done = messages.read(source);
        if (done < 0) {
          // at least a head, or it goes on for ever
          int more = 6 + random.nextInt(200_000);
          source.limit((int) Math.min(all.length, (long) source.limit() + more));
        }
        if (done == 1) {
          break;
        }
      }
      assertThat(got).hasSize(1);
      Frame second = got.getFirst().getStartFrame().next;
      assertThat(second.content).isEqualTo(content);
      assertThat(second.next.content).isEmpty();
      assertThat(second.next.next).isNull();
      assertThat(unfinished.held()).isZero();
    }
  }

  @Test
  void thereIsNoMemoryForWhatIsOnlyNamed() {
    send(messages, head(7 * MEBIBYTE, WHOLE));
    assertThat(unfinished.held()).isLessThan(2 * MEBIBYTE);
    messages.closed();
    assertThat(unfinished.held()).isZero();
  }

  @Test
  void aMessageThatNamesMoreThanOneMayHaveIsRefused() {
    assertThatThrownBy(() -> send(messages, head(0x40000000, WHOLE)))
        .hasMessageContaining("too long")
        .hasMessageContaining("send less in one request");
  }

  @Test
  void emptyFramesCountForWhatTheyTake() {
    byte[] empty = head(0, 0);
    ByteArrayOutputStream many = new ByteArrayOutputStream();
    for (int i = 0; i < 10_000; i++) {
      many.writeBytes(empty);
    }
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                send(messages, many.toByteArray());
              }
            })
        .hasMessageContaining("too long");
  }

  /** One that is alone may go beyond what all may have. */
  @Test
  void whatAllHaveInPartIsBounded() {
    byte[] half = frame(new byte[3 * MEBIBYTE], WHOLE); // the last frame is to come
    send(messages, half);
    WholeMessages other = connection();
    assertThatThrownBy(() -> send(other, half)).hasMessageContaining("too much memory");
    other.closed();
    messages.closed();
    assertThat(unfinished.held()).isZero();
    WholeMessages alone = connection();
    send(alone, frame(new byte[6 * MEBIBYTE], WHOLE));
    assertThat(unfinished.held()).isGreaterThan(5 * MEBIBYTE);
  }

  @Test
  void whatATenantHasInPartCountsToTheHeapThatAllUse() {
    whole.setMost(3 * MEBIBYTE); // the tenant alone gets two thirds
    send(messages, frame(new byte[MEBIBYTE], WHOLE));
    assertThat(whole.used(HeapUse.MESSAGES)).isEqualTo(unfinished.held()).isPositive();
    WholeMessages other = connection();
    assertThatThrownBy(() -> send(other, frame(new byte[3 * MEBIBYTE / 2], WHOLE)))
        .hasMessageContaining("a member's Java heap together");
    other.closed();
    assertThat(whole.used(HeapUse.MESSAGES)).isEqualTo(unfinished.held());
    send(messages, frame(new byte[10], FINAL));
    assertThat(got).hasSize(1);
    assertThat(whole.used(HeapUse.MESSAGES)).isZero();
  }

  @Test
  void fragmentsThatNeverEndAreBounded() {
    byte[] part = new byte[MEBIBYTE / 2];
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                send(messages, fragment(5, part, i == 0 ? BEGIN : 0));
              }
            })
        .hasMessageContaining("more than");
    messages.closed();
    WholeMessages many = connection(); // it is alone
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                send(many, fragment(i, part, BEGIN));
              }
            })
        .hasMessageContaining("too much memory");
  }

  @Test
  void fragmentsThatEndAreAMessageAndTakeNothing() {
    send(messages, fragment(5, new byte[100], BEGIN));
    send(messages, fragment(6, new byte[100], BEGIN));
    assertThat(unfinished.held()).isPositive();
    send(messages, fragment(5, new byte[100], END));
    send(messages, fragment(6, new byte[100], END));
    assertThat(got).hasSize(2);
    assertThat(unfinished.held()).isZero();
  }

  @Test
  void beforeItHasAuthenticatedAClientSendsLittle() {
    trusted = false;
    assertThatThrownBy(() -> send(messages, head(UNTRUSTED, WHOLE))).hasMessageContaining("1024");
    assertThatThrownBy(() -> send(connection(), fragment(5, new byte[20], BEGIN)))
        .hasMessageContaining("before the client authenticated");
  }

  @Test
  void saysHowMuchAClientThatHasNotAuthenticatedHasSent() {
    trusted = false;
    send(messages, head(100, WHOLE));
    assertThat(untrustedBytes).last().satisfies(bytes -> assertThat(bytes).isBetween(100L, 300L));
    trusted = true;
    untrustedBytes.clear();
    send(connection(), head(100, WHOLE));
    assertThat(untrustedBytes).isEmpty();
  }
}
