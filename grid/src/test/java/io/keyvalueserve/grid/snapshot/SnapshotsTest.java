package io.keyvalueserve.grid.snapshot;

import static io.keyvalueserve.engine.Batches.utf8;
import static io.keyvalueserve.grid.snapshot.SnapshotGrid.ACME;
import static io.keyvalueserve.grid.snapshot.SnapshotGrid.COPY;
import static io.keyvalueserve.grid.snapshot.SnapshotGrid.get;
import static io.keyvalueserve.grid.snapshot.SnapshotGrid.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.map.IMap;
import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.WriteCondition;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.HashOperation;
import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.snapshots.SnapshotException;
import io.keyvalueserve.snapshots.TenantKey;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a snapshot has what a tenant's maps had at one instant, while its clients go on. Method:
 * clients write so that any instant can be told from what is no instant; snapshots are taken
 * meanwhile and put back as another tenant.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class SnapshotsTest {
  private static final int KEYS = 40;
  private static final int FIELDS = 1_500;
  private static final int ROUNDS = 4;

  @TempDir private Path directory;

  @Test
  void snapshotsAreOfOneInstant() throws Exception {
    try (SnapshotGrid grid = new SnapshotGrid(3, 31, directory)) {
      AtomicBoolean over = new AtomicBoolean();
      AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
      List<Thread> clients = new ArrayList<>();
      clients.add(client(failure, over, () -> writeInTurn(grid, over)));
      clients.add(client(failure, over, () -> writeTogether(grid, over)));
      clients.add(client(failure, over, () -> fillAndClear(grid, over)));
      clients.add(client(failure, over, () -> growCollections(grid, over)));
      try {
        for (int i = 0; i < ROUNDS; i++) {
          Manifest snapshot = grid.create();
          long _ = grid.restore(snapshot);
          requireOneInstant(grid);
        }
      } finally {
        over.set(true);
        for (Thread client : clients) {
          client.join();
        }
      }
      assertThat(failure.get()).isNull();
    }
  }

  private static Thread client(
      AtomicReference<@Nullable Throwable> failure, AtomicBoolean over, Runnable work) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                while (!over.get()) {
                  work.run();
                }
              } catch (RuntimeException | Error e) {
                failure.set(e);
              }
            });
  }

  /** Key 0 is never behind the others, and never more than one ahead: each write is answered. */
  private static void writeInTurn(SnapshotGrid grid, AtomicBoolean over) {
    for (int round = 0; !over.get(); round++) {
      for (int key = 0; key < KEYS; key++) {
        set(grid.map(key % 3, ACME, "turn"), "k" + key, Integer.toString(round));
      }
    }
  }

  /** All keys have the same value. */
  private static void writeTogether(SnapshotGrid grid, AtomicBoolean over) {
    TenantSpace space = grid.grid().engine(1).space(new Identity(ACME, 1, "key"));
    KeyMap map = space.map(new MapName("together"));
    List<KeyRef> refs =
        Stream.of("a", "b", "c", "d").map(key -> new KeyRef(map, utf8(key))).toList();
    for (int round = 0; !over.get(); round++) {
      byte[] value = utf8(Integer.toString(round));
      assertThat(
              Batches.await(
                  space.transact(
                      new TransactionRequest<>(
                          refs,
                          List.of(),
                          view -> {
                            for (KeyRef ref : refs) {
                              Outcome _ = view.execute(map, KeyCommand.Write.of(ref.key(), value));
                            }
                            return true;
                          }))))
          .contains(true);
    }
  }

  /** All keys that there are have the same value. */
  private static void fillAndClear(SnapshotGrid grid, AtomicBoolean over) {
    IMap<Object, Object> whole = grid.grid().member(0).getMap("acme/filled");
    KeyMap map = grid.map(2, ACME, "filled");
    for (int round = 0; !over.get(); round++) {
      for (int key = 0; key < KEYS; key++) {
        set(map, "k" + key, Integer.toString(round));
      }
      whole.clear();
    }
  }

  /** Each collection is whole: as many fields as it says. */
  private static void growCollections(SnapshotGrid grid, AtomicBoolean over) {
    KeyMap map = grid.map(0, ACME, "large");
    for (int round = 0; !over.get(); round++) {
      String key = "k" + round % 3;
      for (int from = 0; from < FIELDS && !over.get(); from += 100) {
        List<byte[]> texts = new ArrayList<>();
        for (int i = from; i < from + 100; i++) {
          texts.add(utf8("field-" + i));
          texts.add(utf8("value-" + i + "-" + round));
        }
        assertThat(hash(map, key, HashOperation.SET, Arguments.of(texts)))
            .isInstanceOf(Outcome.IntegerResult.class);
      }
      assertThat(Batches.texts(map, new KeyCommand.Remove(utf8(key), false))).hasSize(1);
    }
  }

  private static Outcome hash(
      KeyMap map, String key, HashOperation operation, Arguments arguments) {
    return Batches.run(
        map,
        new KeyCommand.OnCollection(
            utf8(key), operation, arguments, KeyCommand.MOST_COLLECTION_BYTES));
  }

  private static void requireOneInstant(SnapshotGrid grid) {
    KeyMap turn = grid.map(1, COPY, "turn");
    int before = number(get(turn, "k0"));
    int first = before;
    for (int key = 1; key < KEYS; key++) {
      int now = number(get(turn, "k" + key));
      assertThat(now).as("k" + key).isBetween(first - 1, before);
      before = now;
    }
    KeyMap together = grid.map(1, COPY, "together");
    assertThat(Stream.of("a", "b", "c", "d").map(key -> number(get(together, key))).distinct())
        .hasSize(1);
    KeyMap filled = grid.map(1, COPY, "filled");
    List<Integer> values = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      String value = get(filled, "k" + key);
      if (value != null) {
        values.add(Integer.valueOf(value));
      }
    }
    assertThat(values.stream().distinct().count()).isLessThanOrEqualTo(1);
    KeyMap large = grid.map(1, COPY, "large");
    for (int i = 0; i < 3; i++) {
      Outcome all = hash(large, "k" + i, HashOperation.ALL, Arguments.NONE);
      Outcome count = hash(large, "k" + i, HashOperation.SIZE, Arguments.NONE);
      assertThat(all).isInstanceOf(Outcome.Elements.class);
      assertThat((long) ((Outcome.Elements) all).elements().size() / 2)
          .isEqualTo(((Outcome.IntegerResult) count).value())
          .satisfies(size -> assertThat(size % 100).isZero());
    }
  }

  private static int number(@Nullable String text) {
    return text == null ? -1 : Integer.parseInt(text);
  }

  @Test
  void entriesComeBackAsTheyWereInAnotherCluster() {
    Manifest snapshot;
    TenantKey key;
    long expiresAt = System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1);
    try (SnapshotGrid grid = new SnapshotGrid(2, 31, directory)) {
      KeyMap map = grid.map(0, ACME, "all");
      for (int i = 0; i < 500; i++) {
        set(map, "k" + i, "value " + i);
      }
      assertThat(
              Batches.texts(
                  map,
                  new KeyCommand.Write(
                      utf8("brief"), utf8("later gone"), expiresAt, WriteCondition.ALWAYS, false)))
          .containsExactly("Applied");
      List<byte[]> texts = new ArrayList<>();
      for (int i = 0; i < FIELDS; i++) {
        texts.add(utf8("field-" + i));
        texts.add(utf8("value-" + i));
      }
      assertThat(hash(map, "large", HashOperation.SET, Arguments.of(texts)))
          .isEqualTo(new Outcome.IntegerResult(FIELDS));
      grid.grid().member(0).getMap("acme/java").put(1L, List.of("a", "b"));
      set(grid.map(0, COPY, "all"), "others", "are not in it");

      snapshot = grid.create();
      key = grid.key();
      assertThat(snapshot.totals().entries()).isEqualTo(503);
      Manifest again = grid.create();
      assertThat(again.totals().newBytes()).as("nothing has changed").isZero();
      set(map, "k7", "other");
      assertThat(grid.create().totals().newBytes())
          .isPositive()
          .isLessThanOrEqualTo(snapshot.totals().storedBytes());
      assertThat(grid.snapshots(1).list(ACME, grid.address()))
          .extracting(Manifest.Header::damage)
          .hasSize(3)
          .containsOnlyNulls();
      assertThat(
              grid.snapshots(1)
                  .verify(grid.key(), grid.address(), snapshot.id(), (chunks, of, bytes) -> {}))
          .isEmpty();
    }
    assertThat(snapshot.maps()).extracting(Manifest.MapPart::map).contains("all", "java");

    try (SnapshotGrid grid = new SnapshotGrid(1, 7, directory)) {
      assertThat(grid.snapshots(0).restore(key, grid.address(), snapshot.id(), COPY, put -> {}))
          .isEqualTo(503);
      KeyMap map = grid.map(0, COPY, "all");
      for (int i = 0; i < 500; i++) {
        assertThat(get(map, "k" + i)).isEqualTo("value " + i);
      }
      assertThat(get(map, "others")).isNull();
      assertThat(get(map, "brief")).isEqualTo("later gone until " + expiresAt);
      assertThat(hash(map, "large", HashOperation.SIZE, Arguments.NONE))
          .isEqualTo(new Outcome.IntegerResult(FIELDS));
      assertThat(grid.grid().member(0).getMap("copy/java").get(1L)).isEqualTo(List.of("a", "b"));
    }
  }

  @Test
  void memberThatIsKilledOnlyDelaysTheSnapshot() throws Exception {
    try (SnapshotGrid grid = new SnapshotGrid(3, 31, directory)) {
      KeyMap map = grid.map(0, ACME, "all");
      for (int i = 0; i < 2_000; i++) {
        set(map, "k" + i, "value " + i);
      }
      AtomicBoolean killed = new AtomicBoolean();
      var _ = grid.keys().findOrCreate(ACME);
      Manifest snapshot =
          grid.snapshots(0)
              .create(
                  ACME,
                  grid.address(),
                  read -> {
                    if (!killed.getAndSet(true)) {
                      grid.terminate(2);
                    }
                  });
      assertThat(killed).isTrue();
      assertThat(grid.restore(snapshot)).isEqualTo(2_000);
    }
  }

  @Test
  void nothingOfADeletedTenantCanBeRead() throws Exception {
    String canary = "canary-in-a-coal-mine";
    try (SnapshotGrid grid = new SnapshotGrid(1, 7, directory)) {
      set(grid.map(0, ACME, "all"), canary, canary);
      Manifest snapshot = grid.create();
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          assertThat(
                  new String(
                      Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1))
              .as(file.toString())
              .doesNotContain(canary);
        }
      }
      assertThat(grid.keys().destroy(ACME)).contains(snapshot.keyId());
      assertThat(grid.keys().find(ACME)).isEmpty();
      assertThat(grid.keys().findOrCreate(ACME).id()).isNotEqualTo(snapshot.keyId());
      assertThat(grid.snapshots(0).list(ACME, grid.address())).isEmpty();
      assertThatThrownBy(() -> grid.restore(snapshot))
          .isInstanceOfSatisfying(
              SnapshotException.class,
              e -> assertThat(e.kind()).isEqualTo(SnapshotException.Kind.MISSING));
    }
  }

  @Test
  void mapsOfWhichNothingMayBeOnADiskAreNotInSnapshots() {
    try (SnapshotGrid grid = new SnapshotGrid(1, 7, directory)) {
      grid.grid().engine(0).keepInMemoryAlone("acme/secret"::equals);
      set(grid.map(0, ACME, "secret"), "k", "v");
      set(grid.map(0, ACME, "all"), "k", "v");
      List<byte[]> texts = new ArrayList<>();
      for (int i = 0; i < FIELDS; i++) {
        texts.add(utf8("field-" + i));
        texts.add(utf8("value-" + i));
      }
      assertThat(hash(grid.map(0, ACME, "secret"), "large", HashOperation.SET, Arguments.of(texts)))
          .isEqualTo(new Outcome.IntegerResult(FIELDS));
      assertThat(grid.create().maps()).extracting(Manifest.MapPart::map).containsExactly("all");
    }
  }

  @Test
  void deletingASnapshotLeavesTheOthersWhole() {
    try (SnapshotGrid grid = new SnapshotGrid(1, 7, directory)) {
      set(grid.map(0, ACME, "all"), "k", "1");
      Manifest first = grid.create();
      set(grid.map(0, ACME, "all"), "k", "2");
      Manifest second = grid.create();
      grid.snapshots(0).delete(ACME, grid.address(), first.id());
      assertThat(grid.snapshots(0).list(ACME, grid.address()))
          .extracting(Manifest.Header::id)
          .containsExactly(second.id());
      assertThat(grid.restore(second)).isEqualTo(1);
      assertThat(get(grid.map(0, COPY, "all"), "k")).isEqualTo("2");
      assertThatThrownBy(() -> grid.snapshots(0).delete(ACME, grid.address(), first.id()))
          .isInstanceOf(SnapshotFailure.class)
          .hasMessageContaining("there is no snapshot " + first.id());
    }
  }
}
