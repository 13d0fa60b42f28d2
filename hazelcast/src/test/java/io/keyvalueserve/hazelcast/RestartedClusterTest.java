package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.cluster.ClusterState;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.partition.MigrationEndpoint;
import com.hazelcast.internal.partition.PartitionMigrationEvent;
import com.hazelcast.internal.partition.impl.InternalPartitionServiceImpl;
import com.hazelcast.internal.partition.impl.PartitionStateManager;
import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.hazelcast.spi.properties.ClusterProperty;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.restart.RestartConfig;
import io.keyvalueserve.grid.restart.RestartPolicy;
import io.keyvalueserve.grid.restart.WhileLoading;
import io.keyvalueserve.grid.space.TestGrid;
import io.keyvalueserve.maps.LostPartitions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Members that come back together, each from what its disk was at some moment: a directory that is
 * copied while its member runs is what a crash would have left.
 */
final class RestartedClusterTest {
  private static final int KEYS = 400;

  /** For a member that is being started: as long as a busy machine may take. */
  private static final Duration WILL_COME = Duration.ofMinutes(1);

  /** For one that stays down: waited out. */
  private static final Duration WILL_NOT_COME = Duration.ofSeconds(1);

  @TempDir private Path root;

  /** Members are told soon who has what. */
  @BeforeAll
  static void tellSoon() {
    System.setProperty(ClusterProperty.PARTITION_TABLE_SEND_INTERVAL.getName(), "1");
  }

  @AfterAll
  static void tellAsUsual() {
    System.clearProperty(ClusterProperty.PARTITION_TABLE_SEND_INTERVAL.getName());
  }

  private final int firstPort = TestGrid.freePorts();
  private final List<Integer> ports = List.of(firstPort, firstPort + 1);

  /** A crash may leave the backup's disk with less than the owner's. */
  @Test
  void aBackupThatIsBehindItsOwnerIsMadeAnew() throws IOException {
    try (Cluster cluster = new Cluster("first", RestartPolicy.FULL)) {
      cluster.write("old");
      copy("first-1", "second-1");
      cluster.write("new");
      copy("first-0", "second-0");
    }
    List<Integer> renewed;
    try (Cluster cluster = new Cluster("second", RestartPolicy.FULL)) {
      renewed = cluster.keysWith("new"); // of those that the first member owns
      assertThat(renewed).hasSizeBetween(1, KEYS - 1);
      cluster.awaitSafe();
      copy("second-1", "third-1");
    }
    try (DoorMember alone = member(root.resolve("third-1"), 1, RestartPolicy.PARTIAL)) {
      assertThat(keysWith(alone, "new")).isEqualTo(renewed);
    }
  }

  /** Or the first to come back would not know of the others, and found a cluster of its own. */
  @Test
  void whoJoinsHasNotedTheOthersBeforeItServes() throws IOException {
    System.clearProperty(ClusterProperty.PARTITION_TABLE_SEND_INTERVAL.getName()); // told late
    try (DoorMember holder = member(root.resolve("first-0"), 0, RestartPolicy.FULL)) {
      write(holder, "written");
      instance(0).getCluster().changeClusterState(ClusterState.NO_MIGRATION);
      try (DoorMember _ = member(root.resolve("first-1"), 1, RestartPolicy.FULL)) {
        assertThat(partitions(1).isInitialized()).isFalse(); // or it would show nothing
        copy("first-1", "second-1");
      }
    } finally {
      tellSoon();
    }
    assertThatThrownBy(() -> member(root.resolve("second-1"), 1, RestartPolicy.COMPLETE))
        .hasMessageContaining("members that held data are missing");
  }

  /**
   * The only member that had them dies before the other one has got any of them, or has even been
   * told who has them.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void partitionsThatWereGivenToSomebodyWhoNeverHadThemAreRefusedAndComeBack(boolean told) {
    lose(
        told,
        (other, gone, map) ->
            assertThatThrownBy(() -> map.set(0, "other")).hasMessageContaining("is lost"));
    try (Cluster cluster = new Cluster("first", RestartPolicy.FULL)) {
      assertThat(cluster.keysWith("written")).hasSize(KEYS);
    }
  }

  @Test
  void partitionsWhoseHolderIsForgottenGoOnWithWhatThereIs() {
    lose(
        true,
        (other, gone, map) -> {
          LostPartitions lost = other.member.maps().lost();
          assertThat(lost.giveUp(Set.of(UUID.randomUUID()), 1)).as("somebody else").isEmpty();
          assertThat(lost.giveUp(Set.of(gone), 1)).isNotEmpty();
          assertThat(other.member.lostHere()).isEmpty();
          assertThat(map.get(0)).isNull();
          map.set(0, "other");
          assertThat(map.get(0)).isEqualTo("other");
        });
  }

  /** What is looked at at a member whose partitions were lost with another. */
  private interface AfterLoss {
    void look(DoorMember other, UUID gone, IMap<Integer, String> map);
  }

