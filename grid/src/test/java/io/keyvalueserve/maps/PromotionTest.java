package io.keyvalueserve.maps;

import static io.keyvalueserve.maps.HdGrid.inAnotherThread;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.IndexType;
import com.hazelcast.config.MetadataPolicy;
import com.hazelcast.core.EntryView;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.map.IMap;
import com.hazelcast.partition.PartitionAware;
import com.hazelcast.query.Predicates;
import com.hazelcast.transaction.HazelcastXAResource;
import com.hazelcast.transaction.TransactionalMap;
import com.hazelcast.transaction.impl.xa.SerializableXID;
import io.keyvalueserve.maps.Shapes.CompactPoint;
import io.keyvalueserve.maps.Shapes.Identified;
import io.keyvalueserve.maps.Shapes.JavaPoint;
import io.keyvalueserve.maps.Shapes.PortablePoint;
import java.io.Serializable;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A member dies, and backups become what clients read: with all that belongs to an entry. */
final class PromotionTest {
  private static final int COUNT = 300;

  private static HdGrid grid;

  @BeforeAll
  static void start() {
    grid = HdGrid.start(3);
  }

  @AfterAll
  static void stop() {
    grid.close();
  }

  @BeforeEach
  void threeMembers() {
    while (grid.size() < 3) {
      HazelcastInstance _ = grid.join();
    }
    grid.awaitSafe();
  }

  @Test
  void everythingAboutAnEntrySurvives() {
    IMap<String, Person> map = grid.map(config -> config.setPerEntryStatsEnabled(true));
    map.addIndex(IndexType.HASH, "city");
    map.addIndex(IndexType.SORTED, "age");
    Map<String, Person> model = new HashMap<>();
    for (int i = 0; i < COUNT; i++) {
      Person person = Person.of(i);
      model.put("p" + i, person);
      switch (i % 3) {
        case 0 -> map.set("p" + i, person);
        case 1 -> map.set("p" + i, person, 1_000_000 + i, MILLISECONDS);
        default -> map.set("p" + i, person, 2, HOURS, 1, HOURS);
      }
    }
    for (int i = 0; i < COUNT; i += 7) {
      assertThat(map.remove("p" + i)).isEqualTo(model.remove("p" + i));
    }
    map.executeOnEntries(
        entry -> {
          Person p = entry.getValue();
          entry.setValue(new Person(p.name() + "!", p.age() + 1, p.city(), p.active()));
          return true;
        },
        Predicates.equal("city", "city-3"));
    model.replaceAll(
        (key, p) ->
            "city-3".equals(p.city())
                ? new Person(p.name() + "!", p.age() + 1, p.city(), p.active())
                : p);
    Map<String, Long> expirations = new HashMap<>();
    model.keySet().forEach(key -> expirations.put(key, map.getEntryView(key).getExpirationTime()));

    grid.terminate(2);
    assertSame(map, model, expirations);
    grid.awaitSafe();
    grid.terminate(1); // what is left was a backup of a backup
    assertSame(map, model, expirations);
  }

  private static void assertSame(
      IMap<String, Person> map, Map<String, Person> model, Map<String, Long> expirations) {
    assertThat(map.getAll(model.keySet())).isEqualTo(model);
    assertThat(map.size()).isEqualTo(model.size());
    for (int i = 0; i < 10; i++) {
      String city = "city-" + i;
      assertThat(map.values(Predicates.equal("city", city)))
          .containsExactlyInAnyOrderElementsOf(
              model.values().stream().filter(p -> city.equals(p.city())).toList());
    }
    assertThat(map.values(Predicates.lessThan("age", 50)))
        .hasSize((int) model.values().stream().filter(p -> p.age() < 50).count());
    // An idle time begins anew with a new owner, and is kept in seconds.
    expirations.forEach(
        (key, at) -> {
          long now = map.getEntryView(key).getExpirationTime();
          if (map.getEntryView(key).getMaxIdle() == Long.MAX_VALUE) {
            assertThat(now).as(key).isEqualTo(at);
          } else {
            assertThat(now).as(key).isBetween(at - 1_000, at + HOURS.toMillis(1));
          }
        });
  }

