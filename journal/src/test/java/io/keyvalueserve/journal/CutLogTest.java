package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.journal.sim.Faults;
import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A log whose end is gone: a torn tail is cut off silently, a loss is told. */
class CutLogTest {
  /** More of them with {@code -Dkvs.test.long=on}. */
  private static final int LIVES =
      System.getProperty("kvs.test.long", "off").equals("on") ? 5_000 : 150;

  private static final JournalConfig ONE_STREAM =
      JournalConfig.of("cluster-1", "member-1", 1, 1)
          .withSizes(4, 8 << 10, 32 << 10)
          .withThreads(0, 1);

  private final SimulatedDisk disk = new SimulatedDisk(512);
  private final VirtualClock clock = new VirtualClock();
  private final HeldRecords held = new HeldRecords();

  // ---- an unclean end

  @Test
  void aLogThatIsCutOffWhereItWasCertainIsDamaged() throws Exception {
    Journal journal = Logs.open(ONE_STREAM, disk, clock, held);
    long first = putCertain(journal, "first");
    long second = putCertain(journal, "second");
    long third = putCertain(journal, "third");
    disk.kill();
    truncate(chunkOf(second), Position.offset(second) + 10);
    HeldRecords back = new HeldRecords();
    Journal again = Logs.open(ONE_STREAM, disk, clock, back);
    assertThat(keys(back)).containsExactly("first");
    assertThat(again.report().damage())
        .singleElement()
        .satisfies(damage -> assertThat(damage.kind()).isEqualTo(Damage.Kind.BAD_FRAMES))
        .satisfies(damage -> assertThat(damage.file()).isEqualTo(disk.path(chunkOf(first))))
        .satisfies(damage -> assertThat(damage.offset()).isLessThanOrEqualTo(offset(second)))
        .satisfies(
            damage -> assertThat(damage.offset() + damage.bytes()).isGreaterThan(offset(third)));
    assertThat(again.suspect()).isEqualTo(1);
    assertThat(again.damagedRecords().unknown()).isEqualTo(1);
    assertThat(again.hasDamagedFiles()).isTrue();
    again.close();
    Journal later = Logs.open(ONE_STREAM, disk, clock, new HeldRecords());
    assertThat(later.suspect()).as("until it is trusted again").isEqualTo(1);
    later.close();
  }

  @Test
  void zerosWhereALogWasCertainAreDamage() throws Exception {
    Journal journal = Logs.open(ONE_STREAM, disk, clock, held);
    putCertain(journal, "first");
    long second = putCertain(journal, "second");
    disk.kill();
    zero(chunkOf(second), Position.offset(second));
    HeldRecords back = new HeldRecords();
    Journal again = Logs.open(ONE_STREAM, disk, clock, back);
    assertThat(keys(back)).containsExactly("first");
    assertThat(again.report().damage())
        .singleElement()
        .satisfies(damage -> assertThat(damage.kind()).isEqualTo(Damage.Kind.BAD_FRAMES))
        .satisfies(damage -> assertThat(damage.offset()).isEqualTo(offset(second)))
        .satisfies(damage -> assertThat(damage.bytes()).isLessThan(2_048));
    again.close();
  }

  @Test
  void aFileWithoutAByteOfWhatWasCertainIsDamage() throws Exception {
    Journal journal = Logs.open(ONE_STREAM, disk, clock, held);
    long position = putCertain(journal, "only");
    disk.kill();
    truncate(chunkOf(position), 0);
    Journal again = Logs.open(ONE_STREAM, disk, clock, new HeldRecords());
    assertThat(again.report().damage())
        .extracting(Damage::kind)
        .containsExactly(Damage.Kind.BAD_HEADER, Damage.Kind.BAD_FRAMES);
    assertThat(again.suspect()).isEqualTo(1);
    again.close();
  }

