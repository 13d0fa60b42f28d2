package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.restart.RestartConfig;
import io.keyvalueserve.grid.settings.GridMapSettings;
import io.keyvalueserve.grid.settings.KeepingChange;
import io.keyvalueserve.grid.settings.MapSettingsException;
import io.keyvalueserve.maps.OverMemory;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.Persistence;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: what a map's own durability says is what a restart brings back, however it was changed.
 * Method: one member with a directory, started again and again.
 */
final class MapDurabilityTest {
  private static final String TENANT = "acme";
  private static final int ENTRIES = 1_000;
  private static final Duration MOMENT = Duration.ofMillis(300);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final QualifiedName ORDERS =
      new QualifiedName(new TenantName(TENANT), new MapName("orders"));

  @TempDir private Path directory;

  private interface Use {
    void of(DoorMember member, IMap<String, String> map) throws Exception;
  }

  /** Starts the member, and ends it. */
  private void run(Durability usual, Use use) throws Exception {
    RestartConfig config = Restarts.in(directory, usual);
    try (DoorMember member = new DoorMember(config)) {
      HazelcastInstance client = member.client(TENANT);
      use.of(member, client.getMap("orders"));
      client.shutdown();
    }
  }

  private static void set(DoorMember member, @Nullable Durability durability) {
    var _ =
        member
            .member
            .mapSettings()
            .keep(ORDERS, KeepingChange.NOTHING.durability(durability), PATIENCE);
  }

  private static void fill(IMap<String, String> map, String value) {
    for (int i = 0; i < ENTRIES; i++) {
      map.set("key-" + i, value);
    }
  }

  private static Map<String, String> contents(IMap<String, String> map) {
    Map<String, String> contents = new HashMap<>();
    map.entrySet().forEach(entry -> contents.put(entry.getKey(), entry.getValue()));
    return contents;
  }

  @Test
  void aMapThatIsSetUpBeforeItExistsIsDurableWhereOthersAreNot() throws Exception {
    run(
        Durability.NONE,
        (member, map) -> {
          set(member, Durability.ALWAYS);
          fill(map, "value");
        });
    run(Durability.NONE, (member, map) -> assertThat(map.size()).isEqualTo(ENTRIES));
  }

  @Test
  void whatAMapHadBeforeItBecameDurableIsThereToo() throws Exception {
    run(
        Durability.NONE,
        (member, map) -> {
          fill(map, "before");
          map.set("expires", "later", 1, TimeUnit.HOURS);
          set(member, Durability.EVERYSEC);
          map.set("key-0", "after");
          map.remove("key-1");
          map.setTtl("key-2", 1, TimeUnit.HOURS);
        });
    run(
        Durability.NONE,
        (member, map) -> {
          assertThat(map.size()).isEqualTo(ENTRIES);
          assertThat(map.get("key-0")).isEqualTo("after");
          assertThat(map.get("key-1")).isNull();
          assertThat(map.get("key-3")).isEqualTo("before");
          assertThat(map.getEntryView("expires").getExpirationTime()).isLessThan(Long.MAX_VALUE);
          assertThat(map.getEntryView("key-2").getExpirationTime()).isLessThan(Long.MAX_VALUE);
        });
  }

  private static void fill(DoorMember member, String map) {
    HazelcastInstance client = member.client(TENANT);
    fill(client.getMap(map), "of " + map);
    client.shutdown();
  }

  private static int sizeOf(DoorMember member, String map) {
    HazelcastInstance client = member.client(TENANT);
    int size = client.getMap(map).size();
    client.shutdown();
    return size;
  }

  private static void keepAll(DoorMember member, Persistence word) {
    var _ = member.member.mapSettings().keepAll(new TenantName(TENANT), word, PATIENCE);
  }

