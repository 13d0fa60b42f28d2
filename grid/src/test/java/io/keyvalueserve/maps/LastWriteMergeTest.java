package io.keyvalueserve.maps;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.Config;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.KvsMapService;
import com.hazelcast.query.Predicates;
import io.keyvalueserve.billing.ledger.BrokenLedgerException;
import io.keyvalueserve.grid.ledger.GridLedger;
import io.keyvalueserve.grid.ledger.LedgerMerge;
import io.keyvalueserve.grid.ledger.LedgerUse;
import io.keyvalueserve.grid.space.TestGrid;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Goal: when two sides of a split meet again, each key is as its last acknowledged write left it,
 * removals included. Method: three members in this process, the third is cut off; both sides write
 * and remove, in an order that is known.
 */
final class LastWriteMergeTest {
  private static final int MORE = 200;
  private static final long SHORT_MILLIS = 300;
  private static final long MOST_BYTES = 1 << 20;
  private static final List<String> MAPS =
      List.of("values", "cleared here", "cleared there", "full", "lone");

  private final SplitLink link = new SplitLink();

  @Test
  void eachKeyIsAsItsLastWriteLeftIt() throws BrokenLedgerException {
    try (HdGrid grid = new HdGrid(3, this::settings)) {
      HazelcastInstance larger = grid.member(0);
      HazelcastInstance smaller = grid.member(2);
      MAPS.forEach(map -> larger.getMap(map).putAll(HdGrid.entries(50)));
      IMap<String, Person> people = larger.getMap("people");
      for (int i = 0; i < 20; i++) {
        people.set("p" + i, Person.of(i));
      }
      GridLedger ledgerThere = new GridLedger(larger);
      GridLedger ledgerHere = new GridLedger(smaller);
      assertThat(ledgerThere.post(LedgerUse.flush(1, 0, 0, 1)).isComplete()).isTrue();
      LedgerMerge ledgers = new LedgerMerge(ledgerHere);
      KvsMapService.mapsOf(TestGrid.nodeEngine(smaller))
          .onLeavingValues((map, values) -> ledgers.take(bytes(smaller, values)));
      grid.awaitSafe();
      IMap<String, String> there = larger.getMap("values");
      IMap<String, String> here = smaller.getMap("values");
      assertThat(grid.changes(0).isOpen()).isFalse();

      link.cut(grid, smaller);
      FutureTask<?> early =
          HdGrid.start(
              () -> {
                here.set("k40", "before it was found out");
                here.delete("k41");
                return true;
              });
      link.awaitSplit(grid, smaller);
      assertThat(HdGrid.result(early)).isEqualTo(true);
      assertThat(grid.changes(0).isOpen()).isTrue();
      assertThat(grid.changes(2).isOpen()).isTrue();
      writeBothValues(there, here);
      clearBoth(larger, smaller);
      writeLone(smaller.getMap("lone"));
      IMap<String, Person> split = smaller.getMap("people");
      split.set("p3", new Person("moved", 3, "elsewhere", true));
      split.delete("p4");
      assertThat(ledgerThere.post(LedgerUse.flush(1, 0, 1, 1)).isComplete()).isTrue();
      assertThat(ledgerHere.post(LedgerUse.flush(2, 0, 0, 1)).isComplete()).isTrue();
      writeFull(grid, larger.getMap("full"), smaller.getMap("full"));
      Recorder<String> recorder = new Recorder<>();
      larger.<String, String>getMap("values").addEntryListener(recorder, true);
      await().until(() -> here.get("k20") == null); // has expired

      link.heal(grid);
      for (HazelcastInstance each : List.of(larger, smaller, grid.member(1))) {
        await().untilAsserted(() -> assertThat(contents(each, "values")).isEqualTo(values()));
        await().untilAsserted(() -> assertCleared(each));
        await().untilAsserted(() -> assertLoneAndFull(each));
        await()
            .untilAsserted(
                () -> assertThat(each.getMap("people").keySet()).hasSize(19).doesNotContain("p4"));
      }
      assertThat(there.getEntryView("k21").getTtl()).isEqualTo(HOURS.toMillis(1));
      assertThat(people.values(Predicates.equal("city", "elsewhere"))).hasSize(1);
      assertThat(people.values(Predicates.equal("city", "city-4"))).hasSize(1);
      await().until(() -> recorder.count("MERGED") >= 3 && recorder.count("REMOVED") >= 3);
      assertBackupsAgree(grid);
      ledgers.run(merged -> assertThat(merged.taken()).hasSize(1));
      assertThat(LedgerUse.checked(ledgerThere, LedgerUse.ACME, LedgerUse.ACMES)).hasSize(3);
      assertThat(LedgerUse.checked(ledgerHere, LedgerUse.GLOBEX, LedgerUse.GLOBEXES)).hasSize(3);
      assertThat(sum(grid, ChangeJournal::mergedTaken)).isGreaterThanOrEqualTo(5);
      assertThat(sum(grid, ChangeJournal::mergedRemoved)).isGreaterThanOrEqualTo(50);
      assertThat(sum(grid, ChangeJournal::mergedDiscarded)).isGreaterThanOrEqualTo(3);
      assertThat(sum(grid, ChangeJournal::givenWay)).isEqualTo(1);
      assertThat(sum(grid, ChangeJournal::mergedFailed)).isZero();
      assertThat(grid.changes(2).mergedAt()).isPositive();
      assertThat(grid.changes(2).overflows()).isPositive();
      for (int i = 0; i < grid.size(); i++) {
        ChangeJournal journal = grid.changes(i);
        journal.setLingerMillis(0);
        journal.merging();
        await().until(() -> !journal.isOpen() && journal.bytes() == 0);
      }
    }
  }

