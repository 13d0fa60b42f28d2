package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.journal.sim.Faults;
import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import io.keyvalueserve.memory.Memory;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A log gives back the records put into it, on a simulated disk and without threads. */
class JournalTest {
  private final SimulatedDisk disk = new SimulatedDisk(512);
  private final VirtualClock clock = new VirtualClock();

  @Test
  void bringsBackWhatWasPutAndNotWhatWasRemoved() throws IOException {
    HeldRecords held = new HeldRecords();
    try (Journal journal = Logs.open(disk, clock, held)) {
      Logs.put(journal, held, 0, "a/users", "ada", "lovelace");
      Logs.put(journal, held, 1, "a/users", "alan", "turing");
      Logs.put(journal, held, 0, "a/users", "ada", "countess");
      Logs.remove(journal, held, 1, "a/users", "alan");
      Logs.put(journal, held, 3, "b/ünïcode", "empty", "");
    }
    HeldRecords back = new HeldRecords();
    try (Journal journal = Logs.open(disk, clock, back)) {
      assertThat(journal.report().damage()).isEmpty();
      assertThat(back.records).isEqualTo(held.records).hasSize(2);
      assertThat(journal.mapName(journal.map("a/users"))).isEqualTo("a/users");
    }
  }

  @Test
  void fillsManyBlocksAndChunks() throws IOException {
    HeldRecords held = new HeldRecords();
    try (Journal journal = Logs.open(disk, clock, held)) {
      for (int i = 0; i < 4_000; i++) {
        Logs.put(journal, held, i % 7, "m" + i % 3, "key" + i % 1_000, "v".repeat(i % 300));
        journal.turn();
        journal.turn();
      }
    }
    HeldRecords back = new HeldRecords();
    Journal journal = Logs.open(disk, clock, back);
    assertThat(journal.report().damage()).isEmpty();
    assertThat(journal.report().chunks()).isGreaterThan(15);
    assertThat(back.records).isEqualTo(held.records);
    journal.close();
  }

  @Test
  void clearsAndDropsWhatWasBeforeAndNothingElse() throws IOException {
    HeldRecords held = new HeldRecords();
    try (Journal journal = Logs.open(disk, clock, held)) {
      for (int partition = 0; partition < 3; partition++) {
        Logs.put(journal, held, partition, "m", "k", "old");
        Logs.put(journal, held, partition, "n", "k", "old");
      }
      long cleared = journal.clear(0, journal.map("m"));
      held.removeAll(key -> key.partition() == 0 && key.map().equals("m"), cleared);
      long dropped = journal.drop(1);
      held.removeAll(key -> key.partition() == 1, dropped);
      Logs.put(journal, held, 0, "m", "k2", "new");
      Logs.put(journal, held, 1, "n", "k2", "new");
    }
    HeldRecords back = new HeldRecords();
    Logs.open(disk, clock, back).close();
    assertThat(back.records).isEqualTo(held.records).hasSize(5);
  }

  @Test
  void recordsThatExpiredMeanwhileDoNotComeBackNorWhatTheyReplaced() throws IOException {
    HeldRecords held = new HeldRecords();
    try (Journal journal = Logs.open(disk, clock, held)) {
      long soon = clock.currentTimeMillis() + 1_000;
      Logs.put(journal, held, 0, "m", "k", "forever");
      Logs.put(journal, held, 0, "m", "k", "for a second", soon);
      Logs.put(journal, held, 0, "m", "later", "for an hour", soon + 3_600_000);
    }
    clock.advanceMillis(2_000);
    HeldRecords back = new HeldRecords();
    Logs.open(disk, clock, back).close();
    assertThat(back.records.keySet()).extracting(HeldRecords.Key::key).containsExactly("later");
    assertThat(back.records.values())
        .extracting(HeldRecords.Held::expiresAt)
        .containsExactly(clock.currentTimeMillis() - 1_000 + 3_600_000);
  }

