package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.ListGetAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.TopicAddMessageListenerCodec;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.grid.ClientLimits;
import io.keyvalueserve.grid.UnreadLimit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A Hazelcast client that does not read is cut off, and others are served. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnreadClientTest {
  private static final int CONNECTION = 512 << 10;
  private static final long ALL = 16 << 20;
  private static final Duration STALL = Duration.ofSeconds(2);
  private static final int VALUE = 100_000;

  private final DoorMember member =
      new DoorMember(ClientLimits.usual().withUnread(new UnreadLimit(CONNECTION, ALL, STALL)));
  private final HazelcastInstance acme = member.client("acme");

  @AfterAll
  void stop() {
    acme.shutdown();
    member.close();
  }

  @AfterEach
  void nothingIsLeft() {
    await()
        .atMost(30, TimeUnit.SECONDS)
        .until(
            () ->
                member.member.unreadBytes(DoorMember.number("acme")) == 0
                    && member.member.waitingRequests(DoorMember.number("acme")) == 0
                    && member.member.listeners(DoorMember.number("acme")) == 0);
    assertThat(acme.getMap("served").put("k", "v")).isIn(null, "v");
    assertThat(acme.getLifecycleService().isRunning()).isTrue();
  }

  @Test
  void whoDoesNotReadEventsIsCutOff() throws IOException {
    long before = member.member.clientsCutOff();
    try (RawClient deaf = new RawClient(member.member.clientPort()).authenticate("acme")) {
      deaf.send(Messages.request(TopicAddMessageListenerCodec.encodeRequest("news", false), 1, -1));
      assertThat(deaf.receive().getCorrelationId()).isEqualTo(1);
      await()
          .atMost(60, TimeUnit.SECONDS)
          .pollInterval(1, TimeUnit.MILLISECONDS)
          .until(
              () -> {
                acme.getTopic("news").publish(new byte[VALUE]);
                return member.member.clientsCutOff() == before + 1;
              });
    }
  }

  /** A client that does not read is not read either where its answers are direct. */
  @Test
  void manyWhoDoNotReadAnswersAreCutOffByTheBoundOfTheirTenant() throws IOException {
    acme.getMap("large").set("k", new byte[VALUE]);
    Data key = Messages.data("k");
    long before = member.member.clientsCutOff();
    List<RawClient> deaf = new ArrayList<>();
    try {
      while (deaf.size() < 40 && member.member.clientsCutOff() == before) {
        RawClient next = new RawClient(member.member.clientPort()).authenticate("acme");
        deaf.add(next);
        askUntilCutOff(next, key);
      }
      await().atMost(30, TimeUnit.SECONDS).until(() -> member.member.clientsCutOff() > before);
      assertThat(member.member.unreadBytes(DoorMember.number("acme"))).isLessThanOrEqualTo(ALL / 2);
    } finally {
      for (RawClient each : deaf) {
        each.close();
      }
    }
  }

  /** A client may be cut off while it sends. That it was is looked at afterwards. */
  private static void askUntilCutOff(RawClient client, Data key) {
    try {
      for (int n = 1; n <= 200; n++) {
        client.send(
            Messages.request(
                MapGetCodec.encodeRequest("large", key, 1), n, Messages.partition(key)));
      }
    } catch (IOException e) {
      // it was cut off
    }
  }

  @Test
  void whoDoesNotReadAnswersThatComeTheLongWayIsCutOff() throws IOException {
    acme.getList("large").add(new byte[VALUE]);
    Data key = Messages.data("large");
    long before = member.member.clientsCutOff();
    AtomicLong number = new AtomicLong();
    try (RawClient deaf = new RawClient(member.member.clientPort()).authenticate("acme")) {
      await()
          .atMost(60, TimeUnit.SECONDS)
          .pollInterval(10, TimeUnit.MILLISECONDS)
          .until(
              () -> {
                try {
                  deaf.send(
                      Messages.request(
                          ListGetAllCodec.encodeRequest("large"),
                          number.incrementAndGet(),
                          Messages.partition(key)));
                } catch (IOException e) {
                  assertThat(member.member.clientsCutOff()).isEqualTo(before + 1);
                }
                return member.member.clientsCutOff() == before + 1;
              });
    }
    acme.getList("large").destroy();
  }

  @Test
  void whoReadsGetsMoreThanTheBoundInOneAnswerAndInMany() throws IOException {
    byte[] longer = new byte[3 * CONNECTION];
    acme.getMap("large").set("longer", longer);
    long before = member.member.clientsCutOff();
    for (int i = 0; i < 20; i++) {
      assertThat(acme.<String, byte[]>getMap("large").get("longer")).hasSize(longer.length);
    }
    Data key = Messages.data("longer");
    long begun = System.nanoTime();
    try (RawClient reading = new RawClient(member.member.clientPort()).authenticate("acme")) {
      for (int n = 1; n <= 20; n++) {
        reading.send(
            Messages.request(
                MapGetCodec.encodeRequest("large", key, 1), n, Messages.partition(key)));
        ClientMessage answer = reading.receive();
        assertThat(answer.getCorrelationId()).isEqualTo(n);
      }
      // A socket takes a part of each. Who writes the rest once waited for up to a second.
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }
    assertThat(member.member.clientsCutOff()).isEqualTo(before);
  }
}