  @Test
  void theLastFileIsMissedThoughItWasNotSealed() throws Exception {
    Journal journal = Logs.open(ONE_STREAM, disk, clock, held);
    long position = putCertain(journal, "only");
    disk.kill();
    disk.delete(chunkOf(position));
    Journal again = Logs.open(ONE_STREAM, disk, clock, new HeldRecords());
    assertThat(again.report().damage())
        .extracting(Damage::kind)
        .containsExactly(Damage.Kind.MISSING_CHUNK);
    again.close();
  }

  /** The process is killed when the next chunk has data, and before the first one is sealed. */
  @Test
  void aFullChunkThatIsCutOffBeforeItWasSealedIsDamage() throws Exception {
    JournalConfig config = ONE_STREAM.withSizes(4, 8 << 10, 16 << 10);
    Journal journal = Logs.open(config, disk, clock, held);
    for (int i = 0; i < 4; i++) {
      journal.turn(); // until a chunk and the next are open
    }
    try (AlignedMemory payload = AlignedMemory.allocate(1_000)) {
      int map = journal.map("m");
      while (journal.tryPut(0, map, 0, 1, payload.address(), 1_000, 0, 4) != Journal.FULL) {
        // fills two chunks
      }
    }
    disk.setFaults(
        (operation, name, offset) -> {
          if (operation == Faults.Operation.WRITE && offset >= 16 << 10) {
            throw new IOException("killed before it writes a trailer");
          }
        });
    clock.advanceMillis(600);
    journal.turn();
    disk.kill();
    String first = LogFiles.CHUNKS + "/" + disk.list(LogFiles.CHUNKS).getFirst();
    truncate(first, 8 << 10);
    Journal again = Logs.open(config, disk, clock, new HeldRecords());
    assertThat(again.report().damage())
        .singleElement()
        .satisfies(damage -> assertThat(damage.kind()).isEqualTo(Damage.Kind.BAD_FRAMES))
        .satisfies(damage -> assertThat(damage.file()).isEqualTo(disk.path(first)))
        .satisfies(damage -> assertThat(damage.bytes()).isEqualTo(8 << 10));
    again.close();
  }

  @Test
  void whatWasNeverCertainIsCutOffInSilence() throws Exception {
    Journal journal = Logs.open(ONE_STREAM, disk, clock, held);
    long certain = putCertain(journal, "certain");
    long torn = Logs.put(journal, held, 0, "m", "torn", "x".repeat(1_800));
    disk.setFaults(
        (operation, name, offset) -> {
          if (operation == Faults.Operation.SYNC) {
            throw new IOException("killed before the sync");
          }
        });
    clock.advanceMillis(600);
    journal.turn();
    disk.kill();
    assertThat(chunkOf(torn)).isEqualTo(chunkOf(certain));
    truncate(chunkOf(torn), Position.offset(torn) + 100);
    HeldRecords back = new HeldRecords();
    Journal again = Logs.open(ONE_STREAM, disk, clock, back);
    assertThat(keys(back)).containsExactly("certain");
    assertThat(again.report().damage()).noneMatch(Damage::isLoss);
    assertThat(again.suspect()).isZero();
    again.close();
  }

  /** A part of the zeros was certain, and the rest was not: the log ends between them. */
  @Test
  void aLogEndsWhereItWasCertainIfNothingBehindThatIsLeft() throws Exception {
    Journal journal = Logs.open(ONE_STREAM, disk, clock, held);
    long lost = putCertain(journal, "lost");
    disk.kill();
    zero(chunkOf(lost), Position.offset(lost));
    disk.corrupt(chunkOf(lost), (32 << 10) - 1, 7); // garbage that was never certain
    Journal again = Logs.open(ONE_STREAM, disk, clock, new HeldRecords());
    assertThat(again.report().damage())
        .extracting(Damage::kind)
        .containsExactlyInAnyOrder(Damage.Kind.BAD_FRAMES, Damage.Kind.TORN_TAIL);
    again.close();
  }

  // ---- the record of it