  @Test
  void keepsLongPayloadsInFilesOfTheirOwn() throws IOException {
    HeldRecords held = new HeldRecords();
    SplittableRandom random = new SplittableRandom(1);
    try (Journal journal = Logs.open(disk, clock, held)) {
      Logs.put(journal, held, 0, "m", "short", "x".repeat(10));
      Logs.put(journal, held, 0, "m", "long", text(random, 5_000));
      Logs.put(journal, held, 0, "m", "long", text(random, 3_000_000));
      Logs.put(journal, held, 0, "m", "k".repeat(9_000), text(random, 10));
      Logs.put(journal, held, 0, "m", "g".repeat(9_000), text(random, 10));
      Logs.remove(journal, held, 0, "m", "g".repeat(9_000));
      assertThat(disk.list("blobs")).hasSize(5);
      Logs.settle(journal, clock);
      assertThat(disk.list("blobs")).as("what was replaced and certain is gone").hasSize(3);
    }
    HeldRecords back = new HeldRecords();
    try (Journal journal = Logs.open(disk, clock, back)) {
      assertThat(journal.report().damage()).isEmpty();
      assertThat(back.records).isEqualTo(held.records).hasSize(3);
    }
  }

  @Test
  void aLongPayloadMayBeWrittenAhead() throws IOException {
    HeldRecords held = new HeldRecords();
    byte[] payload = HeldRecords.payload("long", "x".repeat(5_000));
    try (Journal journal = Logs.open(disk, clock, held);
        AlignedMemory memory = AlignedMemory.allocate(payload.length)) {
      Memory.copy(payload, 0, memory.address(), payload.length);
      assertThat(journal.isFile(payload.length)).isTrue();
      assertThat(journal.isFile(Logs.SMALL.mostInlineBytes())).isFalse();
      PayloadDraft first = journal.draft(memory.address(), payload.length);
      PayloadDraft second = journal.draft(memory.address(), payload.length);
      PayloadDraft third = journal.draft(memory.address(), payload.length);
      assertThat(disk.list("blobs")).hasSize(3);
      second.discard();
      assertThat(disk.list("blobs")).hasSize(2);
      int map = journal.map("m");
      long position = journal.put(0, map, 0, 1, memory.address(), 0, 4, first);
      held.put(
          new HeldRecords.Key(0, "m", 1, "long"),
          new HeldRecords.Held(position, payload.length, "x".repeat(5_000), 0));
      first.discard();
      assertThat(first.isOver()).isTrue();
      assertThat(disk.list("blobs")).as("it is the log's now").hasSize(2);
      assertThatThrownBy(() -> journal.put(0, map, 0, 1, memory.address(), 0, 4, second))
          .isInstanceOf(IllegalStateException.class);
      Logs.settle(journal, clock);
      assertThat(third.isOver()).isFalse(); // and never will be: as after a crash
    }
    HeldRecords back = new HeldRecords();
    try (Journal journal = Logs.open(disk, clock, back)) {
      assertThat(journal.report().damage()).isEmpty();
      assertThat(back.records).isEqualTo(held.records).hasSize(1);
      assertThat(disk.list("blobs")).hasSize(1);
    }
  }

  @Test
  void aLongPayloadThatWasFoundAndNotCertainIsCertainFromThenOn() throws IOException {
    HeldRecords held = new HeldRecords();
    Journal journal = Logs.open(disk, clock, held);
    Logs.put(journal, held, 0, "m", "long", "x".repeat(5_000));
    clock.advanceMillis(600);
    disk.setFaults(
        (operation, name, offset) -> {
          if (operation == Faults.Operation.SYNC) {
            throw new IOException("killed before the sync");
          }
        });
    journal.turn();
    disk.kill(); // the file is there, and not certain
    HeldRecords found = new HeldRecords();
    Journal again = Logs.open(disk, clock, found);
    assertThat(found.records).isEqualTo(held.records).hasSize(1);
    disk.crash(takesAll());
    HeldRecords back = new HeldRecords();
    Journal third = Logs.open(disk, clock, back);
    assertThat(third.report().damage()).isEmpty();
    assertThat(back.records).isEqualTo(held.records);
    third.close();
    journal.close();
    assertThatThrownBy(again::close).hasMessageContaining("crashed");
  }

  @Test
  void aRemovedKeyThatIsAFileGoesWithTheLastChunkThatHasItsRemove() throws Exception {
    HeldRecords held = new HeldRecords();
    Journal first = Logs.open(disk, clock, held);
    String key = "k".repeat(9_000);
    Logs.put(first, held, 0, "m", "other", "1");
    Logs.put(first, held, 0, "m", key, "1");
    Logs.remove(first, held, 0, "m", key);
    Logs.settle(first, clock);
    assertThat(disk.list("blobs")).as("the remove's; the record's is gone").hasSize(1);
    first.close();
    HeldRecords back = new HeldRecords();
    Journal journal = Logs.open(disk, clock, back);
    assertThat(disk.list("blobs")).hasSize(1);
    Compactor compactor = journal.compactor(back, CompactionPolicy.ALL);
    for (int i = 0; i < 100; i++) {
      compactor.turn();
      Logs.settle(journal, clock);
    }
    assertThat(compactor.failure()).isNull();
    assertThat(disk.list("blobs")).isEmpty();
    journal.close();
    HeldRecords third = new HeldRecords();
    Journal again = Logs.open(disk, clock, third);
    assertThat(again.report().damage()).isEmpty();
    assertThat(third.records.keySet()).isEqualTo(held.records.keySet()).hasSize(1);
    again.close();
  }