  @Test
  void theWordOfATenantHoldsForAllItsMapsAndLaterOnes() throws Exception {
    run(
        Durability.NONE,
        (member, map) -> {
          var _ =
              member
                  .member
                  .mapSettings()
                  .keep(
                      new QualifiedName(new TenantName(TENANT), new MapName("own")),
                      KeepingChange.NOTHING.durability(Durability.NONE),
                      PATIENCE);
          fill(map, "before");
          fill(member, "own");
          keepAll(member, Persistence.DURABLE);
          map.set("key-0", "after");
          fill(member, "later");
        });
    run(
        Durability.NONE,
        (member, map) -> {
          assertThat(map.size()).isEqualTo(ENTRIES);
          assertThat(map.get("key-0")).isEqualTo("after");
          assertThat(sizeOf(member, "later")).isEqualTo(ENTRIES);
          assertThat(sizeOf(member, "own")).isZero();
          keepAll(member, Persistence.MEMORY);
          assertThat(map.size()).as("it stays in memory").isEqualTo(ENTRIES);
        });
    run(
        Durability.NONE,
        (member, map) -> {
          assertThat(map.size()).isZero();
          keepAll(member, Persistence.DURABLE);
          map.set("fresh", "value");
        });
    run(
        Durability.NONE,
        (member, map) -> assertThat(contents(map)).isEqualTo(Map.of("fresh", "value")));
  }

  @Test
  void aMapThatContradictsTheWordOfItsTenantIsAsTheMemberSays() throws Exception {
    run(
        Durability.EVERYSEC,
        (member, map) -> {
          var _ =
              member
                  .member
                  .mapSettings()
                  .keep(ORDERS, KeepingChange.NOTHING.overMemory(OverMemory.SPILL), PATIENCE);
          fill(map, "value");
          keepAll(member, Persistence.MEMORY);
          fill(member, "other");
        });
    run(
        Durability.EVERYSEC,
        (member, map) -> {
          assertThat(map.size()).isEqualTo(ENTRIES);
          assertThat(sizeOf(member, "other")).isZero();
          keepAll(member, Persistence.DEFAULT);
          fill(member, "other");
        });
    run(
        Durability.EVERYSEC,
        (member, map) -> {
          assertThat(map.size()).isEqualTo(ENTRIES);
          assertThat(sizeOf(member, "other")).isEqualTo(ENTRIES);
        });
  }

  @Test
  void whatIsNoLongerDurableNeverReturns() throws Exception {
    run(
        Durability.EVERYSEC,
        (member, map) -> {
          fill(map, "old");
          set(member, Durability.NONE);
          assertThat(map.size()).isEqualTo(ENTRIES);
          map.set("key-0", "new");
        });
    run(
        Durability.EVERYSEC,
        (member, map) -> {
          assertThat(map.size()).isZero();
          set(member, null);
          map.set("fresh", "value");
        });
    run(
        Durability.EVERYSEC,
        (member, map) -> assertThat(contents(map)).isEqualTo(Map.of("fresh", "value")));
  }

  /** The usual durability changes between starts: there is no setting that could be carried out. */
  @Test
  void whatWasNotBroughtBackOnceNeverReturns() throws Exception {
    run(Durability.EVERYSEC, (member, map) -> fill(map, "old"));
    run(Durability.NONE, (member, map) -> assertThat(map.size()).isZero());
    run(Durability.EVERYSEC, (member, map) -> assertThat(map.size()).isZero());
  }

  /** Whatever was written while durability changes to and fro is there if it ends durable. */
  @Test
  void writersDoNotNotice() throws Exception {
    Map<String, String> model = new HashMap<>();
    run(
        Durability.EVERYSEC,
        (member, map) -> {
          AtomicBoolean stop = new AtomicBoolean();
          AtomicInteger writes = new AtomicInteger();
          CompletableFuture<Void> writer =
              CompletableFuture.runAsync(() -> write(map, model, writes, stop));
          for (int round = 0; round < 6; round++) {
            int enough = writes.get() + 200;
            await().until(() -> writes.get() > enough || writer.isDone());
            set(member, round % 2 == 0 ? Durability.NONE : Durability.ALWAYS);
          }
          stop.set(true);
          writer.join();
          assertThat(contents(map)).isEqualTo(model);
        });
    run(Durability.EVERYSEC, (member, map) -> assertThat(contents(map)).isEqualTo(model));
  }