  @Test
  void nobodyIsToldBeforeThePositionIsNoted() throws Exception {
    Journal journal = Logs.open(ONE_STREAM, disk, clock, held);
    putCertain(journal, "certain");
    disk.setFaults(
        (operation, name, offset) -> {
          if (operation == Faults.Operation.WRITE && name.equals(LogFiles.CERTAIN)) {
            throw new IOException("killed between the sync and the record");
          }
        });
    Logs.Waiter waiter = new Logs.Waiter();
    long position = Logs.put(journal, held, 0, "m", "key", "value");
    journal.whenDurable(position, waiter);
    journal.turn();
    disk.kill();
    assertThat(waiter.durable).hasValue(0);
    truncate(chunkOf(position), Position.offset(position) + 10);
    HeldRecords back = new HeldRecords();
    Journal again = Logs.open(ONE_STREAM, disk, clock, back);
    assertThat(keys(back)).containsExactly("certain");
    assertThat(again.suspect()).isZero();
    again.close();
  }

  @Test
  void whatIsInTheLogMayBeMoreThanIsNoted() throws Exception {
    Journal journal = Logs.open(ONE_STREAM, disk, clock, held);
    putCertain(journal, "certain");
    disk.setFaults(
        (operation, name, offset) -> {
          if (operation == Faults.Operation.WRITE && name.equals(LogFiles.CERTAIN)) {
            throw new IOException("killed between the sync and the record");
          }
        });
    Logs.put(journal, held, 0, "m", "later", "value");
    clock.advanceMillis(600);
    journal.turn();
    disk.kill();
    HeldRecords back = new HeldRecords();
    Journal again = Logs.open(ONE_STREAM, disk, clock, back);
    assertThat(keys(back)).containsExactlyInAnyOrder("certain", "later");
    assertThat(again.report().damage()).isEmpty();
    again.close();
  }

  /** The machine goes down: what was noted more than a second ago is known all the same. */
  @Test
  void positionsOutliveAPowerCutAfterASecond() throws Exception {
    Journal journal = Logs.open(ONE_STREAM, disk, clock, held);
    putCertain(journal, "first");
    long second = putCertain(journal, "second");
    clock.advanceMillis(1_100);
    journal.turn();
    disk.crash(keepsNothing());
    truncate(chunkOf(second), Position.offset(second));
    Journal again = Logs.open(ONE_STREAM, disk, clock, new HeldRecords());
    assertThat(again.suspect()).isEqualTo(1);
    again.close();
  }

  @Test
  void aRecordThatWasTornLeavesTheOneBeforeIt() throws Exception {
    Journal journal = Logs.open(ONE_STREAM, disk, clock, held);
    putCertain(journal, "first");
    long synced = CertainFile.read(disk).positions()[0];
    Logs.put(journal, held, 0, "m", "second", "2");
    clock.advanceMillis(600);
    journal.turn();
    disk.kill();
    assertThat(CertainFile.read(disk).positions()[0]).isGreaterThan(synced);
    byte[] file = SmallFile.read(disk, LogFiles.CERTAIN);
    int half = file.length / 2;
    int newer = file[8] > file[half + 8] ? 0 : half; // by their sequence
    disk.corrupt(LogFiles.CERTAIN, newer + 25, 1);
    assertThat(CertainFile.read(disk).positions()).containsExactly(synced);
    assertThat(CertainFile.read(disk).damaged()).isFalse();
  }

  @Test
  void aRecordThatIsDamagedIsToldIfItWasNeeded() throws Exception {
    Journal journal = Logs.open(ONE_STREAM, disk, clock, held);
    putCertain(journal, "key");
    disk.kill();
    zero(LogFiles.CERTAIN, 0);
    Journal again = Logs.open(ONE_STREAM, disk, clock, new HeldRecords());
    assertThat(again.report().damage())
        .singleElement()
        .satisfies(damage -> assertThat(damage.kind()).isEqualTo(Damage.Kind.BAD_CERTAIN))
        .satisfies(damage -> assertThat(damage.mayMissRecords()).isTrue());
    putCertain(again, "another");
    again.trust();
    again.close();
    zero(LogFiles.CERTAIN, 0);
    Journal third = Logs.open(ONE_STREAM, disk, clock, new HeldRecords());
    assertThat(third.report().damage()).as("after a clean end all ends are known").isEmpty();
    third.close();
  }

