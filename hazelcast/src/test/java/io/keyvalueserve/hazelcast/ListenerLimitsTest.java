package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.ClientAddDistributedObjectListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientAddPartitionLostListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientRemoveDistributedObjectListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientRemovePartitionLostListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemovePartitionLostListenerCodec;
import com.hazelcast.client.impl.protocol.codec.QueueAddListenerCodec;
import com.hazelcast.client.impl.protocol.codec.QueueRemoveListenerCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.core.EntryEventType;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.query.Predicates;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** How many listeners a tenant may have, counted over its connections, and on whose maps. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ListenerLimitsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String OTHERS = "acme/orders";
  private static final int ADDED = EntryEventType.ADDED.getType();

  private final DoorMember member = new DoorMember();
  private long requests;

  @AfterAll
  void stop() {
    member.close();
  }

  private RawClient client(String tenant) throws IOException {
    return new RawClient(member.member.clientPort()).authenticate(tenant);
  }

  private ClientMessage ask(RawClient client, ClientMessage request) throws IOException {
    client.send(Messages.request(request, ++requests, -1));
    return client.receive();
  }

  private List<ClientMessage> addMany(RawClient client, String map, int count) throws IOException {
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(Messages.request(add(map), ++requests, -1));
    }
    client.send(Messages.join(all));
    List<ClientMessage> answers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      answers.add(client.receive());
    }
    return answers;
  }

  private static ClientMessage add(String map) {
    return MapAddEntryListenerCodec.encodeRequest(map, false, ADDED, true);
  }

  private static boolean isRefused(ClientMessage answer) {
    return answer.getMessageType() == ErrorsCodec.EXCEPTION_MESSAGE_TYPE;
  }

  private static long refused(List<ClientMessage> answers) {
    return answers.stream().filter(ListenerLimitsTest::isRefused).count();
  }

  private static String refusal(ClientMessage answer) {
    assertThat(isRefused(answer)).isTrue();
    return ErrorsCodec.decode(answer).getFirst().getMessage();
  }

  private int listeners(String tenant) {
    return member.member.listeners(DoorMember.number(tenant));
  }

  private void awaitListeners(String tenant, int count) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(listeners(tenant)).isEqualTo(count));
  }

  @Test
  void toListenNeedsReadOnSomeKey() {
    member.grant("acme", "orders", "globex", Map.of(Scope.key("k"), Rights.WRITE));
    HazelcastInstance client = member.client("globex");
    try {
      IMap<Object, Object> map = client.getMap(OTHERS);
      EntryAddedListener<Object, Object> listener = event -> {};
      String missing = "tenant 'globex' needs a grant of read on at least one key of 'acme/orders'";
      assertThatThrownBy(() -> map.addEntryListener(listener, true))
          .hasStackTraceContaining(missing);
      assertThatThrownBy(() -> map.addEntryListener(listener, "k", true))
          .hasStackTraceContaining(missing);
      awaitListeners("globex", 0);
      member.grant("acme", "orders", "globex", Map.of(Scope.key("other"), Rights.READ));
      UUID id = map.addEntryListener(listener, true);
      assertThat(listeners("globex")).isEqualTo(1);
      member.grant("acme", "orders", "globex", Map.of());
      assertThat(map.removeEntryListener(id)).as("without any grant").isTrue();
      awaitListeners("globex", 0);
    } finally {
      client.shutdown();
    }
  }

  @Test
  void onOthersMapsATenantHasSoManyOverAllItsConnections() throws IOException {
    int most = TenantsListeners.MOST_ON_OTHERS;
    member.grant("acme", "orders", "hoarder", Map.of(Scope.key("k"), Rights.READ));
    member.grant("acme", "second", "other", Map.of(Scope.key("k"), Rights.READ));
    try (RawClient two = client("hoarder");
        RawClient other = client("other")) {
      try (RawClient one = client("hoarder")) {
        assertThat(refused(addMany(one, OTHERS, most - 10))).isZero();
        List<ClientMessage> last = addMany(two, OTHERS, 20);
        assertThat(refused(last)).isEqualTo(10);
        assertThat(refusal(ask(two, add(OTHERS))))
            .isEqualTo(
                "the Hazelcast clients of a tenant may have 1000 listeners on others' maps at a"
                    + " member, and have: remove some");
        assertThat(listeners("hoarder")).isEqualTo(most);
        assertThat(isRefused(ask(two, add("own")))).isFalse();
        assertThat(isRefused(ask(other, add("acme/second")))).isFalse();

        ClientMessage kept =
            last.stream().filter(answer -> !isRefused(answer)).findAny().orElseThrow();
        UUID id = MapAddEntryListenerCodec.decodeResponse(kept);
        assertThat(removed(two, MapRemoveEntryListenerCodec.encodeRequest(OTHERS, id))).isTrue();
        assertThat(isRefused(ask(two, add(OTHERS)))).isFalse();
        assertThat(isRefused(ask(two, add(OTHERS)))).isTrue();
      }
      awaitListeners("hoarder", 11);
      assertThat(isRefused(ask(two, add(OTHERS)))).isFalse();
    }
    awaitListeners("hoarder", 0);
  }

  @Test
  void onWhatIsItsOwnATenantHasMore() throws IOException {
    try (RawClient one = client("busy");
        RawClient two = client("busy")) {
      assertThat(refused(addMany(one, "own", TenantsListeners.MOST_OWN - 2))).isZero();
      assertThat(isRefused(ask(two, QueueAddListenerCodec.encodeRequest("q", false, true))))
          .isFalse();
      assertThat(isRefused(ask(two, ClientAddDistributedObjectListenerCodec.encodeRequest(true))))
          .isFalse();
      for (ClientMessage more :
          List.of(
              add("own"),
              QueueAddListenerCodec.encodeRequest("q", false, true),
              ClientAddDistributedObjectListenerCodec.encodeRequest(true),
              ClientAddPartitionLostListenerCodec.encodeRequest(true))) {
        assertThat(refusal(ask(two, more))).contains("10000 listeners on what is their own");
      }
    }
    awaitListeners("busy", 0);
  }

  @Test
  void whatIsRemovedAsWhatItIsCountsNoLonger() throws IOException {
    try (RawClient client = client("orderly");
        RawClient second = client("orderly")) {
      UUID ofMap = MapAddEntryListenerCodec.decodeResponse(ask(client, add("own")));
      UUID ofQueue =
          QueueAddListenerCodec.decodeResponse(
              ask(client, QueueAddListenerCodec.encodeRequest("q", false, true)));
      UUID ofObjects =
          ClientAddDistributedObjectListenerCodec.decodeResponse(
              ask(client, ClientAddDistributedObjectListenerCodec.encodeRequest(true)));
      UUID ofPartitions =
          ClientAddPartitionLostListenerCodec.decodeResponse(
              ask(client, ClientAddPartitionLostListenerCodec.encodeRequest(true)));
      assertThat(listeners("orderly")).isEqualTo(4);

      assertThat(removed(client, MapRemoveEntryListenerCodec.encodeRequest("other", ofMap)))
          .isFalse();
      assertThat(removed(client, MapRemovePartitionLostListenerCodec.encodeRequest("own", ofMap)))
          .isFalse();
      assertThat(removed(client, ClientRemovePartitionLostListenerCodec.encodeRequest(ofMap)))
          .isFalse();
      assertThat(removed(second, MapRemoveEntryListenerCodec.encodeRequest("own", ofMap)))
          .as("by another connection")
          .isFalse();
      assertThat(listeners("orderly")).isEqualTo(4);

      assertThat(removed(client, MapRemoveEntryListenerCodec.encodeRequest("own", ofMap))).isTrue();
      assertThat(removed(client, MapRemoveEntryListenerCodec.encodeRequest("own", ofMap)))
          .as("again")
          .isFalse();
      assertThat(removed(client, QueueRemoveListenerCodec.encodeRequest("q", ofQueue))).isTrue();
      assertThat(
              removed(client, ClientRemoveDistributedObjectListenerCodec.encodeRequest(ofObjects)))
          .isTrue();
      assertThat(
              removed(client, ClientRemovePartitionLostListenerCodec.encodeRequest(ofPartitions)))
          .isTrue();
      assertThat(listeners("orderly")).isZero();
    }
  }

  /** All answers to such requests are alike. */
  private boolean removed(RawClient client, ClientMessage request) throws IOException {
    ClientMessage answer = ask(client, request);
    assertThat(answer.getMessageType()).isEqualTo(request.getMessageType() + 1);
    return MapRemoveEntryListenerCodec.decodeResponse(answer);
  }

  @Test
  void whatFailsIsNotCounted() {
    HazelcastInstance client = member.client("failing");
    try {
      EntryAddedListener<Object, Object> listener = event -> {};
      for (int i = 0; i < 20; i++) {
        assertThatThrownBy(
                () ->
                    client
                        .getMap("own")
                        .addEntryListener(listener, Predicates.sql("no (predicate"), true))
            .isInstanceOf(RuntimeException.class);
      }
      awaitListeners("failing", 0);
    } finally {
      client.shutdown();
    }
  }

  @Test
  void whoUsesTheNumberOfARequestThatIsNotAnsweredGainsNothing() throws IOException {
    try (RawClient client = client("sly")) {
      // The answer to the second, which fails, may be taken for one to the first.
      byte[] fails = Messages.request(add("acme/secret"), 99, -1);
      byte[] works = Messages.request(add("own"), 99, -1);
      client.send(Messages.join(List.of(works, fails)));
      boolean open = true;
      try {
        client.receive();
        client.receive();
      } catch (EOFException | SocketException e) {
        open = false;
      }
      if (open) {
        assertThat(listeners("sly")).isEqualTo(1);
      }
    }
    awaitListeners("sly", 0);
  }
}