  @Test
  void compactionAsksOnlyForWhatIsNotKnownToBeDead() throws Exception {
    HeldRecords held = new HeldRecords();
    try (Journal journal = Logs.open(disk, clock, held)) {
      for (int i = 0; i < 400; i++) {
        Logs.put(journal, held, i % 100 % 3, "m", "key" + i % 100, "value" + i);
        journal.turn();
      }
    }
    HeldRecords back = new HeldRecords();
    AtomicInteger asked = new AtomicInteger();
    try (Journal journal = Logs.open(disk, clock, back)) {
      Compactor compactor = journal.compactor(counting(back, asked), CompactionPolicy.ALL);
      for (int i = 0; i < 100; i++) {
        compactor.turn();
        Logs.settle(journal, clock);
      }
      assertThat(compactor.isBusy()).isFalse();
    }
    assertThat(asked).as("of 400 records that were written").hasValue(100);
    HeldRecords third = new HeldRecords();
    Logs.open(disk, clock, third).close();
    assertThat(values(third)).isEqualTo(values(held)).hasSize(100);
  }

  private static Map<HeldRecords.Key, String> values(HeldRecords held) {
    Map<HeldRecords.Key, String> values = new HashMap<>();
    held.records.forEach((key, record) -> values.put(key, String.valueOf(record.value())));
    return values;
  }

  private static RecordOwner counting(RecordOwner owner, AtomicInteger asked) {
    return new RecordOwner() {
      @Override
      public void exclusively(int partition, Runnable slice) throws InterruptedException {
        owner.exclusively(partition, slice);
      }

      @Override
      public long positionOf(Frame frame) {
        asked.incrementAndGet();
        return owner.positionOf(frame);
      }

      @Override
      public void moved(Frame frame, long position) {
        owner.moved(frame, position);
      }
    };
  }

  @Test
  void tellsWaitersWhenTheirRecordsAreCertainAndWithOneSync() throws IOException {
    HeldRecords held = new HeldRecords();
    Journal journal = Logs.open(disk, clock, held);
    Logs.Waiter first = new Logs.Waiter();
    Logs.Waiter second = new Logs.Waiter();
    Logs.Waiter third = new Logs.Waiter();
    journal.whenDurable(Logs.put(journal, held, 0, "m", "a", "1"), first);
    journal.whenDurable(Logs.put(journal, held, 2, "m", "b", "2"), second);
    assertThat(first.durable).hasValue(0);
    long before = disk.syncs();
    journal.turn();
    assertThat(disk.syncs() - before).isEqualTo(1);
    assertThat(first.durable).hasValue(1);
    assertThat(second.durable).hasValue(1);
    disk.crash(new Random(0));
    HeldRecords back = new HeldRecords();
    journal = Logs.open(disk, clock, back);
    assertThat(back.records).isEqualTo(held.records);
    journal.whenDurable(back.records.values().iterator().next().position(), third);
    assertThat(third.durable).as("certain already").hasValue(1);
    journal.close();
  }

  @Test
  void writesWhatNobodyWaitsForWithinTheInterval() throws IOException {
    HeldRecords held = new HeldRecords();
    Journal journal = Logs.open(disk, clock, held);
    Logs.put(journal, held, 0, "m", "a", "1");
    clock.advanceMillis(499);
    journal.turn();
    long before = disk.writes();
    clock.advanceMillis(2);
    journal.turn();
    assertThat(disk.writes()).isGreaterThan(before);
    disk.crash(new Random(0));
    HeldRecords back = new HeldRecords();
    Logs.open(disk, clock, back).close();
    assertThat(back.records).isEqualTo(held.records);
  }

