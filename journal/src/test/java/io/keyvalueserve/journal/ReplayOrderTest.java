package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The frames that a replay gives to its sink, their order, and the threads that do so. */
final class ReplayOrderTest {
  /** More than a loader tells apart when it sorts. */
  private static final int PARTITIONS = 2_000;

  private static final int FRAMES = 8_000;
  private static final int MAPS = 40;
  private static final String VALUE = "v".repeat(300);

  @TempDir private Path directory;

  private final Map<Integer, List<Long>> appended = new HashMap<>();

  /** Takes note of what it is given. */
  private static class Given implements RecoverySink {
    final Map<Integer, List<Long>> frames = new ConcurrentHashMap<>();
    final Map<Integer, Thread> threads = new ConcurrentHashMap<>();
    final Set<String> names = ConcurrentHashMap.newKeySet();

    private void note(Frame frame) {
      frames.computeIfAbsent(frame.partition(), p -> new ArrayList<>()).add(frame.position());
      Thread before = threads.put(frame.partition(), Thread.currentThread());
      assertThat(before).isIn(null, Thread.currentThread());
      if (!frame.mapName().isEmpty()) {
        boolean _ = names.add(frame.mapName());
      }
    }

    @Override
    public void take(FrameBatch batch) {
      assertThat(batch.count()).isBetween(1, FrameBatch.MOST);
      int end;
      for (int i = 0; i < batch.count(); i = end) {
        end = batch.endOfPartition(i);
        int partition = batch.frame(i).partition();
        for (int j = i; j < end; j++) {
          assertThat(batch.frame(j).partition()).isEqualTo(partition);
        }
        assertThat(end == batch.count() || batch.frame(end).partition() != partition).isTrue();
      }
      RecoverySink.super.take(batch);
    }

    @Override
    public void put(Frame frame) {
      note(frame);
    }

    @Override
    public void remove(Frame frame) {
      note(frame);
    }

    @Override
    public void clear(Frame frame) {
      note(frame);
    }

    @Override
    public void drop(Frame frame) {
      note(frame);
    }
  }

  private void fill(Random random) throws IOException {
    fill(random, 20);
  }