  private static void write(
      IMap<String, String> map,
      Map<String, String> model,
      AtomicInteger writes,
      AtomicBoolean stop) {
    Random random = new Random(4711);
    for (int i = 0; !stop.get(); i = writes.incrementAndGet()) {
      String key = "key-" + random.nextInt(300);
      String value = "v".repeat(random.nextInt(300)) + i;
      switch (random.nextInt(5)) {
        case 0 -> {
          map.delete(key);
          model.remove(key);
        }
        case 1 -> {
          map.set(key, value, 1, TimeUnit.HOURS);
          model.put(key, value);
        }
        case 2 -> map.setTtl(key, 2, TimeUnit.HOURS);
        default -> {
          map.set(key, value);
          model.put(key, value);
        }
      }
    }
  }

  /** A change is under way until the partition that somebody has is free. */
  @Test
  void aChangeThatTakesLongGoesOnAndSaysSo() throws Exception {
    run(
        Durability.NONE,
        (member, map) -> {
          fill(map, "before");
          GridMapSettings settings = member.member.mapSettings();
          try (HeldPartition _ = HeldPartition.of(member)) {
            for (int round = 0; round < 2; round++) { // who asks again waits for the same
              requireUnderWay(member, Durability.ALWAYS);
            }
            assertThat(settings.of(ORDERS).durability()).isEqualTo(Durability.ALWAYS);
            assertThat(settings.pending(settings.of(ORDERS)))
                .singleElement()
                .satisfies(pending -> assertThat(pending.hasFailed()).isFalse());
          }
          await().until(() -> settings.pending(settings.of(ORDERS)).isEmpty());
        });
    run(Durability.NONE, (member, map) -> assertThat(map.size()).isEqualTo(ENTRIES));
  }

  /**
   * The member's file says that a map is durable when the log has all of it. Method: the file is
   * put back as it was while the map became durable.
   */
  @Test
  void aMemberThatDiesWhileAMapBecomesDurableHasNothingOfIt() throws Exception {
    Path file = directory.resolve("durability");
    run(
        Durability.NONE,
        (member, map) -> {
          fill(map, "before the member died");
          try (HeldPartition _ = HeldPartition.of(member)) {
            requireUnderWay(member, Durability.EVERYSEC);
            assertThat(file).doesNotExist();
          }
          set(member, Durability.EVERYSEC);
        });
    Files.delete(file);
    run(
        Durability.NONE,
        (member, map) -> {
          assertThat(map.size()).isZero();
          GridMapSettings settings = member.member.mapSettings();
          assertThat(settings.of(ORDERS).durability()).isEqualTo(Durability.EVERYSEC);
          assertThat(settings.pending(settings.of(ORDERS))).isEmpty();
          map.set("fresh", "value");
        });
    run(
        Durability.NONE,
        (member, map) -> assertThat(contents(map)).isEqualTo(Map.of("fresh", "value")));
  }

  private static void requireUnderWay(DoorMember member, Durability durability) {
    assertThatThrownBy(
            () ->
                member
                    .member
                    .mapSettings()
                    .keep(ORDERS, KeepingChange.NOTHING.durability(durability), MOMENT))
        .isInstanceOf(MapSettingsException.class)
        .extracting(e -> ((MapSettingsException) e).kind())
        .isEqualTo(MapSettingsException.Kind.UNDER_WAY);
  }

  @Test
  void aDeletedTenantLeavesNoSettings() throws Exception {
    run(
        Durability.EVERYSEC,
        (member, map) -> {
          set(member, Durability.NONE);
          keepAll(member, Persistence.MEMORY);
          int _ = member.member.deleteData(new TenantName(TENANT));
          assertThat(member.member.mapSettings().of(new TenantName(TENANT))).isEmpty();
          assertThat(member.member.mapSettings().ofAll(new TenantName(TENANT)).persistence())
              .isEqualTo(Persistence.DEFAULT);
          fill(map, "of the next one by that name");
        });
    run(Durability.EVERYSEC, (member, map) -> assertThat(map.size()).isEqualTo(ENTRIES));
  }

  @Test
  void withoutADirectoryThereIsNothingToSet() {
    try (DoorMember member = new DoorMember()) {
      assertThatThrownBy(() -> set(member, Durability.ALWAYS))
          .isInstanceOf(MapSettingsException.class)
          .hasMessageContaining("--data");
    }
  }
}