  private static List<byte[]> bytes(HazelcastInstance member, List<Data> values) {
    return values.stream()
        .map(value -> TestGrid.nodeEngine(member).<byte[]>toObject(value))
        .toList();
  }

  private static long sum(HdGrid grid, ToLongFunction<ChangeJournal> count) {
    return IntStream.range(0, grid.size()).mapToLong(i -> count.applyAsLong(grid.changes(i))).sum();
  }

  /** In the order of the lines; what is here is the smaller side's. */
  private static void writeBothValues(IMap<String, String> there, IMap<String, String> here) {
    there.set("k0", "older, there");
    here.set("k1", "older, here");
    there.delete("k2");
    here.delete("k3");
    here.set("k4", "older, here");
    there.set("k5", "older, there");
    here.delete("k6");
    there.delete("k7");
    there.set("k20", "older, there");
    pass();
    here.set("k0", "newer, here");
    there.set("k1", "newer, there");
    there.delete("k4");
    here.delete("k5");
    there.set("k6", "newer, there");
    here.set("k7", "newer, here");
    here.set("k20", "expires before both meet", SHORT_MILLIS, MILLISECONDS);
    here.set("k21", "expires later", 1, HOURS);
    here.set("new here", "here");
    there.set("new there", "there");
    here.set("came and went", "here");
    here.delete("came and went");
  }

  private static Map<String, String> values() {
    Map<String, String> all = HdGrid.entries(50);
    all.putAll(
        Map.of(
            "k0", "newer, here",
            "k1", "newer, there",
            "k6", "newer, there",
            "k7", "newer, here",
            "k21", "expires later",
            "k40", "before it was found out",
            "new here", "here",
            "new there", "there"));
    List.of("k2", "k3", "k4", "k5", "k20", "k41").forEach(all::remove);
    return new TreeMap<>(all);
  }

  private static void clearBoth(HazelcastInstance larger, HazelcastInstance smaller) {
    larger.getMap("cleared here").set("k1", "older, there");
    smaller.getMap("cleared there").set("k1", "older, here");
    pass();
    smaller.getMap("cleared here").clear();
    larger.getMap("cleared there").clear();
    pass();
    larger.getMap("cleared here").set("k2", "newer, there");
    smaller.getMap("cleared here").set("k3", "newer, here");
    larger.getMap("cleared there").set("k2", "newer, there");
    smaller.getMap("cleared there").set("k3", "newer, here");
  }

  private static void assertCleared(HazelcastInstance member) {
    for (String map : List.of("cleared here", "cleared there")) {
      assertThat(contents(member, map))
          .as(map)
          .isEqualTo(Map.of("k2", "newer, there", "k3", "newer, here"));
    }
  }

  /** A map without backups: each side has what was there only in part. */
  private static void writeLone(IMap<String, String> here) {
    here.set("k1", "newer, here");
    here.set("new", "here");
  }

  /** Meanwhile there is no room for changes of keys that have not changed before. */
  private static void writeFull(
      HdGrid grid, IMap<String, String> there, IMap<String, String> here) {
    for (int i = 0; i < grid.size(); i++) {
      grid.changes(i).setMostBytes(0);
    }
    for (int i = 0; i < MORE; i++) { // no table of changes has free slots for all of them
      there.set("more-" + i, "there");
      here.set("more-" + i, "here");
    }
    there.set("k1", "there");
    here.set("k1", "here");
    there.set("k2", "there");
    here.set("new", "here");
    for (int i = 0; i < grid.size(); i++) {
      grid.changes(i).setMostBytes(MOST_BYTES);
    }
  }

  private static void assertLoneAndFull(HazelcastInstance member) {
    Map<String, String> lone = contents(member, "lone");
    assertThat(lone).hasSize(51).containsEntry("k1", "newer, here").containsEntry("new", "here");
    Map<String, String> full = contents(member, "full");
    assertThat(full)
        .hasSize(51 + MORE)
        .containsEntry("k1", "there")
        .containsEntry("k2", "there")
        .containsEntry("new", "here");
  }

  private static Map<String, String> contents(HazelcastInstance member, String map) {
    Map<String, String> all = new TreeMap<>();
    for (Map.Entry<String, String> entry : member.<String, String>getMap(map).entrySet()) {
      all.put(entry.getKey(), entry.getValue());
    }
    return all;
  }

  /** Each of three members has all of a map with two backups. */
  private static void assertBackupsAgree(HdGrid grid) {
    IMap<String, String> map = grid.member(0).getMap("values");
    await().untilAsserted(() -> assertThat(grid.held(map)).isEqualTo(3L * values().size()));
  }

  /** What is written after this is later by the clock. */
  private static void pass() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() <= now + 1) {
      Thread.onSpinWait();
    }
  }

  private void settings(Config config) {
    link.configure(config);
    GridLedger.configure(config);
    MAPS.forEach(map -> addMap(config, map, map.equals("lone") ? 0 : 2));
    addMap(config, "people", 2);
    config.getMapConfig("people").addIndexConfig(new IndexConfig(IndexType.HASH, "city"));
  }

  private static void addMap(Config config, String name, int backups) {
    config.addMapConfig(
        HdGrid.mapConfig(
            name,
            map ->
                map.setBackupCount(backups)
                    .setMergePolicyConfig(
                        new MergePolicyConfig(LastWriteMergePolicy.class.getName(), 100))));
  }
}