  /** One of so many kinds of frames, the first three of which are no puts. */
  private void fill(Random random, int kinds) throws IOException {
    try (Journal journal = Journal.open(Logs.SMALL, FileDisk.at(directory), new Given())) {
      for (int i = 0; i < FRAMES; i++) {
        int partition = random.nextInt(PARTITIONS);
        int map = journal.map("map-" + random.nextInt(MAPS));
        String key = "key-" + i;
        byte[] payload = HeldRecords.payload(key, VALUE);
        long position =
            switch (random.nextInt(kinds) + 20 - kinds) {
              case 0 -> journal.remove(partition, map, 1, payload);
              case 1 -> journal.clear(partition, map);
              case 2 -> journal.drop(partition);
              default -> journal.put(partition, map, 0, 1, payload, 0, key.length());
            };
        appended.computeIfAbsent(partition, p -> new ArrayList<>()).add(position);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aPartitionsFramesComeAsTheyWereAppendedByOneThread(int loaders) throws IOException {
    fill(new Random(loaders));
    JournalConfig config = Logs.SMALL.withThreads(2, loaders);
    for (boolean keysOnly : new boolean[] {false, true}) {
      Given given = new Given();
      Disk disk = FileDisk.at(directory);
      Journal.open(config, disk, JournalClock.SYSTEM, given, keysOnly).close();
      assertThat(given.frames).isEqualTo(appended);
      assertThat(given.names).hasSize(MAPS);
      assertThat(new HashSet<>(given.threads.values())).hasSize(loaders);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void whatIsKeptBackComesByPartitionAsItWasAppended(int loaders) throws IOException {
    fill(new Random(loaders));
    JournalConfig config = Logs.SMALL.withThreads(2, loaders);
    KeysLater later = new KeysLater(map -> !map.equals("map-3"), 0, Long.MAX_VALUE, Long.MAX_VALUE);
    Given atOnce = new Given();
    Disk disk = FileDisk.at(directory);
    try (Journal journal = Journal.open(config, disk, JournalClock.SYSTEM, atOnce, true, later)) {
      assertThat(atOnce.names).containsExactly("map-3");
      HeldKeys held = Objects.requireNonNull(journal.heldKeys());
      Map<String, Long> puts = new HashMap<>();
      held.forEach((partition, map, amount) -> puts.merge(map, amount.puts(), Long::sum));
      assertThat(puts).hasSize(MAPS - 1).doesNotContainKey("map-3");
      assertThat(puts.values().stream().mapToLong(Long::longValue).sum())
          .isBetween(FRAMES * 7L / 10, FRAMES * 9L / 10);
      List<Integer> order = new ArrayList<>(appended.keySet());
      Collections.shuffle(order, new Random(loaders));
      Map<Integer, Set<Long>> all = new HashMap<>();
      for (int partition : order) {
        Given given = new Given();
        held.give(partition, given);
        assertThat(given.frames.keySet()).isSubsetOf(Set.of(partition));
        assertThat(given.names).doesNotContain("map-3");
        List<Long> positions = given.frames.getOrDefault(partition, List.of());
        assertThat(positions).isSorted();
        all.computeIfAbsent(partition, p -> new TreeSet<>()).addAll(positions);
        held.give(
            partition,
            new Given() {
              @Override
              public void take(FrameBatch batch) {
                throw new AssertionError("given twice");
              }
            });
      }
      atOnce.frames.forEach(
          (partition, positions) ->
              all.computeIfAbsent(partition, p -> new TreeSet<>()).addAll(positions));
      appended.forEach(
          (partition, positions) ->
              assertThat(all.get(partition)).containsExactlyElementsOf(positions));
      assertThat(held.partitions().isEmpty()).isTrue();
    }
  }

  /** Chunks of which all, some or none are kept back count the same for compaction. */
  @ParameterizedTest
  @ValueSource(strings = {"map-.*", "map-[012]", "none"})
  void whatIsKeptBackIsCountedAsIfItWasNot(String kept) throws IOException {
    fill(new Random(9), 17); // puts only: a drop is applied at once, and its chunk gone through
    countsAlike(kept);
    fill(new Random(10));
    countsAlike(kept);
  }

  private void countsAlike(String kept) throws IOException {
    Disk disk = FileDisk.at(directory);
    JournalConfig config = Logs.SMALL.withThreads(2, 3);
    KeysLater later = new KeysLater(map -> map.matches(kept), 0, Long.MAX_VALUE, Long.MAX_VALUE);
    JournalStatistics atOnce;
    long records;
    try (Journal journal =
        Journal.open(config, disk, JournalClock.SYSTEM, new Given(), true, KeysLater.NONE)) {
      atOnce = journal.statistics();
      records = journal.report().records();
    }
    try (Journal journal =
        Journal.open(config, disk, JournalClock.SYSTEM, new Given(), true, later)) {
      assertThat(journal.heldKeys()).isNotNull();
      assertThat(journal.statistics().liveBytes()).isEqualTo(atOnce.liveBytes());
      assertThat(journal.statistics().tombstoneBytes()).isEqualTo(atOnce.tombstoneBytes());
      assertThat(journal.report().records()).isEqualTo(records);
    }
  }

  @Test
  void nothingIsGivenWhenItWasGivenBack() throws IOException {
    fill(new Random(7));
    KeysLater later = new KeysLater(map -> true, 0, Long.MAX_VALUE, Long.MAX_VALUE);
    Disk disk = FileDisk.at(directory);
    HeldKeys held;
    try (Journal journal =
        Journal.open(
            Logs.SMALL.withThreads(1, 1), disk, JournalClock.SYSTEM, new Given(), true, later)) {
      held = Objects.requireNonNull(journal.heldKeys());
      assertThat(held.bytes()).isPositive();
    }
    assertThatThrownBy(() -> held.give(0, new Given()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("given back");
  }

  @Test
  void keysAreKeptBackOnlyOfLogsThatAreMeant() throws IOException {
    fill(new Random(8));
    long all = Long.MAX_VALUE;
    assertThat(keepsBack(new KeysLater(map -> true, 0, all, all))).isTrue();
    assertThat(keepsBack(new KeysLater(map -> true, 64 << 20, all, all))).isFalse();
    assertThat(keepsBack(new KeysLater(map -> true, 0, 4_096, all))).isFalse();
    assertThat(keepsBack(new KeysLater(map -> true, 0, all, 1 << 20))).isFalse();
    assertThat(keepsBack(KeysLater.NONE)).isFalse();
  }

  private boolean keepsBack(KeysLater later) throws IOException {
    try (Journal journal =
        Journal.openKeys(Logs.SMALL, FileDisk.at(directory), new Given(), later)) {
      return journal.heldKeys() != null;
    }
  }

  @Test
  void payloadsAreThoseThatAreStillNeeded() throws IOException {
    JournalConfig config = Logs.SMALL.withThreads(2, 2);
    HeldRecords held = new HeldRecords();
    try (Journal journal = Journal.open(config, FileDisk.at(directory), held)) {
      held.setDead(journal);
      Random random = new Random(1);
      for (int i = 0; i < FRAMES; i++) {
        boolean early = i < FRAMES / 4; // of the first chunks nothing is needed any more
        int number = early ? i % 10 : i < FRAMES / 4 + 10 ? i % 10 : random.nextInt(FRAMES / 4);
        long _ = Logs.put(journal, held, number % 7, "map", "key-" + number, VALUE + i);
      }
    }
    HeldRecords back = new HeldRecords();
    try (Journal journal = Journal.openKeys(config, FileDisk.at(directory), back)) {
      back.records.values().removeIf(record -> record.value() != null); // not in an indexed chunk
      HeldRecords payloads = new HeldRecords();
      RecoveryReport report = journal.replayPayloads(chunk -> true, payloads);
      assertThat(payloads.records.keySet()).isEqualTo(back.records.keySet());
      assertThat(held.records).containsAllEntriesOf(payloads.records);
      long first = FRAMES / 4 * 300L / (32 << 10);
      assertThat(report.chunks()).isLessThan(journal.report().chunks() - (int) first / 2);
      assertThat(report.records()).isEqualTo(back.records.size());
    }
  }
}
