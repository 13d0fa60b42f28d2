package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapAddIndexCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.cluster.Address;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.map.IMap;
import com.hazelcast.query.LocalIndexStats;
import com.hazelcast.query.Predicates;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.restart.RestartConfig;
import io.keyvalueserve.grid.settings.MapIndex;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Indexes that tenants make are there after a restart, until their map is destroyed. */
final class KeptIndexTest {
  private static final String TENANT = "acme";
  private static final IndexConfig SORTED = new IndexConfig(IndexType.SORTED, "this");

  @TempDir private Path directory;

  private interface Use {
    void of(DoorMember member, IMap<Integer, Integer> map) throws Exception;
  }

  private void run(Use use) throws Exception {
    RestartConfig config = Restarts.in(directory, Durability.EVERYSEC);
    try (DoorMember member = new DoorMember(config)) {
      HazelcastInstance client = member.client(TENANT);
      use.of(member, client.getMap("numbers"));
      client.shutdown();
    }
  }

  private static void fill(IMap<Integer, Integer> map) {
    for (int i = 0; i < 1_000; i++) {
      map.set(i, i % 10);
    }
  }

  private static List<MapIndex> kept(DoorMember member) {
    return member
        .member
        .mapSettings()
        .of(new QualifiedName(new TenantName(TENANT), new MapName("numbers")))
        .indexes();
  }

  /** What the member itself says of the map's indexes. */
  private static Map<String, LocalIndexStats> indexes(DoorMember member) {
    for (HazelcastInstance instance : Hazelcast.getAllHazelcastInstances()) {
      Address address =
          instance.getCluster().getLocalMember().getAddressMap().get(EndpointQualifier.CLIENT);
      if (address != null && address.getPort() == member.member.clientPort()) {
        return instance.getMap(TENANT + "/numbers").getLocalMapStats().getIndexStats();
      }
    }
    throw new IllegalStateException("the member is not in this process");
  }

  @Test
  void aRestartBringsIndexesBackAndQueriesUseThem() throws Exception {
    run(
        (member, map) -> {
          fill(map);
          map.addIndex(SORTED);
          map.addIndex(new IndexConfig(IndexType.HASH, "this").setName("hashed"));
        });
    for (int round = 0; round < 2; round++) {
      run(
          (member, map) -> {
            assertThat(indexes(member)).hasSize(2).containsKey("hashed");
            await() // an index is made again while the member serves
                .untilAsserted(
                    () -> {
                      assertThat(map.keySet(Predicates.equal("this", 7))).hasSize(100);
                      assertThat(map.keySet(Predicates.greaterThan("this", 8))).hasSize(100);
                      assertThat(indexes(member).values())
                          .allSatisfy(index -> assertThat(index.getQueryCount()).isPositive());
                    });
            map.set(7, 7_000);
            assertThat(map.keySet(Predicates.equal("this", 7))).hasSize(99);
            map.set(7, 7);
          });
    }
  }

  @Test
  void aRequestForAnIndexThatIsNotReadableIsAnsweredWithWhatItNeeds() throws Exception {
    run(
        (member, map) -> {
          ClientMessage whole = MapAddIndexCodec.encodeRequest("numbers", SORTED);
          ClientMessage.Frame name = whole.getStartFrame().next;
          ClientMessage cut = ClientMessage.createForEncode();
          cut.add(
              new ClientMessage.Frame(whole.getStartFrame().content, whole.getStartFrame().flags));
          cut.add(new ClientMessage.Frame(name.content));
          try (RawClient client = new RawClient(member.member.clientPort()).authenticate(TENANT)) {
            client.send(Messages.request(cut, 7, -1));
            ClientMessage answer = client.receive();
            assertThat(answer.getMessageType()).isEqualTo(ErrorsCodec.EXCEPTION_MESSAGE_TYPE);
            assertThat(ErrorsCodec.decode(answer).getFirst().getMessage())
                .contains("the request to add an index is not readable");
          }
          assertThat(kept(member)).isEmpty();
        });
  }

  @Test
  void aDestroyedMapLosesItsIndexesAndOneMadeAfterwardsStays() throws Exception {
    run(
        (member, map) -> {
          fill(map);
          map.addIndex(SORTED);
          assertThat(kept(member)).hasSize(1);
          map.destroy();
          await().until(() -> kept(member).isEmpty());
        });
    run(
        (member, map) -> {
          assertThat(indexes(member)).isEmpty();
          map.addIndex(SORTED);
          map.destroy();
          map.addIndex(SORTED);
        });
    run(
        (member, map) -> {
          fill(map);
          assertThat(kept(member)).hasSize(1);
          assertThat(map.keySet(Predicates.lessThan("this", 1))).hasSize(100);
          assertThat(indexes(member).values())
              .singleElement()
              .satisfies(index -> assertThat(index.getQueryCount()).isPositive());
        });
  }

  @Test
  void whatIsNoIndexIsRefusedAndNotKept() throws Exception {
    run(
        (member, map) -> {
          assertThatThrownBy(() -> map.addIndex(new IndexConfig(IndexType.SORTED, "this", "this")))
              .isInstanceOf(IllegalArgumentException.class);
          assertThatThrownBy(() -> map.addIndex(new IndexConfig(IndexType.BITMAP, "this")))
              .isInstanceOf(IllegalArgumentException.class);
          assertThat(kept(member)).isEmpty();
        });
  }
}
