package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.QueueOfferCodec;
import com.hazelcast.client.impl.protocol.codec.QueueTakeCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastOverloadException;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import io.keyvalueserve.grid.WaitingLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What a tenant's Hazelcast clients may have waiting at a member, and that no count is left. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WaitingClientTest {
  /** Fewer than usual, as to send that many takes long. */
  private static final int MOST = 8_192;

  private static final int MORE = 500;

  private final DoorMember member =
      new DoorMember(new WaitingLimit(MOST, WaitingLimit.USUAL.bytes()));
  private final HazelcastInstance acme = member.client("acme");
  private final HazelcastInstance globex = member.client("globex");

  @AfterAll
  void stop() {
    acme.shutdown();
    globex.shutdown();
    member.close();
  }

  @AfterEach
  void nothingIsLeft() {
    for (String tenant : List.of("acme", "globex")) {
      Awaitility.await()
          .atMost(30, TimeUnit.SECONDS)
          .until(
              () ->
                  member.member.waitingRequests(DoorMember.number(tenant)) == 0
                      && member.member.waitingBytes(DoorMember.number(tenant)) == 0);
    }
  }

  private void awaitWaiting(String tenant, int count) {
    Awaitility.await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> member.member.waitingRequests(DoorMember.number(tenant)) == count);
  }

  private static List<CompletableFuture<Void>> send(
      IMap<String, String> map, String value, int count) {
    String key = heldKey();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(map.setAsync(key, value).toCompletableFuture());
    }
    return all;
  }

  /** A key of the partition that the test holds. */
  private static String heldKey() {
    int i = 0;
    while (Messages.partition(Messages.data("k" + i)) != Messages.PARTITIONS - 1) {
      i++;
    }
    return "k" + i;
  }

  private static void awaitAll(List<CompletableFuture<Void>> all) {
    for (CompletableFuture<Void> each : all) {
      try {
        each.orTimeout(60, TimeUnit.SECONDS).join();
      } catch (CompletionException e) {
        if (!(e.getCause() instanceof HazelcastOverloadException)) {
          throw e;
        }
      }
    }
  }

  @Test
  void whatIsTooMuchIsRefusedAndTheRestIsDone() throws InterruptedException {
    IMap<String, String> map = acme.getMap("flooded");
    List<CompletableFuture<Void>> sent;
    try (HeldPartition _ = HeldPartition.of(member)) {
      sent = send(map, "v", MOST + MORE);
      for (CompletableFuture<Void> refused : sent.subList(MOST, MOST + MORE)) {
        assertThatThrownBy(() -> refused.orTimeout(60, TimeUnit.SECONDS).join())
            .hasCauseInstanceOf(HazelcastOverloadException.class)
            .hasMessageContaining("waiting at this member");
      }
      awaitWaiting("acme", MOST);
      assertThat(sent.stream().filter(CompletableFuture::isDone)).hasSize(MORE);
      // Another tenant is not concerned, and is answered beside it.
      IMap<String, String> others = globex.getMap("quiet");
      others.set("elsewhere", "x");
      assertThat(others.get("elsewhere")).isEqualTo("x");
      // Nor are the tenant's own locks, which somebody may wait for.
      assertThat(acme.getMap("locks").tryLock("elsewhere")).isTrue();
      acme.getMap("locks").unlock("elsewhere");
    }
    awaitAll(sent);
    assertThat(sent.stream().filter(CompletableFuture::isCompletedExceptionally)).hasSize(MORE);
    map.set("k", "again");
    assertThat(map.get("k")).isEqualTo("again");
  }

  @Test
  void aClientThatGoesLeavesNothing() throws InterruptedException {
    try (HeldPartition _ = HeldPartition.of(member)) {
      HazelcastInstance leaving = member.client("acme");
      List<CompletableFuture<Void>> _ = send(leaving.getMap("left"), "v", 1_000);
      List<CompletableFuture<Void>> stays = send(acme.getMap("stays"), "v", 100);
      awaitWaiting("acme", 1_100);
      leaving.shutdown();
      awaitWaiting("acme", 100);
      assertThat(member.member.waitingBytes(DoorMember.number("acme"))).isPositive();
      assertThat(stays).noneMatch(CompletableFuture::isDone);
    }
  }

  @Test
  void whatWaitsForAQueueIsBoundedAndKeepsNothingElseFromBeingDone() throws IOException {
    try (RawClient client = new RawClient(member.member.clientPort()).authenticate("acme")) {
      for (int i = 0; i <= MOST; i++) {
        client.send(Messages.request(QueueTakeCodec.encodeRequest("empty"), 100L + i, queue()));
      }
      ClientMessage refused = client.receive();
      assertThat(refused.getCorrelationId()).isEqualTo(100 + MOST);
      assertThat(ErrorsCodec.decode(refused).get(0).getMessage())
          .contains("waiting at this member");
      awaitWaiting("acme", MOST);
      client.send(
          Messages.request(
              QueueOfferCodec.encodeRequest("empty", Messages.data("v"), 0), 99, queue()));
      assertThat(List.of(client.receive(), client.receive()))
          .extracting(ClientMessage::getCorrelationId)
          .containsExactlyInAnyOrder(99L, 100L);
    }
  }

  private static int queue() {
    return Messages.partition(Messages.data("empty"));
  }

  @Test
  void aNumberThatIsUsedTwiceEndsTheConnection() throws IOException {
    try (RawClient client = new RawClient(member.member.clientPort()).authenticate("acme")) {
      byte[] take = Messages.request(QueueTakeCodec.encodeRequest("none"), 100, queue());
      client.send(Messages.join(List.of(take, take)));
      assertThatThrownBy(client::receive).isInstanceOf(IOException.class);
    }
  }

  @Test
  void bytesAreBoundedToo() throws InterruptedException {
    String mebibyte = "x".repeat(1 << 20);
    try (HeldPartition _ = HeldPartition.of(member)) {
      List<CompletableFuture<Void>> sent = send(acme.getMap("large"), mebibyte, 40);
      Awaitility.await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> sent.stream().filter(CompletableFuture::isDone).count() == 9);
      awaitWaiting("acme", 31);
      assertThat(member.member.waitingBytes(DoorMember.number("acme")))
          .isBetween(31L << 20, WaitingLimit.USUAL.bytes());
    }
  }

  @Test
  void whatFailsIsNotCountedAnyLonger() {
    IMap<String, String> map = acme.getMap("failing");
    for (int i = 0; i < 50; i++) {
      map.set("k" + i, "no number");
      assertThatThrownBy(() -> map.values(Predicates.sql("no (predicate")))
          .isInstanceOf(RuntimeException.class);
      assertThatThrownBy(() -> globex.getMap("acme/failing").get("k"))
          .isInstanceOf(RuntimeException.class);
    }
  }
}
