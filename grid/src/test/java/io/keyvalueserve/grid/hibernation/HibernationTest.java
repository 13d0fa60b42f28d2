package io.keyvalueserve.grid.hibernation;

import static io.keyvalueserve.engine.Batches.utf8;
import static io.keyvalueserve.grid.hibernation.HibernationGrid.ACME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.HashOperation;
import io.keyvalueserve.grid.catalogue.Hibernation;
import io.keyvalueserve.grid.catalogue.Hibernation.Phase;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a tenant that has left memory is back on its first request, by whatever way that comes, and
 * no acknowledged write is lost. Method: requests of all kinds meet a tenant that is asleep, falls
 * asleep, or wakes, while members are killed.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class HibernationTest {
  private static final int KEYS = 400;
  private static final int FIELDS = 1_500;
  private static final int CLIENTS = 3;
  private static final int SLEEPS = 3;

  /** Clients write for so long, and then rest as long, or the tenant would never fall asleep. */
  private static final long PHASE_MILLIS = 1_000;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;

  @Test
  void allThatATenantHasLeavesMemoryAndIsBack() {
    try (HibernationGrid grid = new HibernationGrid(3, 31, directory)) {
      fill(grid, 0);
      sleep(grid, 0);
      for (int member = 0; member < 3; member++) {
        assertThat(grid.sleeping(member).asleep()).isEqualTo(1);
        assertThat(grid.sleeping(member).asleepBytes()).isPositive();
      }
      assertThat(get(grid.map(1, "plain"), "k7")).isEqualTo("0-7");
      awaitAwake(grid);
      requireFilled(grid, 0);

      fill(grid, 1);
      sleep(grid, 2);
      requireFilled(grid, 1);
      awaitAwake(grid);
      assertThat(grid.sleeping(0).asleep()).isZero();
      assertThat(grid.sleeping(0).asleepBytes()).isZero();
    }
  }

  private static void fill(HibernationGrid grid, int round) {
    KeyMap plain = grid.map(0, "plain");
    for (int key = 0; key < KEYS; key++) {
      set(plain, "k" + key, round + "-" + key);
    }
    assertThat(Batches.texts(plain, new KeyCommand.Remove(utf8("k0"), false)))
        .containsExactly("Applied");
    KeyMap large = grid.map(1, "large");
    for (int from = 0; from < FIELDS; from += 100) {
      List<byte[]> texts = new ArrayList<>();
      for (int i = from; i < from + 100; i++) {
        texts.add(utf8("field-" + i));
        texts.add(utf8(round + "-" + i));
      }
      Outcome _ = hash(large, HashOperation.SET, Arguments.of(texts));
    }
  }

  private static void requireFilled(HibernationGrid grid, int round) {
    for (int key = 0; key < KEYS; key++) {
      assertThat(get(grid.map(key % 3, "plain"), "k" + key))
          .isEqualTo(key == 0 ? null : round + "-" + key);
    }
    Outcome all = hash(grid.map(2, "large"), HashOperation.ALL, Arguments.NONE);
    assertThat(((Outcome.Elements) all).elements()).hasSize(2 * FIELDS);
  }

  private static Outcome hash(KeyMap map, HashOperation operation, Arguments arguments) {
    return Batches.run(
        map,
        new KeyCommand.OnCollection(
            utf8("h"), operation, arguments, KeyCommand.MOST_COLLECTION_BYTES));
  }

  @Test
  void everyWayToATenantWakesIt() throws Exception {
    try (HibernationGrid grid = new HibernationGrid(2, 31, directory)) {
      KeyMap map = grid.map(0, "people");
      set(map, "a", "1");
      IMap<String, Object> people = grid.grid().member(1).getMap("acme/json");
      people.addIndex(new IndexConfig(IndexType.SORTED, "age"));
      for (int i = 0; i < 50; i++) {
        people.set("p" + i, new HazelcastJsonValue("{\"age\":" + i + "}"));
      }
      sleep(grid, 0);
      assertThat(people.size()).isEqualTo(50);
      awaitAwake(grid);
      assertThat(people.values(Predicates.greaterThan("age", 44))).hasSize(5);
      assertThat(people.getLocalMapStats().getIndexStats()).containsKey("acme/json_sorted_age");
      sleep(grid, 1);
      assertThat(Batches.await(map.size())).isEqualTo(1);
      sleep(grid, 0);
      assertThat(Batches.await(map.scan(0, 100, GlobPattern.ANY)).keys()).hasSize(1);
      sleep(grid, 0);
      people.lock("p1");
      people.unlock("p1");
      sleep(grid, 0);
      TenantSpace space = grid.grid().engine(1).space(new Identity(ACME, 1, "key"));
      assertThat(Batches.await(space.maps())).containsExactly("json", "people");
      sleep(grid, 0);
      KeyMap mine = space.map(new MapName("people"));
      List<KeyRef> refs =
          List.of(
              new KeyRef(mine, utf8("a")), new KeyRef(space.map(new MapName("new")), utf8("b")));
      assertThat(
              Batches.await(
                  space.transact(
                      new TransactionRequest<>(
                          refs,
                          List.of(),
                          view -> {
                            Outcome _ =
                                view.execute(mine, KeyCommand.Write.of(utf8("a"), utf8("2")));
                            return true;
                          }))))
          .contains(true);
      assertThat(get(map, "a")).isEqualTo("2");
      awaitAwake(grid);
      sleep(grid, 0);
      set(grid.map(1, "another"), "x", "y");
      assertThat(get(grid.map(0, "another"), "x")).isEqualTo("y");
      awaitAwake(grid);
      sleep(grid, 0);
      Batches.await(space.map(new MapName("another")).clear());
      assertThat(get(grid.map(0, "another"), "x")).isNull();
      assertThat(get(map, "a")).isEqualTo("2");
    }
  }

  @Test
  void noAcknowledgedWriteIsLostWhileMembersAreKilled() throws Exception {
    try (HibernationGrid grid = new HibernationGrid(3, 31, directory)) {
      AtomicBoolean over = new AtomicBoolean();
      AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
      List<AtomicInteger> written = new ArrayList<>();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        String name = "c" + i;
        AtomicInteger last = new AtomicInteger();
        written.add(last);
        KeyMap map = grid.map(0, "written");
        clients.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        while (!over.get()) {
                          if (System.currentTimeMillis() / PHASE_MILLIS % 2 == 0) {
                            write(map, name, last);
                          }
                          Thread.sleep(10);
                        }
                      } catch (Throwable e) {
                        failure.set(e);
                      }
                    }));
      }
      awaitSleeps(grid, SLEEPS);
      Thread sleeper = Thread.ofPlatform().start(() -> sleepOn(grid.hibernator(0), over));
      await().until(() -> grid.sleeping(1).phaseOf(ACME.value()) != Phase.AWAKE);
      grid.terminate(1); // it may be waking the tenant; from now on it stays in memory
      List<Integer> before = written.stream().map(AtomicInteger::get).toList();
      for (int i = 0; i < CLIENTS; i++) {
        AtomicInteger last = written.get(i);
        int until = before.get(i) + 20;
        await().until(() -> last.get() > until);
      }
      over.set(true);
      for (Thread client : clients) {
        client.join();
      }
      sleeper.join();
      assertThat(failure.get()).isNull();
      for (int i = 0; i < CLIENTS; i++) {
        String value = get(grid.map(1, "written"), "c" + i);
        assertThat(Integer.parseInt(value == null ? "0" : value))
            .isGreaterThanOrEqualTo(written.get(i).get());
      }
    }
  }

  /** Writes the next number of a client, behind what it has read. */
  private static void write(KeyMap map, String name, AtomicInteger last) {
    String before = get(map, name);
    int next = Integer.parseInt(before == null ? "0" : before) + 1;
    assertThat(next).isGreaterThan(last.get());
    List<String> answer =
        Batches.texts(map, KeyCommand.Write.of(utf8(name), utf8(Integer.toString(next))));
    if (answer.equals(List.of("Applied"))) {
      last.set(next);
    }
  }

  /** Puts the tenant to sleep a number of times. Each member tries, often while clients write. */
  private static void awaitSleeps(HibernationGrid grid, int count) {
    AtomicInteger slept = new AtomicInteger();
    AtomicInteger tried = new AtomicInteger();
    await()
        .pollInterval(Duration.ofMillis(10))
        .until(
            () -> {
              int member = tried.getAndIncrement() % grid.members();
              return tryToSleep(grid, member) && slept.incrementAndGet() >= count;
            });
  }

  private static void sleepOn(Hibernator hibernator, AtomicBoolean over) {
    while (!over.get()) {
      try {
        Hibernation _ = hibernator.hibernate(ACME);
      } catch (HibernationException e) {
        Thread.onSpinWait(); // it is used, or a member is missing
      }
    }
  }

  private static boolean tryToSleep(HibernationGrid grid, int member) {
    try {
      Hibernation _ = grid.hibernator(member).hibernate(ACME);
      return true;
    } catch (HibernationException e) {
      return false;
    }
  }

  @Test
  void theSuccessorOfALostMemberGoesOn() {
    try (HibernationGrid grid = new HibernationGrid(3, 31, directory)) {
      fill(grid, 0);
      sleep(grid, 0);
      assertThat(get(grid.map(2, "plain"), "k1")).isEqualTo("0-1"); // member 2 wakes it
      grid.terminate(2);
      set(grid.map(1, "plain"), "k2", "new");
      awaitAwake(grid);
      assertThat(get(grid.map(0, "plain"), "k2")).isEqualTo("new");
      for (int key = 3; key < KEYS; key++) {
        assertThat(get(grid.map(key % 2, "plain"), "k" + key)).isEqualTo("0-" + key);
      }
    }
  }

  @Test
  void aTenantThatCannotLeaveStays() {
    try (HibernationGrid grid = new HibernationGrid(2, 31, directory)) {
      KeyMap map = grid.map(0, "m");
      set(map, "a", "1");
      IMap<Object, Object> own = grid.grid().member(0).getMap("acme/m");
      own.lock("x");
      assertThatThrownBy(() -> grid.hibernator(0).hibernate(ACME))
          .isInstanceOf(HibernationException.class)
          .hasMessage("map m: a client has locked one of its keys");
      own.unlock("x");
      var _ = grid.grid().member(1).getQueue("acme/q").offer("e");
      assertThatThrownBy(() -> grid.hibernator(0).hibernate(ACME))
          .hasMessageStartingWith("it has 'q': only maps");
      grid.grid().member(1).getQueue("acme/q").destroy();
      var _ =
          grid.plans()
              .set(ACME, directory.toString(), Duration.ofHours(1), Duration.ofDays(1), false);
      assertThatThrownBy(() -> grid.hibernator(0).hibernate(ACME))
          .hasMessage("snapshots of it are taken by a plan");
      boolean _ = grid.plans().delete(ACME);
      sleep(grid, 0);
      assertThatThrownBy(() -> grid.hibernator(0).hibernate(ACME))
          .hasMessage("tenant acme is hibernated");
      assertThat(get(map, "a")).isEqualTo("1");
    }
  }

  @Test
  void aTenantWhoseRepositoryIsGoneIsRefusedUntilItIsBack() throws Exception {
    try (HibernationGrid grid = new HibernationGrid(2, 31, directory.resolve("r"))) {
      KeyMap map = grid.map(0, "m");
      set(map, "a", "1");
      sleep(grid, 0);
      Path gone = directory.resolve("gone");
      Path _ = Files.move(directory.resolve("r"), gone);
      Outcome refused = Batches.run(map, new KeyCommand.Read(utf8("a")));
      assertThat(refused)
          .isInstanceOfSatisfying(
              Outcome.Failure.class,
              failure ->
                  assertThat(failure.message())
                      .contains("hibernated and cannot be read at present"));
      deleteAll(directory.resolve("r"));
      Path _ = Files.move(gone, directory.resolve("r"));
      await().untilAsserted(() -> assertThat(get(map, "a")).isEqualTo("1"));
    }
  }

  private static void deleteAll(Path path) throws Exception {
    if (Files.exists(path)) {
      try (var files = Files.walk(path)) {
        for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @Test
  void aTenantThatNobodyUsesLeavesMemoryByItself() {
    try (HibernationGrid grid = new HibernationGrid(2, 31, directory)) {
      set(grid.map(0, "m"), "a", "1");
      AtomicInteger slept = new AtomicInteger();
      for (int member = 0; member < 2; member++) {
        grid.hibernator(member).listen(new Counting(slept));
      }
      Hibernation _ = grid.hibernator(1).setAfter(ACME, Duration.ofSeconds(1));
      await().until(() -> slept.get() == 1);
      await().until(() -> grid.bytes() == 0);
      assertThat(get(grid.map(1, "m"), "a")).isEqualTo("1");
      await().until(() -> slept.get() == 2);
      Hibernation _ = grid.hibernator(1).setAfter(ACME, Duration.ZERO);
      grid.hibernator(1).wake(ACME, PATIENCE);
      assertThat(grid.hibernator(0).of(ACME).phase()).isEqualTo(Phase.AWAKE);
    }
  }

  /** Counts how often tenants fell asleep. */
  private record Counting(AtomicInteger slept) implements HibernationListener {
    @Override
    public boolean isThere(TenantName tenant) {
      return true;
    }

    @Override
    public void slept(TenantName tenant, Hibernation.Image image) {
      int _ = slept.incrementAndGet();
    }

    @Override
    public void woke(
        TenantName tenant,
        Hibernation.Image image,
        long sinceMillis,
        long entries,
        Duration first,
        Duration whole) {}

    @Override
    public void failed(TenantName tenant, String why) {}
  }

  private static void sleep(HibernationGrid grid, int member) {
    await()
        .ignoreExceptionsInstanceOf(HibernationException.class)
        .until(() -> grid.hibernator(member).hibernate(ACME).phase() == Phase.ASLEEP);
    await().until(() -> grid.bytes() == 0);
  }

  private static void awaitAwake(HibernationGrid grid) {
    for (int member = 0; member < grid.members(); member++) {
      SleepingTenants sleeping = grid.sleeping(member);
      await()
          .untilAsserted(
              () -> {
                assertThat(grid.hibernator(0).failures()).isEmpty();
                assertThat(sleeping.phaseOf(ACME.value())).isEqualTo(Phase.AWAKE);
              });
    }
  }

  private static void set(KeyMap map, String key, String value) {
    assertThat(Batches.texts(map, KeyCommand.Write.of(utf8(key), utf8(value))))
        .containsExactly("Applied");
  }

  private static @Nullable String get(KeyMap map, String key) {
    Outcome outcome = Batches.run(map, new KeyCommand.Read(utf8(key)));
    if (outcome instanceof Outcome.Missing) {
      return null;
    }
    String text = Batches.text(outcome);
    return text.substring(text.indexOf(' ') + 1);
  }
}