  private void lose(boolean told, AfterLoss then) {
    Path first = root.resolve("first-0");
    Path second = root.resolve("first-1");
    try (DoorMember holder = member(first, 0, RestartPolicy.FULL)) {
      write(holder, "written");
      instance(0).getCluster().changeClusterState(ClusterState.NO_MIGRATION);
      try (DoorMember other = member(second, 1, RestartPolicy.FULL)) {
        await().until(() -> other.member.members().size() == 2);
        if (told) {
          await().atMost(Duration.ofMinutes(1)).until(() -> partitions(1).isInitialized());
        }
        UUID gone = instance(0).getCluster().getLocalMember().getUuid();
        instance(0).getLifecycleService().terminate();
        await().until(() -> other.member.members().size() == 1);
        await("what the death began is over")
            .ignoreException(IllegalStateException.class)
            .untilAsserted(() -> instance(1).getCluster().changeClusterState(ClusterState.ACTIVE));
        HazelcastInstance client = other.client("acme");
        IMap<Integer, String> map = client.getMap("orders");
        await("the partitions have a new owner")
            .untilAsserted(
                () -> assertThatThrownBy(() -> map.get(0)).hasMessageContaining("is lost"));
        then.look(other, gone, map);
        client.shutdown();
      }
    }
  }

  /**
   * Two members are asked to end at the same moment, and one hands its partitions to the other. It
   * learns that these have gone when it has left the cluster, too late to keep it in its file; so
   * the other may have been, as well.
   */
  @Test
  void aMemberThatGoesDownGivesNothingUpIfNobodyWouldKnowWhoHasIt() {
    Path directory = root.resolve("first-0");
    try (DoorMember member = member(directory, 0, RestartPolicy.FULL)) {
      write(member, "written");
      Node node = node(0);
      node.getClusterService().resetJoinState(); // the first thing that a node does
      MapService maps = node.getNodeEngine().getService(MapService.SERVICE_NAME);
      for (int id = 0; id < node(0).getPartitionService().getPartitionCount(); id++) {
        partitions(0).incrementPartitionVersion(id, 2); // its row has changed
        PartitionMigrationEvent handedOver =
            new PartitionMigrationEvent(MigrationEndpoint.SOURCE, id, 0, -1, UUID.randomUUID());
        inPartition(
            id,
            () -> {
              maps.beforeMigration(handedOver);
              maps.commitMigration(handedOver);
            });
      }
    }
    try (DoorMember member = member(directory, 0, RestartPolicy.FULL)) {
      assertThat(keysWith(member, "written")).hasSize(KEYS);
    }
  }

  private void inPartition(int id, Runnable task) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    node(0)
        .getNodeEngine()
        .getOperationService()
        .execute(
            new PartitionSpecificRunnable() {
              @Override
              public int getPartitionId() {
                return id;
              }

              @Override
              public void run() {
                try {
                  task.run();
                  done.complete(null);
                } catch (Throwable e) {
                  done.completeExceptionally(e);
                }
              }
            });
    done.orTimeout(30, TimeUnit.SECONDS).join();
  }

  private HazelcastInstance instance(int number) {
    return HazelcastInstanceFactory.getAllHazelcastInstances().stream()
        .filter(
            each -> each.getCluster().getLocalMember().getAddress().getPort() == ports.get(number))
        .findAny()
        .orElseThrow();
  }

  private PartitionStateManager partitions(int number) {
    return ((InternalPartitionServiceImpl) node(number).getPartitionService())
        .getPartitionStateManager();
  }

  private Node node(int number) {
    return ((HazelcastInstanceProxy) instance(number)).getOriginal().node;
  }

  private static void write(DoorMember member, String value) {
    HazelcastInstance client = member.client("acme");
    IMap<Integer, String> map = client.getMap("orders");
    for (int key = 0; key < KEYS; key++) {
      map.set(key, value);
    }
    client.shutdown();
  }

  private DoorMember member(Path directory, int number, RestartPolicy policy) {
    RestartConfig config =
        new RestartConfig(
            directory,
            Durability.ALWAYS,
            policy,
            policy == RestartPolicy.FULL ? WILL_COME : WILL_NOT_COME,
            4 << 20,
            WhileLoading.WAIT,
            map -> false,
            Restarts.KEYS_FIRST_BELOW,
            RestartConfig.SCRUB_EACH);
    List<String> join = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    return new DoorMember(config, ports.get(number), join);
  }

  private static List<Integer> keysWith(DoorMember member, String value) {
    HazelcastInstance client = member.client("acme");
    try {
      IMap<Integer, String> map = client.getMap("orders");
      List<Integer> keys = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        if (Objects.equals(map.get(key), value)) {
          keys.add(key);
        }
      }
      return keys;
    } finally {
      client.shutdown();
    }
  }

  private void copy(String from, String to) throws IOException {
    Restarts.copy(root.resolve(from), root.resolve(to));
  }

  /** Two members, started at the same time. */
  private final class Cluster implements AutoCloseable {
    private final List<DoorMember> members;

    Cluster(String name, RestartPolicy policy) {
      CompletableFuture<DoorMember> other =
          CompletableFuture.supplyAsync(() -> member(root.resolve(name + "-1"), 1, policy));
      DoorMember first = member(root.resolve(name + "-0"), 0, policy);
      members = List.of(first, other.join());
      await().until(() -> first.member.members().size() == 2);
      awaitSafe();
    }

    void awaitSafe() {
      await().atMost(Duration.ofMinutes(1)).until(() -> members.getFirst().member.isSafe());
    }

    void write(String value) {
      RestartedClusterTest.write(members.getFirst(), value);
    }

    List<Integer> keysWith(String value) {
      return RestartedClusterTest.keysWith(members.getFirst(), value);
    }

    @Override
    public void close() {
      members.forEach(DoorMember::close);
    }
  }
}
