package io.keyvalueserve.hazelcast;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import com.hazelcast.map.IMap;
import com.hazelcast.spi.impl.operationservice.impl.UnconfirmedBackups;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.restart.BadDisk;
import io.keyvalueserve.grid.restart.BadDisk.Fault;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: when a disk fails, a write that was not carried out is answered so and has changed nothing,
 * and one that was carried out and may not last is answered as in doubt.
 */
@Timeout(180)
final class InDoubtTest {
  private static final String TENANT = "acme";
  private static final String MAP = "orders";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** So long that it is a file of its own, which a full disk has no space for. */
  private static final int LONG = 300 << 10;

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

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static KeyMap keys(DoorMember member) {
    return member
        .member
        .engine()
        .space(new Identity(new TenantName(TENANT), DoorMember.number(TENANT), "k"))
        .map(new MapName(MAP));
  }

  private static List<Outcome> run(KeyMap map, KeyCommand... commands) throws Exception {
    Outcome[] outcomes = new Outcome[commands.length];
    AtomicInteger missing = new AtomicInteger(commands.length);
    CompletableFuture<List<Outcome>> all = new CompletableFuture<>();
    map.submit(
        List.of(commands),
        (index, outcome) -> {
          outcomes[index] = outcome;
          if (missing.decrementAndGet() == 0) {
            all.complete(Arrays.asList(outcomes));
          }
        });
    return all.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static List<Object> kinds(List<Outcome> outcomes) {
    return outcomes.stream()
        .map(
            outcome ->
                outcome instanceof Outcome.Failure failure
                    ? failure.kind()
                    : (Object) outcome.getClass())
        .toList();
  }

  // ---- one member

  @Test
  void aHazelcastClientIsToldWhatIsInDoubtAndWhatWasNotDone() {
    try (BadDisk disk = new BadDisk(first);
        DoorMember member = new DoorMember(Restarts.in(first, Durability.ALWAYS))) {
      HazelcastInstance client = member.client(TENANT);
      IMap<String, String> map = client.getMap(MAP);
      map.set("key", "before");
      disk.becomes(Fault.SYNC);
      assertThatThrownBy(() -> map.set("key", "in doubt"))
          .isInstanceOf(IndeterminateOperationStateException.class)
          .hasMessageContaining("carried out")
          .hasMessageContaining("read the key again");
      assertThatThrownBy(() -> map.set("key", "refused"))
          .isExactlyInstanceOf(HazelcastException.class)
          .hasMessageContaining("was not carried out");
      assertThat(map.get("key")).isEqualTo("in doubt");
      client.shutdown();
    }
  }

  @Test
  void ofABatchEachCommandIsToldWhatBecameOfIt() throws Exception {
    try (BadDisk disk = new BadDisk(first);
        DoorMember member = new DoorMember(Restarts.in(first, Durability.ALWAYS))) {
      KeyMap map = keys(member);
      byte[] key = bytes("key");
      byte[] value = bytes("value");
      List<Outcome> _ = run(map, KeyCommand.Write.of(key, value));
      disk.becomes(Fault.SYNC);
      KeyCommand[] commands = {
        new KeyCommand.Read(key),
        KeyCommand.Write.of(key, bytes("next")),
        new KeyCommand.Increment(key, 1),
        new KeyCommand.Remove(key, false),
        new KeyCommand.Remove(key, false)
      };
      List<Object> told = kinds(run(map, commands));
      assertThat(told.subList(0, 3))
          .containsExactly(Outcome.Entry.class, Kind.IN_DOUBT, Outcome.Rejected.class);
      // The disk may be found bad while the batch runs: what follows is refused then.
      boolean removed = told.get(3) == Kind.IN_DOUBT;
      assertThat(told.subList(3, 5))
          .containsExactly(
              removed ? Kind.IN_DOUBT : Kind.NOT_LOGGED,
              removed ? Outcome.Missing.class : Kind.NOT_LOGGED);
      Object missingOrRefused = removed ? Outcome.Missing.class : Kind.NOT_LOGGED;
      assertThat(kinds(run(map, commands)))
          .containsExactly(
              removed ? Outcome.Missing.class : Outcome.Entry.class,
              Kind.NOT_LOGGED,
              removed ? Kind.NOT_LOGGED : Outcome.Rejected.class,
              missingOrRefused,
              missingOrRefused);
    }
  }

  @Test
  void whoWaitsForTheDiskIsToldThatItHasFailed() throws Exception {
    try (BadDisk disk = new BadDisk(first);
        DoorMember member = new DoorMember(Restarts.in(first, Durability.EVERYSEC))) {
      KeyMap map = keys(member);
      assertThat(kinds(run(map, KeyCommand.Write.of(bytes("key"), bytes("value")))))
          .containsExactly(Outcome.Applied.class);
      assertThat(onDisk(map).get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(1);
      disk.becomes(Fault.SYNC);
      List<Outcome> _ = run(map, KeyCommand.Write.of(bytes("key"), bytes("next")));
      assertThatThrownBy(() -> onDisk(map).get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .cause()
          .isInstanceOfSatisfying(
              EngineException.class,
              thrown -> {
                assertThat(thrown.failure().kind()).isEqualTo(Kind.IN_DOUBT);
                assertThat(thrown.failure().message()).contains("the disk of a member has failed");
              });
    }
  }

  private static CompletableFuture<Integer> onDisk(KeyMap map) {
    return map.copiesOnDisk().toCompletableFuture();
  }

  /** The log finds out about the space only when the value is on its way to the disk. */
  @Test
  void whatAFullDiskRefusesHasChangedNothing() {
    try (BadDisk disk = new BadDisk(first);
        DoorMember member = new DoorMember(Restarts.in(first, Durability.ALWAYS))) {
      HazelcastInstance client = member.client(TENANT);
      IMap<String, String> map = client.getMap(MAP);
      String before = "a".repeat(LONG);
      String after = "b".repeat(LONG);
      map.set("expires", before, 1, TimeUnit.HOURS);
      map.set("stays", before);
      long expiry = map.getEntryView("expires").getExpirationTime();
      disk.becomes(Fault.FULL);
      assertRefused(() -> map.set("stays", after));
      assertRefused(() -> map.set("expires", after, 2, TimeUnit.HOURS));
      assertRefused(() -> map.setTtl("expires", 2, TimeUnit.HOURS));
      assertRefused(() -> map.setTtl("stays", 2, TimeUnit.HOURS));
      assertRefused(() -> map.set("new", after));
      assertThat(map.get("stays")).isEqualTo(before);
      assertThat(map.get("expires")).isEqualTo(before);
      assertThat(map.getEntryView("expires").getExpirationTime()).isEqualTo(expiry);
      assertThat(map.getEntryView("stays").getExpirationTime()).isEqualTo(Long.MAX_VALUE);
      assertThat(map.containsKey("new")).isFalse();
      assertThat(map.size()).isEqualTo(2);
      disk.becomes(Fault.NONE);
      map.set("new", after);
      map.set("stays", after);
      client.shutdown();
    }
    try (DoorMember member = new DoorMember(Restarts.in(first, Durability.ALWAYS))) {
      HazelcastInstance client = member.client(TENANT);
      IMap<String, String> map = client.getMap(MAP);
      assertThat(map.get("stays")).startsWith("b");
      assertThat(map.get("new")).startsWith("b");
      assertThat(map.get("expires")).startsWith("a");
      client.shutdown();
    }
  }

  private static void assertRefused(Runnable write) {
    assertThatThrownBy(write::run)
        .isExactlyInstanceOf(HazelcastException.class)
        .hasMessageContaining("did not take the write");
  }

  /** Of several entries that go to one partition, some are written when the disk is found full. */
  @Test
  void whatWasCarriedOutInPartIsInDoubt() {
    try (BadDisk disk = new BadDisk(first);
        DoorMember member = new DoorMember(Restarts.in(first, Durability.ALWAYS))) {
      HazelcastInstance client = member.client(TENANT);
      IMap<String, String> map = client.getMap(MAP);
      List<String> keys =
          IntStream.range(0, 100_000)
              .mapToObj(i -> "key-" + i)
              .filter(key -> client.getPartitionService().getPartition(key).getPartitionId() == 1)
              .limit(20)
              .toList();
      map.set("other", "value"); // the log has the chunks that it needs
      disk.becomes(Fault.FULL);
      Map<String, String> entries =
          keys.stream()
              .collect(
                  Collectors.toMap(
                      key -> key, key -> key.equals(keys.get(7)) ? "a".repeat(LONG) : "short"));
      assertThatThrownBy(() -> map.putAll(entries))
          .isInstanceOf(IndeterminateOperationStateException.class);
      assertThat(map.containsKey(keys.get(7))).isFalse();
      assertThat(map.size()).isBetween(2, keys.size());
      client.shutdown();
    }
  }

  // ---- two members

  @FunctionalInterface
  private interface Use {
    /** The key is in a partition whose backup is on the bad disk. */
    void of(DoorMember owner, DoorMember backup, BadDisk disk, String key) throws Exception;
  }

  private void withABadBackup(Durability durability, Use use) throws Exception {
    try (DoorMember owner = new DoorMember(Restarts.in(first, durability));
        BadDisk disk = new BadDisk(second);
        DoorMember backup =
            new DoorMember(
                Restarts.in(second, durability),
                List.of("127.0.0.1:" + owner.member.memberPort()))) {
      await().atMost(PATIENCE).until(() -> backup.member.members().size() == 2);
      await().atMost(PATIENCE).until(owner.member::isSafe);
      use.of(owner, backup, disk, keyOf(owner));
    }
  }

  private static UUID id(DoorMember member) {
    return member.member.members().stream()
        .filter(MemberInfo::local)
        .findAny()
        .orElseThrow()
        .uuid();
  }

  private static String keyOf(DoorMember owner) {
    HazelcastInstance client = owner.client(TENANT);
    try {
      return IntStream.range(0, 100_000)
          .mapToObj(i -> "key-" + i)
          .filter(
              key ->
                  requireNonNull(client.getPartitionService().getPartition(key).getOwner())
                      .getUuid()
                      .equals(id(owner)))
          .findAny()
          .orElseThrow();
    } finally {
      client.shutdown();
    }
  }

  @Test
  @Tag("flaky") // docs/flaky.md
  void aWriteThatABackupsDiskDoesNotConfirmIsInDoubt() throws Exception {
    withABadBackup(
        Durability.ALWAYS,
        (owner, backup, disk, key) -> {
          HazelcastInstance client = owner.client(TENANT);
          IMap<String, String> map = client.getMap(MAP);
          map.set(key, "before");
          disk.becomes(Fault.SYNC);
          CompletionStage<Void> set = map.setAsync(key, "in doubt"); // both wait at the same time
          KeyMap keys = keys(owner);
          assertThat(
                  kinds(
                      run(
                          keys,
                          new KeyCommand.Read(bytes(key)),
                          KeyCommand.Write.of(bytes(key), bytes("in doubt")),
                          new KeyCommand.Increment(bytes(key), 1))))
              .containsExactly(Outcome.Entry.class, Kind.IN_DOUBT, Outcome.Rejected.class);
          assertThat(set.toCompletableFuture())
              .failsWithin(PATIENCE)
              .withThrowableThat()
              .havingCause()
              .isInstanceOf(IndeterminateOperationStateException.class)
              .withMessageContaining("read the key again");
          client.shutdown();
        });
  }

  /** The owner's answer has come from another member, and waits there as the packet that it was. */
  @Test
  void aWriteFromAnotherMemberThatABackupsDiskDoesNotConfirmIsInDoubt() throws Exception {
    withABadBackup(
        Durability.ALWAYS,
        (owner, backup, disk, key) -> {
          KeyMap keys = keys(backup);
          assertThat(kinds(run(keys, KeyCommand.Write.of(bytes(key), bytes("before")))))
              .doesNotContain(Kind.IN_DOUBT);
          disk.becomes(Fault.SYNC);
          assertThat(kinds(run(keys, KeyCommand.Write.of(bytes(key), bytes("in doubt")))))
              .containsExactly(Kind.IN_DOUBT);
        });
  }

  /** A write that was acknowledged is not given out in an older state. */
  @Test
  void aBackupWhoseDiskRefusedAWriteDoesNotTakeItsOwnersPlace() throws Exception {
    withABadBackup(
        Durability.EVERYSEC,
        (owner, backup, disk, key) -> {
          HazelcastInstance client = owner.client(TENANT);
          IMap<String, String> map = client.getMap(MAP);
          map.set(key, "old");
          disk.becomes(Fault.WRITE);
          await("the log has failed")
              .atMost(PATIENCE)
              .until(
                  () -> {
                    var _ = map.setAsync(key, "older"); // each waits for its backup in vain
                    return requireNonNull(backup.member.logFigures()).failed();
                  });
          map.set(key, "acknowledged");
          client.shutdown();
          instance(owner).getLifecycleService().terminate();
          HazelcastInstance other = backup.client(TENANT);
          IMap<String, String> left = other.getMap(MAP);
          await("the partition has another owner")
              .atMost(PATIENCE)
              .untilAsserted(
                  () -> assertThatThrownBy(() -> left.get(key)).hasMessageContaining("is lost"));
          other.shutdown();
        });
  }

  /** What is on the bad disk is older than what was acknowledged: it is not begun with alone. */
  @Test
  void aMemberWhoseDiskFailedDoesNotStartWithoutThoseWhoHaveMore() throws Exception {
    withABadBackup(
        Durability.EVERYSEC,
        (owner, backup, disk, key) -> {
          HazelcastInstance client = owner.client(TENANT);
          IMap<String, String> map = client.getMap(MAP);
          map.set(key, "old");
          disk.becomes(Fault.WRITE);
          map.set(key, "acknowledged");
          await("the log has failed")
              .atMost(PATIENCE)
              .until(() -> requireNonNull(backup.member.logFigures()).failed());
          client.shutdown();
          instance(backup).getLifecycleService().terminate();
          instance(owner).getLifecycleService().terminate();
        });
    assertThatThrownBy(() -> new DoorMember(Restarts.in(second, Durability.EVERYSEC)).close())
        .hasMessageContaining("partitions");
  }

  private static HazelcastInstance instance(DoorMember member) {
    UUID uuid = id(member);
    return HazelcastInstanceFactory.getAllHazelcastInstances().stream()
        .filter(each -> each.getCluster().getLocalMember().getUuid().equals(uuid))
        .findAny()
        .orElseThrow();
  }
}
