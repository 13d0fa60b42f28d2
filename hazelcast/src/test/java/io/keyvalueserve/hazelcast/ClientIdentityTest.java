package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.ClientAddDistributedObjectListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientCreateProxyCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddNearCacheInvalidationListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapLockCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutCodec;
import com.hazelcast.client.impl.protocol.codec.MapUnlockCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.core.EntryEventType;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.MapService;
import io.keyvalueserve.grid.lock.LockHolder;
import io.keyvalueserve.maps.ChargedTo;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever id a client says it has, it is charged and locks as one of its own tenant's, and
 * hears of nobody else's id. Method: clients that take the id of another tenant's, or of a member,
 * or none, at two members.
 */
final class ClientIdentityTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final QualifiedName MAP =
      new QualifiedName(new TenantName("acme"), new MapName("orders"));
  private static final int COPIES = 2;
  private static final int ENTRIES = 60;
  private static final UUID NIL = new UUID(0, 0);

  private static final List<DoorMember> MEMBERS = new ArrayList<>();

  @BeforeAll
  static void start() {
    for (int i = 0; i < 2; i++) {
      List<String> others =
          MEMBERS.stream().map(member -> "127.0.0.1:" + member.member.memberPort()).toList();
      DoorMember member = new DoorMember(null, others);
      member.quota("acme", Quota.USUAL);
      member.quota("globex", Quota.USUAL);
      member.grant("acme", "orders", "globex", Map.of(Scope.MAP, Rights.ALL));
      MEMBERS.add(member);
    }
  }

  @AfterAll
  static void stop() {
    MEMBERS.reversed().forEach(DoorMember::close);
  }

  private static RawClient client(int member) throws IOException {
    return new RawClient(MEMBERS.get(member).member.clientPort());
  }

  private static ClientMessage ask(RawClient client, ClientMessage request, Data key)
      throws IOException {
    client.send(Messages.request(request, 7, Messages.partition(key)));
    return client.receive();
  }

  private static void assertDone(ClientMessage answer) {
    assertThat(answer.getMessageType()).isNotEqualTo(ErrorsCodec.EXCEPTION_MESSAGE_TYPE);
  }

  @Test
  void whoSaysNoIdIsRefused() throws IOException {
    assertRefused(null, "no UUID of the client");
  }

  @Test
  void whoSaysAMembersIdIsRefused() throws IOException {
    List<UUID> ids =
        MEMBERS.getFirst().member.members().stream().map(member -> member.uuid()).toList();
    assertThat(ids).hasSize(2);
    for (UUID id : ids) {
      assertRefused(id, "the UUID of a member");
    }
  }

  private static void assertRefused(@Nullable UUID id, String why) throws IOException {
    try (RawClient client = client(0)) {
      client.send(RawClient.authentication("acme", id));
      ClientMessage answer = client.receive();
      assertThat(answer.getMessageType()).isEqualTo(ErrorsCodec.EXCEPTION_MESSAGE_TYPE);
      assertThat(ErrorsCodec.decode(answer).getFirst().getMessage()).contains(why);
      client.send(RawClient.authentication("acme", UUID.randomUUID()));
      assertThatThrownBy(() -> untilClosed(client)).isInstanceOf(IOException.class);
    }
  }

  /** What is said last may not arrive. */
  private static void untilClosed(RawClient client) throws IOException {
    while (true) {
      ClientMessage last = client.receive();
      assertThat(last.getMessageType()).isEqualTo(ErrorsCodec.EXCEPTION_MESSAGE_TYPE);
    }
  }

  @Test
  void locksOfAnothersClientAreNotTakenOffByItsId() throws IOException {
    UUID id = UUID.randomUUID();
    try (RawClient acme = client(0).authenticate("acme", id)) {
      for (int i = 0; i < 10; i++) {
        Data key = Messages.data("locked " + i);
        assertDone(ask(acme, MapLockCodec.encodeRequest("orders", key, 1, -1, i), key));
      }
      for (int member = 0; member < 2; member++) {
        try (RawClient globex = client(member).authenticate("globex", id)) {
          for (int i = 0; i < 10; i++) {
            Data key = Messages.data("locked " + i);
            ClientMessage answer =
                ask(globex, MapUnlockCodec.encodeRequest("acme/orders", key, 1, 100 + i), key);
            assertThat(answer.getMessageType()).isEqualTo(ErrorsCodec.EXCEPTION_MESSAGE_TYPE);
          }
        }
      }
      // Hazelcast takes off what a client holds once it is gone: that of the others it is not.
      await().atMost(PATIENCE).until(() -> sessionsOf("globex") == 0);
      assertThat(MEMBERS.getFirst().member.locks().list(MAP).locks())
          .hasSize(10)
          .allSatisfy(lock -> assertThat(lock.holder().tenant()).isEqualTo("acme"))
          .allSatisfy(
              lock -> assertThat(lock.holder().client()).isEqualTo(LockHolder.Client.HAZELCAST));
      await().atMost(PATIENCE).until(() -> locksHeld("acme") == 10 && locksHeld("globex") == 0);
    }
    // It connects anew, at another member: it is who it was.
    try (RawClient acme = client(1).authenticate("acme", id)) {
      for (int i = 0; i < 10; i++) {
        Data key = Messages.data("relocked " + i);
        assertDone(ask(acme, MapLockCodec.encodeRequest("orders", key, 1, -1, 200 + i), key));
      }
      try (RawClient again = client(0).authenticate("acme", id)) {
        for (int i = 0; i < 10; i++) {
          Data key = Messages.data("relocked " + i);
          assertDone(ask(again, MapUnlockCodec.encodeRequest("orders", key, 1, 300 + i), key));
        }
      }
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(MEMBERS.getFirst().member.locks().list(MAP).locks()).isEmpty());
  }

  private static int sessionsOf(String tenant) {
    return MEMBERS.stream()
        .mapToInt(member -> member.sessions.count(DoorMember.number(tenant)))
        .sum();
  }

  private static int locksHeld(String tenant) {
    TenantName name = new TenantName(tenant);
    return MEMBERS.stream().mapToInt(member -> member.member.quotas().locksHere(name)).sum();
  }

  @Test
  void whatAClientWritesUnderAnothersIdIsItsOwn() throws IOException {
    var _ = MEMBERS.getFirst().member.mapSettings().setChargedTo(MAP, ChargedTo.WRITER, PATIENCE);
    UUID id = UUID.randomUUID();
    try (RawClient acme = client(0).authenticate("acme", id);
        RawClient globex = client(1).authenticate("globex", id);
        RawClient sameMember = client(0).authenticate("globex", id)) {
      for (int i = 0; i < ENTRIES; i++) {
        put(acme, "orders", "acme " + i);
        put(globex, "acme/orders", "globex " + i);
        put(sameMember, "acme/orders", "globex too " + i);
      }
      Map<String, Long> charged = Map.of("acme", (long) ENTRIES, "globex", 2L * ENTRIES);
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(entries()).isEqualTo(charged));
    }
  }

  private static void put(RawClient client, String map, String name) throws IOException {
    Data key = Messages.data(name);
    // With a time to live, which is no direct answer's.
    assertDone(ask(client, MapPutCodec.encodeRequest(map, key, key, 1, 3_600_000), key));
  }

  private static Map<String, Long> entries() {
    Map<String, Long> entries = new HashMap<>();
    for (String tenant : List.of("acme", "globex")) {
      long sum =
          MEMBERS.stream().mapToLong(member -> member.admissions.usage(tenant).entriesHere()).sum();
      entries.put(tenant, sum / COPIES);
    }
    return entries;
  }

  @Test
  void eventsOfObjectsTellAClientNoIdButItsOwn() throws IOException {
    UUID id = UUID.randomUUID();
    Map<String, UUID> sources = new HashMap<>();
    ClientAddDistributedObjectListenerCodec.AbstractEventHandler handler =
        new ClientAddDistributedObjectListenerCodec.AbstractEventHandler() {
          @Override
          public void handleDistributedObjectEvent(
              String name, String service, String type, UUID source) {
            sources.put(name, source);
          }
        };
    HazelcastInstance other = MEMBERS.get(1).client("acme");
    try (RawClient acme = client(0).authenticate("acme", id)) {
      acme.send(
          Messages.request(ClientAddDistributedObjectListenerCodec.encodeRequest(false), 7, -1));
      assertDone(acme.receive());
      acme.send(
          Messages.request(
              ClientCreateProxyCodec.encodeRequest("of itself", MapService.SERVICE_NAME), 8, -1));
      IMap<String, String> _ = other.getMap("of another");
      while (sources.size() < 2) {
        ClientMessage message = acme.receive();
        if (isEvent(message)) {
          handler.handle(message);
        }
      }
    } finally {
      other.shutdown();
    }
    assertThat(sources).isEqualTo(Map.of("of itself", id, "of another", NIL));
  }

  @Test
  void eventsOfNearCachesTellAClientNoIdButItsOwn() throws IOException {
    UUID id = UUID.randomUUID();
    Set<UUID> sources = new HashSet<>();
    MapAddNearCacheInvalidationListenerCodec.AbstractEventHandler handler =
        new MapAddNearCacheInvalidationListenerCodec.AbstractEventHandler() {
          @Override
          public void handleIMapInvalidationEvent(
              @Nullable Data key, UUID source, UUID partition, long sequence) {
            sources.add(source);
          }

          @Override
          public void handleIMapBatchInvalidationEvent(
              Collection<Data> keys,
              Collection<UUID> from,
              Collection<UUID> partitions,
              Collection<Long> sequences) {
            sources.addAll(from);
          }
        };
    HazelcastInstance other = MEMBERS.getFirst().client("initech");
    try (RawClient initech = client(0).authenticate("initech", id)) {
      initech.send(
          Messages.request(
              MapAddNearCacheInvalidationListenerCodec.encodeRequest(
                  "near", EntryEventType.INVALIDATION.getType(), false),
              7,
              -1));
      assertDone(initech.receive());
      IMap<String, String> map = other.getMap("near");
      for (int i = 0; i < 300; i++) { // invalidations are sent by the hundred
        map.set("k" + i, "v");
        Data key = Messages.data("own " + i);
        initech.send(
            Messages.request(
                MapPutCodec.encodeRequest("near", key, key, 1, -1),
                100 + i,
                Messages.partition(key)));
      }
      while (sources.size() < 2) {
        ClientMessage message = initech.receive();
        if (isEvent(message)) {
          handler.handle(message);
        }
      }
    } finally {
      other.shutdown();
    }
    assertThat(sources).containsExactlyInAnyOrder(id, NIL);
  }

  private static boolean isEvent(ClientMessage message) {
    return ClientMessage.isFlagSet(message.getHeaderFlags(), ClientMessage.IS_EVENT_FLAG);
  }
}
