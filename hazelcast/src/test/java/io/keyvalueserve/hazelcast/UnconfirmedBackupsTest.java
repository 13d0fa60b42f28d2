package io.keyvalueserve.hazelcast;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.partition.impl.PartitionReplicaManager;
import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.operationservice.impl.UnconfirmedBackups;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.quorum.SplitMode;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.settings.KeepingChange;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A write whose backup says nothing: the member that has it does not come to it. */
@Timeout(120)
final class UnconfirmedBackupsTest {
  private static final String TENANT = "acme";
  private static final QualifiedName LEDGER =
      new QualifiedName(new TenantName(TENANT), new MapName("ledger"));
  private static final int LAST = Messages.PARTITIONS - 1; // it is what is held
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Each test waits it out. */
  @BeforeAll
  static void doubtSoon() {
    System.setProperty(UnconfirmedBackups.doubtProperty(), "3000");
  }

  @AfterAll
  static void doubtAsUsual() {
    System.clearProperty(UnconfirmedBackups.doubtProperty());
  }

  @TempDir private Path first;
  @TempDir private Path second;

  @FunctionalInterface
  private interface Use {
    /** The members are the owner of the key's partition, and the one that has its backup. */
    void of(DoorMember owner, DoorMember backup, String key) throws Exception;
  }

  private void run(Use use) throws Exception {
    run(SplitMode.AVAILABLE, use);
  }

  private void run(SplitMode split, Use use) throws Exception {
    try (DoorMember founder =
            new DoorMember(Restarts.in(first, Durability.EVERYSEC), List.of(), split);
        DoorMember joiner =
            new DoorMember(
                Restarts.in(second, Durability.EVERYSEC),
                List.of("127.0.0.1:" + founder.member.memberPort()),
                split)) {
      var _ =
          founder
              .member
              .mapSettings()
              .keep(LEDGER, KeepingChange.NOTHING.durability(Durability.ALWAYS), PATIENCE);
      await().atMost(PATIENCE).until(founder.member::isSafe);
      HazelcastInstance client = founder.client(TENANT);
      String key = keyOfLastPartition(client);
      UUID owner =
          requireNonNull(client.getPartitionService().getPartition(key).getOwner()).getUuid();
      client.shutdown();
      boolean founderOwns =
          founder.member.members().stream()
              .anyMatch(member -> member.local() && member.uuid().equals(owner));
      use.of(founderOwns ? founder : joiner, founderOwns ? joiner : founder, key);
    }
  }

  @Test
  void aWriteIsInDoubtIfNothingMayBeLostAndElseTakenForDone() throws Exception {
    run(
        (owner, backup, key) -> {
          HazelcastInstance client = owner.client(TENANT);
          IMap<String, String> ledger = client.getMap("ledger");
          IMap<String, String> cache = client.getMap("cache");
          ledger.set(key, "before");
          try (HeldPartition _ = HeldPartition.of(backup)) {
            CompletionStage<Void> cached = cache.setAsync(key, "value"); // both wait at once
            assertThatThrownBy(() -> ledger.set(key, "in doubt"))
                .isInstanceOf(IndeterminateOperationStateException.class);
            assertThat(cached.toCompletableFuture()).succeedsWithin(PATIENCE);
            assertThat(cache.get(key)).isEqualTo("value");
          }
          ledger.set(key, "after");
          assertThat(ledger.get(key)).isEqualTo("after");
          client.shutdown();
        });
  }

  /** Its owner may be cut off from the backup, which takes its place. */
  @Test
  void whereAMajorityDecidesEachWriteIsInDoubt() throws Exception {
    run(
        SplitMode.CONSISTENT,
        (owner, backup, key) -> {
          HazelcastInstance client = owner.client(TENANT);
          IMap<String, String> cache = client.getMap("cache");
          cache.set(key, "before");
          try (HeldPartition _ = HeldPartition.of(backup)) {
            assertThatThrownBy(() -> cache.set(key, "in doubt"))
                .isInstanceOf(IndeterminateOperationStateException.class);
          }
          cache.set(key, "after");
          assertThat(cache.get(key)).isEqualTo("after");
          client.shutdown();
        });
  }

  /** As while partitions move. Whoever asks for the write is not the owner here. */
  @Test
  void aBackupThatHasDroppedAWriteGetsItBeforeThatIsAnswered() throws Exception {
    run(
        (owner, backup, key) -> {
          HazelcastInstance client = backup.client(TENANT);
          IMap<String, String> ledger = client.getMap("ledger");
          ledger.set(key, "before");
          dropsWrites(backup);
          ledger.set(key, "after");
          instance(owner).getLifecycleService().terminate();
          assertThat(ledger.get(key)).isEqualTo("after");
          client.shutdown();
        });
  }

  /** The backup takes itself for newer than what its owner sends. */
  private static void dropsWrites(DoorMember backup) {
    Node node = ((HazelcastInstanceProxy) instance(backup)).getOriginal().node;
    PartitionReplicaManager versions = node.partitionService.getReplicaManager();
    backup
        .member
        .maps()
        .exclusively(
            LAST,
            () ->
                versions.setPartitionReplicaVersions(
                    LAST,
                    MapService.getObjectNamespace("acme/ledger"),
                    new long[] {1_000_000, 0, 0, 0, 0, 0},
                    1));
  }

  private static HazelcastInstance instance(DoorMember member) {
    UUID uuid =
        member.member.members().stream().filter(MemberInfo::local).findAny().orElseThrow().uuid();
    return HazelcastInstanceFactory.getAllHazelcastInstances().stream()
        .filter(each -> each.getCluster().getLocalMember().getUuid().equals(uuid))
        .findAny()
        .orElseThrow();
  }

  private static String keyOfLastPartition(HazelcastInstance client) {
    return IntStream.range(0, 100_000)
        .mapToObj(i -> "key-" + i)
        .filter(key -> client.getPartitionService().getPartition(key).getPartitionId() == LAST)
        .findAny()
        .orElseThrow();
  }
}