  @Test
  void anIdleLogIsNotWrittenForEver() throws IOException {
    HeldRecords held = new HeldRecords();
    Journal journal = Logs.open(disk, clock, held);
    Logs.put(journal, held, 0, "m", "a", "1");
    Logs.settle(journal, clock);
    long writes = disk.writes();
    for (int i = 0; i < 100; i++) {
      clock.advanceMillis(600);
      journal.turn();
    }
    assertThat(disk.writes()).isEqualTo(writes);
    journal.close();
  }

  @Test
  void recoversKeysWithoutValuesAndReadsOneByOne() throws IOException {
    HeldRecords held = new HeldRecords();
    try (Journal journal = Logs.open(disk, clock, held)) {
      for (int i = 0; i < 500; i++) {
        Logs.put(journal, held, i % 7, "m", "key" + i % 300, ("v" + i + "-").repeat(90));
        journal.turn();
        journal.turn();
      }
      Logs.put(journal, held, 0, "m", "blob", "b".repeat(4_000));
      Logs.remove(journal, held, 2, "m", "key2");
    }
    HeldRecords back = new HeldRecords();
    try (Journal journal = Journal.open(Logs.SMALL, disk, clock, back, true)) {
      assertThat(journal.report().damage()).isEmpty();
      assertThat(back.records.keySet()).isEqualTo(held.records.keySet());
      assertThat(journal.report().bytes()).isLessThan(40_000);
      for (var entry : back.records.entrySet()) {
        HeldRecords.Held expected = Objects.requireNonNull(held.records.get(entry.getKey()));
        assertThat(entry.getValue().value()).isNull();
        assertThat(entry.getValue().position()).isEqualTo(expected.position());
        HeldRecords one = new HeldRecords();
        assertThat(journal.read(expected.position(), expected.payloadBytes(), one::put)).isTrue();
        assertThat(one.records).containsEntry(entry.getKey(), expected);
      }
    }
  }

  @Test
  void tellsWhetherThereIsRoomBeforeSomethingIsAppended() throws IOException {
    HeldRecords held = new HeldRecords();
    Journal journal = Logs.open(disk, clock, held);
    int longest = Logs.SMALL.mostInlineBytes();
    assertThat(journal.hasRoom(0, longest)).isTrue();
    assertThat(journal.hasRoom(0, longest + 1)).as("that would be a blob").isFalse();
    int map = journal.map("m");
    int taken = 0;
    try (AlignedMemory payload = AlignedMemory.allocate(longest)) {
      int length = 1;
      while (journal.hasRoom(0, length)) {
        assertThat(journal.tryPut(0, map, 0, 1, payload.address(), length, 0, 1))
            .isNotEqualTo(Journal.FULL);
        length = (7 * length + 1) % longest;
        taken++;
      }
      assertThat(taken).isGreaterThan(20);
      assertThat(journal.hasRoom(1, longest)).as("another stream").isTrue();
      while (journal.tryPut(0, map, 0, 1, payload.address(), 1, 0, 1) != Journal.FULL) {
        taken++; // the little that was left
      }
      assertThat(journal.hasRoom(0, 1)).isFalse();
      journal.turn();
      journal.turn();
      assertThat(journal.hasRoom(0, longest)).isTrue();
    }
    journal.close();
    assertThat(journal.hasRoom(0, 1)).isFalse();
  }

  @Test
  void thereIsNoRoomBeforeTheFirstChunkNorOnAFullDiskNorInAFailedLog() throws IOException {
    Journal young = Journal.open(Logs.SMALL, disk, clock, new HeldRecords(), false);
    assertThat(young.hasRoom(0, 1)).isFalse();
    disk.setCapacity(0);
    young.turn();
    assertThat(young.isDiskFull()).isTrue();
    assertThat(young.hasRoom(0, 1)).isFalse();
    disk.setCapacity(Long.MAX_VALUE);
    young.turn();
    young.turn();
    assertThat(young.hasRoom(0, 1)).isTrue();
    disk.setFaults(
        (operation, name, offset) -> {
          throw new IOException("Input/output error");
        });
    Logs.put(young, new HeldRecords(), 0, "m", "k", "v");
    Logs.settle(young, clock);
    assertThat(young.failure()).isNotNull();
    assertThat(young.hasRoom(0, 1)).isFalse();
    disk.setFaults(Faults.NONE);
    young.close();
  }

  /** A crash that takes everything that is not certain. */
  private static Random takesAll() {
    return new Random() {
      @Override
      public int nextInt(int bound) {
        return 0;
      }
    };
  }

  private static String text(SplittableRandom random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }
}