  @Test
  void aLogOfAnEarlierVersionHasNoRecord() throws Exception {
    Journal journal = Logs.open(ONE_STREAM, disk, clock, held);
    putCertain(journal, "key");
    disk.kill();
    disk.delete(LogFiles.CERTAIN);
    Journal again = Logs.open(ONE_STREAM, disk, clock, new HeldRecords());
    assertThat(again.report().damage()).isEmpty();
    again.close();
  }

  /** Each sync of the log costs a write of some bytes, but no sync more. */
  @Test
  void positionsAreSyncedOnceASecond() throws Exception {
    Journal journal = Logs.open(ONE_STREAM, disk, clock, held);
    List<Faults.Operation> operations = new ArrayList<>();
    disk.setFaults(
        (operation, name, offset) -> {
          if (name.equals(LogFiles.CERTAIN)) {
            boolean _ = operations.add(operation);
          }
        });
    long before = journal.statistics().syncs();
    for (int i = 0; i < 250; i++) {
      clock.advanceMillis(10);
      journal.whenDurable(Logs.put(journal, held, 0, "m", "key", "v" + i), new Logs.Waiter());
      journal.turn();
    }
    assertThat(journal.statistics().syncs() - before).isEqualTo(250);
    assertThat(operations).filteredOn(Faults.Operation.WRITE::equals).hasSize(250);
    assertThat(operations).filteredOn(Faults.Operation.SYNC::equals).hasSize(2);
    journal.close();
  }

  // ---- any cut

  /**
   * Random logs, ends and cuts. If records are missing that were acknowledged, the log says that it
   * may miss some. Of a power cut that holds for what was acknowledged two seconds before.
   */
  @Test
  void nothingAcknowledgedIsLostUntold() throws Exception {
    int told = 0;
    int lostNothing = 0;
    int torn = 0;
    for (int seed = 0; seed < LIVES; seed++) {
      Life life = new Life(seed);
      life.live();
      life.end();
      String cut = life.cut();
      HeldRecords back = new HeldRecords();
      Journal again = Logs.open(life.config, life.disk, life.clock, back);
      boolean isTold = again.report().damage().stream().anyMatch(Damage::mayMissRecords);
      Set<String> missing = new HashSet<>(life.acknowledged);
      missing.removeAll(keys(back));
      assertThat(isTold || missing.isEmpty())
          .as("seed %d, %s: missing are %s", seed, cut, missing)
          .isTrue();
      assertThat(again.suspect() > 0).isEqualTo(isTold);
      told += isTold ? 1 : 0;
      lostNothing += isTold ? 0 : 1;
      torn += again.report().damage().stream().anyMatch(Damage::isOfCrash) ? 1 : 0;
      again.close();
    }
    assertThat(told).isGreaterThan(LIVES / 4);
    assertThat(lostNothing).isGreaterThan(LIVES / 20);
    assertThat(torn).isPositive();
  }

  /** A log that is written, ends somehow, and is cut. */
  private static final class Life {
    final SimulatedDisk disk = new SimulatedDisk(512);
    final VirtualClock clock = new VirtualClock();
    final Set<String> acknowledged = new HashSet<>();
    final JournalConfig config;
    private final SplittableRandom random;
    private final HeldRecords held = new HeldRecords();
    private final Journal journal;
    private int next;

    Life(long seed) throws IOException {
      random = new SplittableRandom(seed);
      config =
          JournalConfig.of("cluster-1", "member-1", 1, 1 + random.nextInt(3))
              .withSizes(4, 8 << 10, (random.nextBoolean() ? 16 : 32) << 10)
              .withThreads(0, 1);
      journal = Logs.open(config, disk, clock, held);
    }

    void live() {
      write(1 + random.nextInt(150), acknowledged);
    }

