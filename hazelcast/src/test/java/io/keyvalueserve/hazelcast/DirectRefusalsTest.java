package io.keyvalueserve.hazelcast;

import static io.keyvalueserve.hazelcast.Messages.data;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientProtocolErrorCodes;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapSetCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.client.impl.protocol.util.ClientMessageSplitter;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: on a member's own sockets the short way lets nobody further than the long one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DirectRefusalsTest {
  private static final Data KEY = data("key");
  private static final Data FOREIGN = object(-11);

  /** A value that says that it is the first class of a factory. */
  private static Data object(int factory) {
    return new HeapData(
        ByteBuffer.allocate(17)
            .putInt(0)
            .putInt(-2)
            .put((byte) 1)
            .putInt(factory)
            .putInt(1)
            .array());
  }

  private final DoorMember member = new DoorMember();

  @AfterAll
  void stop() {
    member.close();
  }

  private RawClient acme() throws IOException {
    RawClient client = new RawClient(member.member.clientPort()).authenticate("acme");
    client.send(set("m", KEY, data("mine"), 1));
    assertThat(client.receive().getMessageType()).isEqualTo(MapSetCodec.RESPONSE_MESSAGE_TYPE);
    return client;
  }

  @Test
  void anothersNameIsRefusedAmongDirectAnswers() throws IOException {
    try (RawClient client = acme()) {
      long before = member.member.answeredDirectly();
      client.send(Messages.join(List.of(get("m", 1), get("globex/m", 2), get("m", 3))));
      List<Long> answered = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        ClientMessage answer = client.receive();
        if (answer.getCorrelationId() == 2) {
          assertThat(errorOf(answer)).isEqualTo(ClientProtocolErrorCodes.ACCESS_CONTROL);
        } else {
          assertThat(MapGetCodec.decodeResponse(answer)).isEqualTo(data("mine"));
        }
        answered.add(answer.getCorrelationId());
      }
      assertThat(answered).containsExactlyInAnyOrder(1L, 2L, 3L);
      // The last follows the refused one the long way if that is not answered yet.
      assertThat(member.member.answeredDirectly() - before).isBetween(1L, 2L);
    }
  }

  @Test
  void foreignTypesAndNonsenseAreRefused() throws IOException {
    try (RawClient client = acme()) {
      client.send(set("m", KEY, FOREIGN, 1));
      assertThat(errorOf(client.receive())).isEqualTo(ClientProtocolErrorCodes.ACCESS_CONTROL);
      client.send(set("m", FOREIGN, KEY, 2));
      assertThat(errorOf(client.receive())).isEqualTo(ClientProtocolErrorCodes.ACCESS_CONTROL);
      client.send(get("", 3));
      assertThat(errorOf(client.receive())).isEqualTo(ClientProtocolErrorCodes.ILLEGAL_ARGUMENT);
      client.send(get("m", 4));
      assertThat(MapGetCodec.decodeResponse(client.receive())).isEqualTo(data("mine"));
    }
  }

  @ParameterizedTest
  @ValueSource(chars = {'d', 'm', 'q', 'r', 's', 't', 'u'})
  void whatMembersSayToEachOtherIsRefused(char last) throws IOException {
    int factory = ('k' << 16) + ('v' << 8) + last;
    try (RawClient client = acme()) {
      client.send(set("m", KEY, object(factory), 1));
      assertThat(errorOf(client.receive())).isEqualTo(ClientProtocolErrorCodes.ACCESS_CONTROL);
    }
  }

  @Test
  void nobodyIsAnsweredBeforeAuthenticating() throws IOException {
    long before = member.member.answeredDirectly();
    try (RawClient client = new RawClient(member.member.clientPort())) {
      client.send(get("m", 1));
      // The refusal may be lost as the connection is closed behind it.
      assertThatThrownBy(() -> expectRefusalsOnly(client))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(SocketTimeoutException.class);
    }
    assertThat(member.member.answeredDirectly()).isEqualTo(before);
  }

  @Test
  void aSessionThatEndedIsOver() throws IOException {
    try (RawClient client = acme()) {
      member.sessions.endUnless(identity -> false, "the test ends it");
      assertThatThrownBy(
              () -> {
                client.send(get("m", 1));
                client.receive();
              })
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void messagesInFragmentsAndInPiecesAreAnswered() throws IOException {
    try (RawClient client = acme()) {
      Data value = data(new byte[5000]);
      ClientMessage whole = MapSetCodec.encodeRequest("m", data("large"), value, 1, -1);
      whole.setCorrelationId(7);
      whole.setPartitionId(Messages.partition(data("large")));
      for (ClientMessage fragment : ClientMessageSplitter.getFragments(1000, whole)) {
        client.send(Messages.bytes(fragment));
      }
      assertThat(client.receive().getCorrelationId()).isEqualTo(7);
      Data key = data("large");
      byte[] get =
          Messages.request(MapGetCodec.encodeRequest("m", key, 1), 8, Messages.partition(key));
      for (byte each : get) {
        client.send(new byte[] {each});
      }
      assertThat(MapGetCodec.decodeResponse(client.receive())).isEqualTo(value);
    }
  }

  @Test
  @Tag("flaky") // docs/flaky.md
  @EnabledIfSystemProperty(named = "kvs.test.flaky", matches = "on")
  void aClientThatDoesNotReadGetsEverythingWhenItDoes() throws Exception {
    try (RawClient client = acme()) {
      Data key = data("big");
      client.send(set("m", key, data(new byte[20_000]), 1));
      assertThat(client.receive().getCorrelationId()).isEqualTo(1);
      int requests = 5000; // 100 MB of answers
      byte[] get =
          Messages.request(MapGetCodec.encodeRequest("m", key, 1), 2, Messages.partition(key));
      long before = member.member.answeredDirectly();
      Thread sender =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < requests; i++) {
                        client.send(get);
                      }
                    } catch (IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                  });
      await().until(() -> isSteady(before));
      assertThat(member.member.answeredDirectly() - before).isLessThan(requests);
      for (int i = 0; i < requests; i++) {
        assertThat(MapGetCodec.decodeResponse(client.receive())).isNotNull();
      }
      sender.join();
      assertThat(member.member.answeredDirectly() - before).isEqualTo(requests);
    }
  }

  /** Whether the member has answered something and then stopped. */
  private boolean isSteady(long before) throws InterruptedException {
    long now = member.member.answeredDirectly();
    Thread.sleep(500);
    return now > before && member.member.answeredDirectly() == now;
  }

  private static void expectRefusalsOnly(RawClient client) throws IOException {
    for (; ; ) {
      assertThat(errorOf(client.receive())).isEqualTo(ClientProtocolErrorCodes.ACCESS_CONTROL);
    }
  }

  private static int errorOf(ClientMessage answer) {
    assertThat(answer.getMessageType()).isEqualTo(ErrorsCodec.EXCEPTION_MESSAGE_TYPE);
    return ErrorsCodec.decode(answer).getFirst().getErrorCode();
  }

  private static byte[] get(String map, long correlation) {
    return Messages.request(
        MapGetCodec.encodeRequest(map, KEY, 1), correlation, Messages.partition(KEY));
  }

  private static byte[] set(String map, Data key, Data value, long correlation) {
    return Messages.request(
        MapSetCodec.encodeRequest(map, key, value, 1, -1), correlation, Messages.partition(key));
  }

  @Test
  void aConnectionAuthenticatesOnce() throws IOException {
    await().untilAsserted(() -> assertThat(member.sessions.count()).isZero());
    byte[] one = RawClient.authentication("acme");
    byte[] many = new byte[100 * one.length];
    for (int i = 0; i < 100; i++) {
      System.arraycopy(one, 0, many, i * one.length, one.length);
    }
    try (RawClient client = new RawClient(member.member.clientPort())) {
      client.send(many);
      assertThatThrownBy(
              () -> {
                while (true) {
                  ClientMessage _ = client.receive();
                }
              })
          .isInstanceOf(IOException.class);
    }
    await().untilAsserted(() -> assertThat(member.sessions.count()).isZero());
  }

  @Test
  void aConnectionThatClosesWhileItLogsInLeavesNoSession() throws IOException {
    await().untilAsserted(() -> assertThat(member.sessions.count()).isZero());
    byte[] login = RawClient.authentication("acme");
    for (int i = 0; i < 200; i++) {
      RawClient client = new RawClient(member.member.clientPort());
      client.send(login);
      LockSupport.parkNanos(i * 10_000L); // somewhere between the login's begin and its end
      client.close();
    }
    acme().close();
    await().untilAsserted(() -> assertThat(member.sessions.count()).isZero());
  }
}