  @Test
  void keysAndValuesOfEveryFormSurvive() {
    IMap<Object, Object> map =
        grid.map(config -> config.setMetadataPolicy(MetadataPolicy.CREATE_ON_UPDATE));
    Map<Object, Object> model = new HashMap<>();
    for (int i = 0; i < 60; i++) {
      model.put("text-" + i, "v".repeat(i * 7));
      model.put(i, new Identified(i, i));
      model.put((long) i, new JavaPoint(i, i));
      model.put(new PortablePoint(i, i), i);
      model.put(new CompactPoint(i, i), new CompactPoint(i, -i));
      model.put(new OrderLine("customer-" + i % 3, i), "line " + i);
      model.put("json-" + i, new HazelcastJsonValue("{\"n\":" + i + "}"));
    }
    model.put("", "");
    model.put("big", "b".repeat(1 << 20));
    map.putAll(model);
    map.set(new byte[] {1, 2}, new byte[] {3, 4});
    grid.terminate(2);
    assertHeld(map, model);
    grid.awaitSafe();
    HazelcastInstance newcomer = grid.join();
    grid.awaitSafe();
    assertHeld(newcomer.getMap(map.getName()), model);
    grid.shutDown(1);
    assertHeld(newcomer.getMap(map.getName()), model);
  }

  private static void assertHeld(IMap<Object, Object> map, Map<Object, Object> model) {
    model.forEach((key, value) -> assertThat(map.get(key)).as("%s", key).isEqualTo(value));
    assertThat(map.get(new byte[] {1, 2})).isEqualTo(new byte[] {3, 4});
    assertThat(map.size()).isEqualTo(model.size() + 1);
    assertThat(
            map.keySet(
                Predicates.and(
                    Predicates.instanceOf(HazelcastJsonValue.class), Predicates.equal("n", 7))))
        .containsExactly("json-7");
  }

  /** All lines of a customer live in one partition. */
  private record OrderLine(String customer, int line)
      implements PartitionAware<String>, Serializable {
    @Override
    public String getPartitionKey() {
      return customer;
    }
  }