    private void write(int records, Set<String> told) {
      for (int i = 0; i < records; i++) {
        int length = random.nextInt(20) == 0 ? random.nextInt(4_000) : random.nextInt(300);
        String key = "key" + next++;
        long position = Logs.put(journal, held, random.nextInt(5), "m", key, "x".repeat(length));
        if (random.nextBoolean()) {
          journal.whenDurable(position, new Told(key, told));
        }
        for (int turns = random.nextInt(3); turns > 0; turns--) {
          journal.turn();
        }
        clock.advanceMillis(random.nextInt(4) == 0 ? random.nextInt(700) : 0);
      }
    }

    void end() throws IOException {
      switch (random.nextInt(4)) {
        case 0 -> {
          journal.close();
          for (int i = 0; i < next; i++) {
            boolean _ = acknowledged.add("key" + i);
          }
        }
        case 1 -> {
          Logs.settle(journal, clock);
          write(random.nextInt(40), new HashSet<>());
          writeUnsynced();
          disk.crash(random);
        }
        default -> {
          writeUnsynced();
          disk.kill();
        }
      }
    }

    /** Whatever ends the log comes between a write and its sync. */
    private void writeUnsynced() {
      disk.setFaults(
          (operation, name, offset) -> {
            if (operation == Faults.Operation.SYNC) {
              throw new IOException("the end");
            }
          });
      for (int i = random.nextInt(20); i > 0; i--) {
        Logs.put(journal, held, random.nextInt(5), "m", "unsynced" + i, "x".repeat(100));
      }
      clock.advanceMillis(600);
      journal.turn();
    }

    /** Damages one file; returns what was done. */
    String cut() throws IOException {
      List<String> files = new ArrayList<>();
      disk.list(LogFiles.CHUNKS).forEach(name -> files.add(LogFiles.CHUNKS + "/" + name));
      disk.list(LogFiles.BLOBS).forEach(name -> files.add(LogFiles.BLOBS + "/" + name));
      if (files.isEmpty()) {
        return "nothing to cut";
      }
      String name = files.get(random.nextInt(files.size()));
      int size = SmallFile.read(disk, name).length;
      int at = random.nextInt(size + 1);
      switch (random.nextInt(5)) {
        case 0 -> disk.delete(name);
        case 1, 2 -> zero(disk, name, at);
        default -> truncate(disk, name, at);
      }
      return name + " of " + size + " bytes at " + at;
    }
  }

  private static final class Told extends DurabilityWaiter {
    private final String key;
    private final Set<String> told;

    Told(String key, Set<String> told) {
      this.key = key;
      this.told = told;
    }

    @Override
    protected void durable() {
      boolean _ = told.add(key);
    }

    @Override
    protected void failed(JournalException e) {
      // nothing is known, then
    }
  }

  // ---- helpers

  private long putCertain(Journal journal, String key) {
    long position = Logs.put(journal, held, 0, "m", key, "x".repeat(100));
    Logs.settle(journal, clock);
    return position;
  }

  private static List<String> keys(HeldRecords records) {
    return records.records.keySet().stream().map(HeldRecords.Key::key).toList();
  }

  private static String chunkOf(long position) {
    return LogFiles.chunk(Position.chunk(position));
  }

  private static long offset(long position) {
    return Position.offset(position);
  }

  private void truncate(String name, long bytes) throws IOException {
    truncate(disk, name, bytes);
  }

  private static void truncate(SimulatedDisk disk, String name, long bytes) throws IOException {
    try (DiskFile file = disk.open(name, Disk.Access.CACHED)) {
      file.truncate(bytes);
      file.sync();
    }
  }

  private void zero(String name, long from) throws IOException {
    zero(disk, name, from);
  }

  private static void zero(SimulatedDisk disk, String name, long from) throws IOException {
    try (DiskFile file = disk.open(name, Disk.Access.CACHED)) {
      file.write(from, MemorySegment.ofArray(new byte[(int) (file.size() - from)]));
      file.sync();
    }
  }

  /** Returns the choices of a crash that keeps nothing of the bytes that were not synced. */
  private static RandomGenerator keepsNothing() {
    return new Random() {
      @Override
      public int nextInt(int bound) {
        return bound == 5 ? 0 : bound - 1;
      }
    };
  }
}