  @Test
  void aPromotedEntryExpiresInTime() {
    IMap<String, String> map = grid.map();
    for (int i = 0; i < COUNT; i++) {
      map.set("k" + i, "v", 2_000, MILLISECONDS);
    }
    map.set("stays", "v");
    long expires = map.getEntryView("k7").getExpirationTime();
    grid.terminate(2);
    await()
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              boolean there = map.containsKey("k7");
              assertThat(there || System.currentTimeMillis() >= expires).isTrue();
              return !there;
            });
    await().until(() -> map.size() == 1);
    assertThat(map.keySet()).containsExactly("stays");
  }

  /** Backups never hear of reads: as far as they know, nobody has read since the write. */
  @Test
  void whatIsInUseBeginsItsIdleTimeAnewWithANewOwner() {
    IMap<String, String> map = grid.map();
    String key = grid.keyOwnedBy(2);
    map.set(key, "v", 0, SECONDS, 1, HOURS);
    map.set(key + "!", "v", 2, HOURS, 3, HOURS); // lives as long whoever uses it
    long written = System.currentTimeMillis();
    long lifetime = map.getEntryView(key + "!").getExpirationTime();
    await().until(() -> System.currentTimeMillis() > written + 2_500);
    grid.terminate(2);
    EntryView<String, String> view = map.getEntryView(key);
    assertThat(view.getExpirationTime()).isGreaterThan(written + 2_500 + HOURS.toMillis(1));
    assertThat(map.getEntryView(key + "!").getExpirationTime())
        .isBetween(lifetime, lifetime + 1_000);
  }

  /**
   * Owners count what they have when a member has died, and tell it to their backups, which still
   * have what has just expired.
   */
  @Test
  void aBackupThatHasMoreThanItsOwnerGivesUpNothingThatLives() {
    IMap<String, String> map = grid.map();
    Map<String, String> stays = HdGrid.entries(COUNT);
    map.putAll(stays);
    Set<String> goes = new HashSet<>();
    for (int i = 0; i < 2 * COUNT; i++) {
      goes.add("goes" + i);
      map.set("goes" + i, "v", 100 + 10 * i, MILLISECONDS);
    }
    grid.terminate(2);
    await()
        .untilAsserted(
            () -> {
              Map<String, String> _ = map.getAll(goes); // owners let go of those that are over
              assertThat(grid.held(map)).isEqualTo(2L * COUNT);
            });
    grid.terminate(1);
    assertThat(map.getAll(stays.keySet())).isEqualTo(stays);
  }

  @Test
  void aLockSurvivesTheDeathOfTheKeysOwner() {
    String key = grid.keyOwnedBy(2);
    IMap<String, String> map = grid.map();
    map.set(key, "v");
    map.lock(key);
    map.lock(key);
    grid.terminate(2);
    assertThat(map.isLocked(key)).isTrue();
    assertThat(inAnotherThread(() -> map.tryPut(key, "x", 50, MILLISECONDS))).isFalse();
    map.set(key, "w");
    map.unlock(key);
    assertThat(inAnotherThread(() -> grid.elsewhere(map).tryLock(key))).isFalse();
    map.unlock(key);
    assertThat(map.isLocked(key)).isFalse();
    assertThat(map.get(key)).isEqualTo("w");
  }

  @Test
  void aLockEndsWithItsOwner() {
    String key = grid.keyOwnedBy(0);
    IMap<String, String> map = grid.map();
    map.set(key, "v");
    inAnotherThread(() -> grid.at(2, map).tryLock(key));
    assertThat(map.isLocked(key)).isTrue();
    grid.terminate(2);
    await().until(() -> !map.isLocked(key));
    assertThat(map.tryPut(key, "w", 10_000, MILLISECONDS)).isTrue();
  }

  /** The member that prepared it, and owns some of its keys, dies before it could commit. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPreparedTransactionIsEndedByAnotherMember(boolean commit) throws XAException {
    IMap<String, String> map = grid.map();
    map.putAll(HdGrid.entries(20));
    SerializableXID xid =
        new SerializableXID(1, ("global-" + commit).getBytes(UTF_8), "branch".getBytes(UTF_8));
    HazelcastXAResource resource = grid.member(2).getXAResource();
    resource.start(xid, XAResource.TMNOFLAGS);
    TransactionalMap<String, String> inside =
        resource.getTransactionContext().getMap(map.getName());
    for (int i = 0; i < 10; i++) {
      inside.set("k" + i, "changed");
    }
    inside.delete("k10");
    inside.set("new", "made");
    resource.end(xid, XAResource.TMSUCCESS);
    assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);

    grid.terminate(2);
    HazelcastXAResource successor = grid.member(0).getXAResource();
    assertThat(successor.recover(XAResource.TMSTARTRSCAN)).contains(xid);
    if (commit) {
      successor.commit(xid, false);
    } else {
      successor.rollback(xid);
    }
    Map<String, String> expected = HdGrid.entries(20);
    if (commit) {
      for (int i = 0; i < 10; i++) {
        expected.put("k" + i, "changed");
      }
      expected.remove("k10");
      expected.put("new", "made");
    }
    await().untilAsserted(() -> assertThat(map.getAll(map.keySet())).isEqualTo(expected));
    await().until(() -> map.keySet().stream().noneMatch(map::isLocked));
  }

  @Test
  void whatWasToBeWrittenBehindIsWrittenByTheSuccessor() {
    String name =
        grid.mapName(
            config ->
                config.setMapStoreConfig(Database.config(store -> store.setWriteDelaySeconds(3))));
    Database database = Database.of(name);
    IMap<String, String> map = grid.member(0).getMap(name);
    map.setAll(HdGrid.entries(COUNT));
    grid.terminate(2);
    await().until(() -> database.rows.size() == COUNT);
    assertThat(database.rows).isEqualTo(HdGrid.entries(COUNT));
  }

  @Test
  void aMapWithoutBackupsSaysWhatItLost() {
    IMap<String, String> map = grid.map(config -> config.setBackupCount(0));
    AtomicInteger lost = new AtomicInteger();
    map.addPartitionLostListener(event -> lost.incrementAndGet());
    map.putAll(HdGrid.entries(COUNT));
    int owned = grid.at(2, map).localKeySet().size();
    grid.terminate(2);
    await().until(() -> lost.get() > 0);
    await().until(() -> map.size() == COUNT - owned);
    assertThat(map.getAll(HdGrid.entries(COUNT).keySet())).hasSize(COUNT - owned);
  }

  @Test
  void backupsMayBeReadAndMayBeLate() {
    IMap<String, String> map =
        grid.map(config -> config.setBackupCount(0).setAsyncBackupCount(2).setReadBackupData(true));
    map.putAll(HdGrid.entries(COUNT));
    for (int i = 0; i < 3; i++) {
      IMap<String, String> member = grid.at(i, map);
      await()
          .untilAsserted(
              () ->
                  assertThat(HdGrid.entries(COUNT).keySet())
                      .allSatisfy(key -> assertThat(member.get(key)).isNotNull()));
    }
    grid.terminate(2);
    grid.terminate(1);
    assertThat(map.getAll(map.keySet())).isEqualTo(HdGrid.entries(COUNT));
  }
}
