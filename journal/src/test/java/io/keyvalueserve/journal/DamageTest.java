package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.journal.sim.Faults;
import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of docs/durability.md: each thing that can be wrong with a log, and its outcome. */
class DamageTest {
  private final SimulatedDisk disk = new SimulatedDisk(512);
  private final VirtualClock clock = new VirtualClock();
  private final HeldRecords held = new HeldRecords();

  // ---- frames

  @Test
  void aTornTailIsCutOffAndReportedOnce() throws IOException {
    Journal journal = Logs.open(disk, clock, held);
    Logs.put(journal, held, 0, "m", "certain", "1");
    Logs.settle(journal, clock);
    Map<HeldRecords.Key, HeldRecords.Held> certain = new HashMap<>(held.records);
    long torn = Logs.put(journal, held, 0, "m", "torn", "x".repeat(600));
    clock.advanceMillis(600);
    disk.setFaults(
        (operation, name, offset) -> {
          if (operation == Faults.Operation.SYNC) {
            throw new IOException("power fails before the sync");
          }
        });
    journal.turn();
    disk.crash(keepsAll());
    disk.corrupt(chunkOf(torn), Position.offset(torn) + 100, 1);
    HeldRecords back = new HeldRecords();
    Journal again = Logs.open(disk, clock, back);
    assertThat(back.records).isEqualTo(certain);
    assertThat(again.report().damage()).hasSize(1);
    Damage damage = again.report().damage().get(0);
    assertThat(damage.kind()).isEqualTo(Damage.Kind.TORN_TAIL);
    assertThat(damage.file()).isEqualTo(disk.path(chunkOf(torn)));
    assertThat(damage.offset()).isBetween(Position.offset(torn) - 100, Position.offset(torn));
    assertThat(damage.bytes()).isPositive();
    assertThat(damage.isLoss()).isFalse();
    again.close();
    Journal third = Logs.open(disk, clock, new HeldRecords());
    assertThat(third.report().damage()).isEmpty();
    third.close();
  }

  @Test
  void whatIsBehindATornTailInLaterChunksIsGivenUp() throws IOException {
    JournalConfig config =
        JournalConfig.of("cluster-1", "member-1", 1, 1)
            .withSizes(4, 8 << 10, 16 << 10)
            .withThreads(0, 1);
    Journal journal = Logs.open(config, disk, clock, held);
    for (int i = 0; i < 4; i++) {
      journal.turn(); // until a chunk and the next are open
    }
    try (AlignedMemory payload = AlignedMemory.allocate(1_000)) {
      int map = journal.map("m");
      while (journal.tryPut(0, map, 0, 1, payload.address(), 1_000, 0, 4) != Journal.FULL) {
        // fills two chunks, neither of which is certain
      }
    }
    journal.turn();
    disk.crash(keepsAll());
    List<String> chunks = disk.list("chunks");
    disk.corrupt("chunks/" + chunks.get(0), ChunkHeader.BYTES + 100, 1);
    HeldRecords back = new HeldRecords();
    Journal again = Logs.open(config, disk, clock, back);
    assertThat(again.report().damage())
        .extracting(Damage::kind)
        .containsExactly(Damage.Kind.TORN_TAIL, Damage.Kind.BEHIND_TORN_TAIL);
    assertThat(back.records).isEmpty();
    again.close();
  }

  @Test
  void aFlippedBitLosesOneRecordAndTheChunkIsSetAside() throws Exception {
    fill(300);
    HeldRecords.Key victim = new HeldRecords.Key(0, "m", 1, "key140");
    long position = Objects.requireNonNull(held.records.get(victim)).position();
    disk.corrupt(chunkOf(position), Position.offset(position) + 40, 4);
    HeldRecords back = new HeldRecords();
    Journal journal = Logs.open(disk, clock, back);
    held.records.remove(victim);
    assertThat(back.records).isEqualTo(held.records);
    assertDamage(journal, Damage.Kind.BAD_FRAMES, chunkOf(position), Position.offset(position));
    compactAll(journal, back);
    assertThat(disk.exists(chunkOf(position))).isFalse();
    assertThat(disk.list("quarantine")).hasSize(1);
    journal.close();
    HeldRecords third = new HeldRecords();
    Journal clean = Logs.open(disk, clock, third);
    assertThat(clean.report().damage()).isEmpty();
    assertThat(third.records).isEqualTo(back.records);
    clean.close();
  }

  /** Only the index of a sealed chunk is read at first. */
  @Test
  void aCheckFindsWhatWasNotReadWhenTheLogWasOpenedByItsKeys() throws Exception {
    fill(300);
    long position =
        Objects.requireNonNull(held.records.get(new HeldRecords.Key(0, "m", 1, "key140")))
            .position();
    Journal whole = Journal.open(Logs.SMALL, disk, clock, new HeldRecords(), true);
    assertThat(whole.check()).isEqualTo(new LogCheck(List.of(), 0));
    whole.close();
    disk.corrupt(chunkOf(position), Position.offset(position) + 40, 4);
    HeldRecords back = new HeldRecords();
    Journal journal = Journal.open(Logs.SMALL, disk, clock, back, true);
    back.setDead(journal);
    assertThat(journal.report().damage()).isEmpty();
    assertThat(journal.hasDamagedFiles()).isFalse();
    LogCheck found = journal.check();
    assertThat(found.mayMissRecords()).isTrue();
    assertThat(found.unknown()).isZero();
    assertThat(found.damage())
        .singleElement()
        .satisfies(damage -> assertThat(damage.kind()).isEqualTo(Damage.Kind.BAD_FRAMES))
        .satisfies(damage -> assertThat(damage.file()).isEqualTo(disk.path(chunkOf(position))))
        .satisfies(damage -> assertThat(damage.offset()).isEqualTo(Position.offset(position)));
    assertThat(journal.hasDamagedFiles()).isTrue();
    journal.close();
  }

  @Test
  void aFlippedBitThatOnlyCompactionMeetsIsToldAndTheChunkIsSetAside() throws Exception {
    fill(300);
    HeldRecords.Key victim = new HeldRecords.Key(0, "m", 1, "key140");
    long position = Objects.requireNonNull(held.records.get(victim)).position();
    HeldRecords back = new HeldRecords();
    Journal journal = Journal.open(Logs.SMALL, disk, clock, back, true); // reads indexes only
    back.setDead(journal);
    Logs.settle(journal, clock); // the first chunks
    assertThat(back.records.keySet()).isEqualTo(held.records.keySet());
    disk.corrupt(chunkOf(position), Position.offset(position) + 40, 4);
    Compactor compactor = journal.compactor(back, CompactionPolicy.ALL);
    for (HeldRecords.Key key : held.records.keySet()) {
      if (!key.equals(victim)) { // so that every chunk is worth it
        Logs.put(journal, back, key.partition(), "m", key.key(), "new");
        Logs.settle(journal, clock);
      }
    }
    compact(journal, compactor);
    assertThat(journal.report().damage()).isEmpty();
    assertThat(journal.damageFoundSince())
        .singleElement()
        .satisfies(damage -> assertThat(damage.kind()).isEqualTo(Damage.Kind.BAD_FRAMES))
        .satisfies(damage -> assertThat(damage.file()).isEqualTo(disk.path(chunkOf(position))))
        .satisfies(damage -> assertThat(damage.offset()).isEqualTo(Position.offset(position)));
    assertThat(disk.exists(chunkOf(position))).isFalse();
    assertThat(disk.list("quarantine")).hasSize(1);
    journal.close();
  }

  @Test
  void aZeroedPageLosesWhatWasInItAndNothingElse() throws IOException {
    fill(300);
    String name = LogFiles.chunk(2);
    int page = 12 << 10;
    DiskFile file = disk.open(name, Disk.Access.CACHED);
    file.write(page, MemorySegment.ofArray(new byte[4096]));
    file.sync();
    HeldRecords back = new HeldRecords();
    Journal journal = Logs.open(disk, clock, back);
    Damage damage = assertDamage(journal, Damage.Kind.BAD_FRAMES, name, -1);
    assertThat(damage.offset()).isBetween(page - 300L, page + 0L);
    for (var each : held.records.entrySet()) {
      long at = each.getValue().position();
      boolean hit =
          Position.chunk(at) == 2
              && Position.offset(at) >= damage.offset()
              && Position.offset(at) < damage.offset() + damage.bytes();
      assertThat(back.records.containsKey(each.getKey())).isEqualTo(!hit);
    }
    journal.close();
  }

  @Test
  void aFlippedBitInAChunkThatWasNotSealedIsDamageIfTheLogSaysItWasCertain() throws IOException {
    Journal journal = Logs.open(disk, clock, held);
    long first = Logs.put(journal, held, 0, "m", "first", "1");
    Logs.put(journal, held, 0, "m", "second", "2");
    Logs.settle(journal, clock);
    disk.crash(keepsAll());
    disk.corrupt(chunkOf(first), Position.offset(first) + 33, 1);
    HeldRecords back = new HeldRecords();
    Journal again = Logs.open(disk, clock, back);
    assertDamage(again, Damage.Kind.BAD_FRAMES, chunkOf(first), Position.offset(first));
    assertThat(back.records.keySet()).extracting(HeldRecords.Key::key).containsExactly("second");
    again.close();
  }

  @Test
  void whatTheDiskDoesNotReadIsReportedAndTheRestIsRead() throws IOException {
    fill(600);
    String name = LogFiles.chunk(4);
    disk.setFaults(
        (operation, file, offset) -> {
          if (operation == Faults.Operation.READ && file.equals(name) && offset == 0) {
            throw new IOException("Input/output error");
          }
        });
    HeldRecords back = new HeldRecords();
    Journal journal = Logs.open(disk, clock, back);
    assertThat(journal.report().damage())
        .extracting(Damage::kind)
        .contains(Damage.Kind.UNREADABLE, Damage.Kind.BAD_HEADER);
    assertThat(journal.report().damage()).extracting(Damage::file).containsOnly(disk.path(name));
    assertThat(held.records).containsAllEntriesOf(back.records);
    for (var each : held.records.entrySet()) {
      if (Position.chunk(each.getValue().position()) != 4) {
        assertThat(back.records).containsEntry(each.getKey(), each.getValue());
      }
    }
    journal.close();
  }

  // ---- files

  @Test
  void aMissingChunkIsReportedAndTheRestIsRead() throws IOException {
    fill(600);
    disk.delete(LogFiles.chunk(4));
    HeldRecords back = new HeldRecords();
    Journal journal = Logs.open(disk, clock, back);
    assertDamage(journal, Damage.Kind.MISSING_CHUNK, LogFiles.chunk(4), 0);
    held.records.values().removeIf(record -> Position.chunk(record.position()) == 4);
    assertThat(back.records).isEqualTo(held.records);
    journal.close();
    Journal again = Logs.open(disk, clock, new HeldRecords());
    assertThat(again.report().damage()).isEmpty();
    again.close();
  }

  @Test
  void aBlobThatIsMissingOrDamagedIsReported() throws IOException {
    for (boolean missing : new boolean[] {true, false}) {
      HeldRecords before = new HeldRecords();
      SimulatedDisk own = new SimulatedDisk(512);
      try (Journal journal = Logs.open(own, clock, before)) {
        Logs.put(journal, before, 0, "m", "good", "g".repeat(5_000));
        Logs.put(journal, before, 0, "m", "bad", "b".repeat(5_000));
      }
      if (missing) {
        own.delete(LogFiles.blob(2));
      } else {
        own.corrupt(LogFiles.blob(2), 4_000, 1);
      }
      HeldRecords back = new HeldRecords();
      Journal journal = Logs.open(own, clock, back);
      assertThat(back.records.keySet()).extracting(HeldRecords.Key::key).containsExactly("good");
      assertThat(journal.report().damage())
          .singleElement()
          .satisfies(damage -> assertThat(damage.kind()).isEqualTo(Damage.Kind.BAD_BLOB))
          .satisfies(damage -> assertThat(damage.offset()).isPositive());
      journal.close();
    }
  }

  @Test
  void aCheckReadsBlobsToo() throws IOException {
    try (Journal journal = Logs.open(disk, clock, held)) {
      Logs.put(journal, held, 0, "m", "good", "g".repeat(5_000));
      Logs.put(journal, held, 0, "m", "bad", "b".repeat(5_000));
    }
    disk.corrupt(LogFiles.blob(2), 4_000, 1);
    Journal journal = Journal.open(Logs.SMALL, disk, clock, new HeldRecords(), true);
    assertThat(journal.report().damage()).isEmpty();
    assertThat(journal.check().damage())
        .singleElement()
        .satisfies(damage -> assertThat(damage.kind()).isEqualTo(Damage.Kind.BAD_BLOB))
        .satisfies(damage -> assertThat(damage.file()).isEqualTo(disk.path(LogFiles.blob(2))));
    journal.close();
  }

  @Test
  void aBlobThatTheDiskDoesNotReadIsReportedAndKept() throws IOException {
    try (Journal journal = Logs.open(disk, clock, held)) {
      Logs.put(journal, held, 0, "m", "good", "g".repeat(5_000));
      Logs.put(journal, held, 0, "m", "bad", "b".repeat(5_000));
    }
    String name = LogFiles.blob(2);
    disk.setFaults(
        (operation, file, offset) -> {
          if (operation == Faults.Operation.READ && file.equals(name)) {
            throw new IOException("Input/output error");
          }
        });
    HeldRecords back = new HeldRecords();
    Journal journal = Logs.open(disk, clock, back);
    assertThat(back.records.keySet()).extracting(HeldRecords.Key::key).containsExactly("good");
    assertThat(journal.report().damage())
        .extracting(Damage::kind)
        .containsExactly(Damage.Kind.UNREADABLE, Damage.Kind.BAD_BLOB);
    assertThat(journal.report().damage().get(0).file()).isEqualTo(disk.path(name));
    assertThat(disk.list("quarantine")).containsExactly("000000000002.blob");
    journal.close();
  }

  @Test
  void anotherGenerationOfAChunkUnderAnotherNameIsSetAside() throws IOException {
    fill(600);
    copy(LogFiles.chunk(4), LogFiles.chunk(900));
    HeldRecords back = new HeldRecords();
    Journal journal = Logs.open(disk, clock, back);
    assertThat(back.records).isEqualTo(held.records);
    assertDamage(journal, Damage.Kind.MISNAMED_CHUNK, LogFiles.chunk(900), 0);
    assertThat(disk.list("quarantine")).containsExactly("000000000900.chunk");
    journal.close();
  }

  /** Such as a chunk whose name has digits of another alphabet. */
  @Test
  void aFileThatIsNoPartOfALogStopsTheStartWithItsName() throws IOException {
    fill(600);
    for (String strange : List.of("chunks/\u0660\u0661.chunk", "blobs/old.blob")) {
      copy(LogFiles.chunk(4), strange);
      assertThatThrownBy(() -> Logs.open(disk, clock, new HeldRecords()))
          .isInstanceOf(DirectoryRefusedException.class)
          .hasMessageContaining(disk.path(strange));
      disk.delete(strange);
    }
    HeldRecords back = new HeldRecords();
    try (Journal journal = Logs.open(disk, clock, back)) {
      assertThat(journal.suspect()).isZero();
    }
    assertThat(back.records).isEqualTo(held.records);
  }

  /** The last chunk too, behind which there is nothing that would tell. */
  @Test
  void aShortenedChunkIsNoTornTail() throws IOException {
    fill(600);
    String last = disk.list(LogFiles.CHUNKS).getLast();
    long id = LogFiles.chunkOf(last).orElseThrow();
    long end = ChunkHeader.BYTES + 1024;
    try (DiskFile file = disk.open(LogFiles.chunk(id), Disk.Access.WRITE)) {
      file.truncate(end);
      file.sync();
    }
    HeldRecords back = new HeldRecords();
    try (Journal journal = Logs.open(disk, clock, back)) {
      assertThat(journal.report().damage())
          .extracting(Damage::kind)
          .containsExactly(Damage.Kind.BAD_FRAMES);
      assertThat(journal.suspect()).isEqualTo(1);
    }
    int before = held.records.size();
    held.records
        .values()
        .removeIf(
            record ->
                Position.chunk(record.position()) == id
                    && record.position() >= 0
                    && Position.offset(record.position()) + 264 > end);
    assertThat(held.records).hasSizeLessThan(before);
    assertThat(back.records).isEqualTo(held.records);
  }

  @Test
  void aDamagedLogIsSuspectUntilItsOwnerTrustsIt() throws IOException {
    fill(600);
    disk.delete(LogFiles.chunk(4));
    Logs.open(disk, clock, new HeldRecords()).close();
    try (Journal again = Logs.open(disk, clock, new HeldRecords())) {
      assertThat(again.report().damage()).isEmpty(); // it was told, but is not forgotten
      assertThat(again.suspect()).isEqualTo(1);
      again.trust();
      assertThat(again.suspect()).isZero();
    }
    try (Journal trusted = Logs.open(disk, clock, new HeldRecords())) {
      assertThat(trusted.suspect()).isZero();
    }
  }

  @Test
  void aLogWithoutManifestAndChunksIsNoNewOne() throws IOException {
    fill(600);
    for (String name : disk.list(LogFiles.CHUNKS)) {
      disk.delete(LogFiles.CHUNKS + "/" + name);
    }
    disk.delete(LogFiles.MANIFEST);
    try (Journal journal = Logs.open(disk, clock, new HeldRecords())) {
      assertDamage(journal, Damage.Kind.BAD_MANIFEST, LogFiles.MANIFEST, 0);
      assertThat(journal.suspect()).isEqualTo(1);
    }
  }

  @Test
  void aChunkThatHoldsAnOlderGenerationThanItsNameIsReportedAsMissing() throws IOException {
    fill(600);
    disk.delete(LogFiles.chunk(6));
    copy(LogFiles.chunk(4), LogFiles.chunk(6));
    HeldRecords back = new HeldRecords();
    Journal journal = Logs.open(disk, clock, back);
    assertThat(journal.report().damage())
        .extracting(Damage::kind)
        .containsExactly(Damage.Kind.MISNAMED_CHUNK, Damage.Kind.MISSING_CHUNK);
    held.records.values().removeIf(record -> Position.chunk(record.position()) == 6);
    assertThat(back.records).isEqualTo(held.records);
    journal.close();
  }

  @Test
  void aChunkTheManifestDoesNotNameIsSetAside() throws IOException {
    fill(600);
    HeldRecords other = new HeldRecords();
    SimulatedDisk otherDisk = new SimulatedDisk(512);
    try (Journal journal = Logs.open(otherDisk, clock, other)) {
      for (int i = 0; i < 3_000; i++) {
        Logs.put(journal, other, 0, "m", "other" + i, "x".repeat(100));
        journal.turn();
        journal.turn();
      }
    }
    String late = LogFiles.chunk(18);
    assertThat(disk.exists(late)).isFalse();
    Logs.copy(otherDisk, late, disk, late);
    HeldRecords back = new HeldRecords();
    Journal journal = Logs.open(disk, clock, back);
    assertDamage(journal, Damage.Kind.UNLISTED_CHUNK, late, 0);
    assertThat(back.records).isEqualTo(held.records);
    journal.close();
  }

  @Test
  void aDamagedHeaderLosesNothing() throws IOException {
    fill(600);
    disk.corrupt(LogFiles.chunk(4), 20, 1);
    HeldRecords back = new HeldRecords();
    Journal journal = Logs.open(disk, clock, back);
    assertDamage(journal, Damage.Kind.BAD_HEADER, LogFiles.chunk(4), 0);
    assertThat(back.records).isEqualTo(held.records);
    journal.close();
  }

  @Test
  void aDamagedTrailerOrIndexLosesNothing() throws IOException {
    fill(600);
    String name = LogFiles.chunk(4);
    DiskFile file = disk.open(name, Disk.Access.READ);
    long trailer = file.size() - ChunkTrailer.BYTES;
    disk.corrupt(name, trailer + 30, 1);
    String indexed = LogFiles.chunk(2);
    disk.corrupt(indexed, (32 << 10) + 100, 1);
    HeldRecords back = new HeldRecords();
    Journal journal = Logs.open(disk, clock, back);
    assertDamage(journal, Damage.Kind.BAD_TRAILER, name, trailer);
    assertThat(back.records).isEqualTo(held.records);
    journal.close();
    HeldRecords keys = new HeldRecords();
    try (Journal again = Journal.open(Logs.SMALL, disk, clock, keys, true)) {
      assertDamage(again, Damage.Kind.BAD_TRAILER, indexed, 32 << 10);
      assertThat(keys.records.keySet()).isEqualTo(held.records.keySet());
    }
  }

  @Test
  void aDamagedOrMissingManifestIsMadeAnewFromTheHeaders() throws IOException {
    for (boolean missing : new boolean[] {true, false}) {
      HeldRecords before = new HeldRecords();
      SimulatedDisk own = new SimulatedDisk(512);
      try (Journal journal = Logs.open(own, clock, before)) {
        for (int i = 0; i < 300; i++) {
          Logs.put(journal, before, i % 3, "m", "key" + i, "x".repeat(200));
          journal.turn();
          journal.turn();
        }
      }
      if (missing) {
        own.delete(LogFiles.MANIFEST);
      } else {
        own.corrupt(LogFiles.MANIFEST, 50, 1);
      }
      HeldRecords back = new HeldRecords();
      Journal journal = Logs.open(own, clock, back);
      assertThat(back.records).isEqualTo(before.records);
      assertThat(journal.report().damage())
          .singleElement()
          .satisfies(damage -> assertThat(damage.kind()).isEqualTo(Damage.Kind.BAD_MANIFEST));
      journal.close();
    }
  }

  // ---- whose log it is

  @Test
  void anotherClustersMembersOrFormatsLogIsRefused() throws IOException {
    fill(10);
    assertRefused(
        config("cluster-2", "member-1", 1), DirectoryRefusedException.Reason.OTHER_CLUSTER);
    assertRefused(
        config("cluster-1", "member-2", 1), DirectoryRefusedException.Reason.OTHER_MEMBER);
    assertRefused(
        config("cluster-1", "member-1", 2), DirectoryRefusedException.Reason.OTHER_FORMAT);
    disk.delete(LogFiles.IDENTITY);
    assertRefused(Logs.SMALL, DirectoryRefusedException.Reason.DAMAGED);
  }

  @Test
  void aLogInUseIsRefused() throws IOException {
    Journal journal = Logs.open(disk, clock, held);
    assertRefused(Logs.SMALL, DirectoryRefusedException.Reason.LOCKED);
    journal.close();
    Logs.open(disk, clock, held).close();
  }

  // ---- a disk that is full or fails while the log is open

  @Test
  void aFullDiskRefusesAppendsAndTakesThemAgainWhenThereIsSpace() throws IOException {
    Journal journal = Logs.open(disk, clock, held);
    disk.setCapacity(500 << 10);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10_000; i++) {
                Logs.put(journal, held, i % 3, "m", "key" + i, "x".repeat(200));
                journal.turn();
                journal.turn();
              }
            })
        .isInstanceOf(JournalFullException.class)
        .hasMessageContaining("full");
    assertThat(journal.isDiskFull()).isTrue();
    Logs.Waiter waiter = new Logs.Waiter();
    journal.whenDurable(lastOf(held), waiter);
    Logs.settle(journal, clock);
    assertThat(waiter.durable).as("what was taken becomes certain all the same").hasValue(1);
    assertThat(held.records.size()).isGreaterThan(300);
    disk.setCapacity(Long.MAX_VALUE);
    journal.turn();
    assertThat(journal.isDiskFull()).isFalse();
    Logs.put(journal, held, 0, "m", "after", "1");
    journal.close();
    HeldRecords back = new HeldRecords();
    Journal again = Logs.open(disk, clock, back);
    assertThat(again.report().damage()).isEmpty();
    assertThat(back.records).isEqualTo(held.records);
    again.close();
  }

  @Test
  void whoWaitsForAFullDiskIsToldSoAndTheRecordMayBecomeCertainYet() throws IOException {
    Journal journal = Logs.open(disk, clock, held);
    AtomicBoolean full = new AtomicBoolean(true); // as where files are not allocated before
    disk.setFaults(
        (operation, name, offset) -> {
          if (full.get() && operation == Faults.Operation.WRITE && name.startsWith("chunks")) {
            throw new NoSpaceException("no space for " + name);
          }
        });
    Logs.Waiter waiter = new Logs.Waiter();
    journal.whenDurable(Logs.put(journal, held, 0, "m", "key", "1"), waiter);
    long began = clock.nanoTime();
    while (clock.nanoTime() - began < LogSync.FULL_PATIENCE_NANOS) {
      journal.turn();
      assertThat(waiter.failures).isEmpty();
      clock.advanceMillis(100);
    }
    journal.turn();
    assertThat(waiter.failures)
        .singleElement()
        .isInstanceOf(JournalFullException.class)
        .asString()
        .contains("full", "chunks");
    assertThat(journal.failure()).isNull();
    full.set(false);
    Logs.settle(journal, clock);
    Logs.Waiter later = new Logs.Waiter();
    journal.whenDurable(lastOf(held), later);
    assertThat(later.durable).hasValue(1);
    full.set(true);
    Logs.Waiter anew = new Logs.Waiter();
    journal.whenDurable(Logs.put(journal, held, 0, "m", "key", "2"), anew);
    clock.advanceMillis(LogSync.FULL_PATIENCE_NANOS / 2_000_000);
    journal.turn();
    clock.advanceMillis(LogSync.FULL_PATIENCE_NANOS / 2_000_000);
    journal.turn();
    assertThat(anew.failures).as("waits its own time").isEmpty();
    full.set(false);
    Logs.settle(journal, clock);
    assertThat(anew.durable).hasValue(1);
    assertThat(waiter.durable).as("told once").hasValue(0);
    journal.close();
  }

  @Test
  void theCompactorMakesRoomOnAFullDisk() throws Exception {
    Journal journal = Logs.open(disk, clock, held);
    Compactor compactor = journal.compactor(held, CompactionPolicy.DEFAULT);
    disk.setCapacity(400 << 10);
    int refusals = 0;
    for (int i = 0; i < 6_000; i++) {
      try {
        Logs.put(journal, held, i % 3, "m", "key" + i % 60, "x".repeat(200));
      } catch (JournalFullException e) {
        refusals++;
      }
      clock.advanceMillis(5);
      journal.turn();
      compactor.turn();
    }
    assertThat(refusals).isLessThan(3_000);
    assertThat(compactor.failure()).isNull();
    journal.close();
    HeldRecords back = new HeldRecords();
    Logs.open(disk, clock, back).close();
    assertThat(back.records).isEqualTo(held.records);
  }

  /** Far below the bound of space: nothing would be compacted if there were room. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aLogWithMoreThanHalfAliveMakesRoomOnAFullDiskByItself(int streams) throws Exception {
    JournalConfig config =
        JournalConfig.of("cluster-1", "member-1", 1, streams)
            .withSizes(4, 8 << 10, 128 << 10)
            .withThreads(0, 1);
    Journal journal = Logs.open(config, disk, clock, held);
    Compactor compactor = journal.compactor(held, CompactionPolicy.DEFAULT);
    String value = "x".repeat(500);
    int keys = 0;
    while (journal.statistics().chunks() < 40) { // 60 % of each chunk stay
      for (int i = 0; i < 3; i++) {
        Logs.put(journal, held, keys % 4, "m", "key" + keys, value);
        keys++;
      }
      for (int i = 0; i < 2; i++) {
        Logs.put(journal, held, keys % 4, "m", "short-lived" + keys % 4, value);
      }
      journal.turn();
    }
    Logs.settle(journal, clock);
    assertThat(compactor.isBusy()).as(journal.statistics().toString()).isFalse();
    disk.setCapacity(Long.MAX_VALUE - disk.freeBytes()); // what is used
    Random random = new Random(1);
    int taken = 0;
    for (int refused = 0; refused < 10_000 && taken < 20_000; ) {
      int number = random.nextInt(keys);
      try {
        Logs.put(journal, held, number % 4, "m", "key" + number, value);
        taken++;
        refused = 0;
      } catch (JournalFullException e) {
        refused++;
      }
      clock.advanceMillis(5);
      journal.turn();
      compactor.turn();
      journal.turn(); // what it copied may have filled the ring, and nobody else empties it
    }
    assertThat(taken).as(journal.statistics().toString()).isEqualTo(20_000);
    assertThat(compactor.failure()).isNull();
    journal.close();
    HeldRecords back = new HeldRecords();
    Logs.open(config, disk, clock, back).close();
    assertThat(back.records).isEqualTo(held.records);
  }

  /** Until nothing is left, in an order that empties no chunk early; a crash brings none back. */
  @ParameterizedTest
  @CsvSource({"1, 40", "1, 1500", "2, 40", "2, 500", "3, 5"})
  void aFullDiskTakesRemovesUntilItTakesWritesAgain(int streams, int bytes) throws Exception {
    JournalConfig config =
        JournalConfig.of("cluster-1", "member-1", 1, streams)
            .withSizes(4, 8 << 10, 64 << 10)
            .withThreads(0, 1);
    Journal journal = Logs.open(config, disk, clock, held);
    Compactor compactor = journal.compactor(held, CompactionPolicy.DEFAULT);
    List<String> keys = new ArrayList<>();
    fillUp(journal, compactor, keys, "x".repeat(bytes), streams << 20);
    Collections.shuffle(keys, new Random(1));
    int refused = 0;
    int waited = 0;
    for (int i = 0; i < keys.size(); ) {
      String key = keys.get(i);
      try {
        Logs.remove(journal, held, partition(key), "m", key);
        i++;
        waited = 0;
      } catch (JournalFullException e) {
        refused++;
        waited++;
        assertThat(e).hasMessageContaining("try again");
        assertThat(waited)
            .as("after %d of %d, %s", i, keys.size(), journal.statistics())
            .isLessThan(1_000);
      }
      goOn(journal, compactor);
    }
    assertThat(refused).as("of %d", keys.size()).isLessThan(2 * keys.size());
    for (int i = 0; i < 1_000 && journal.isDiskFull(); i++) {
      goOn(journal, compactor);
    }
    long last = Logs.put(journal, held, 0, "m", "after", "1");
    Logs.Waiter waiter = new Logs.Waiter();
    journal.whenDurable(last, waiter);
    Logs.settle(journal, clock);
    assertThat(waiter.durable).hasValue(1);
    disk.crash(new Random(1));
    HeldRecords back = new HeldRecords();
    Logs.open(config, disk, clock, back).close();
    assertThat(back.records).isEqualTo(held.records);
  }

  @Test
  void aRemoveThatAFullDiskTookIsCertainBeforeACrash() throws Exception {
    Journal journal = Logs.open(disk, clock, held);
    Compactor compactor = journal.compactor(held, CompactionPolicy.DEFAULT);
    List<String> keys = new ArrayList<>();
    fillUp(journal, compactor, keys, "x".repeat(200), 1 << 20);
    assertThat(journal.takesRemove(0)).isTrue();
    List<Logs.Waiter> waiters = new ArrayList<>();
    for (String key : keys.subList(0, 20)) {
      Logs.Waiter waiter = new Logs.Waiter();
      waiters.add(waiter);
      journal.whenDurable(Logs.remove(journal, held, partition(key), "m", key), waiter);
    }
    assertThat(journal.isDiskFull()).isTrue();
    Logs.settle(journal, clock);
    assertThat(waiters).allSatisfy(waiter -> assertThat(waiter.durable).hasValue(1));
    disk.crash(new Random(1));
    HeldRecords back = new HeldRecords();
    Logs.open(disk, clock, back).close();
    assertThat(back.records).isEqualTo(held.records);
  }

  private void fillUp(
      Journal journal, Compactor compactor, List<String> keys, String value, int diskBytes)
      throws Exception {
    disk.setCapacity(diskBytes);
    for (int refused = 0; refused < 100; ) {
      try {
        String key = "key" + keys.size();
        Logs.put(journal, held, partition(key), "m", key, value);
        keys.add(key);
      } catch (JournalFullException e) {
        refused++;
      }
      goOn(journal, compactor);
    }
  }

  private void goOn(Journal journal, Compactor compactor) throws Exception {
    clock.advanceMillis(5);
    journal.turn();
    compactor.turn();
    journal.turn(); // what it copied may have filled the ring, and nobody else empties it
  }

  private static int partition(String key) {
    return (key.hashCode() & Integer.MAX_VALUE) % 4;
  }

  @Test
  void anErrorOfAWriteOrSyncIsFinal() throws IOException {
    for (Faults.Operation bad : List.of(Faults.Operation.WRITE, Faults.Operation.SYNC)) {
      SimulatedDisk own = new SimulatedDisk(512);
      HeldRecords records = new HeldRecords();
      Journal journal = Logs.open(own, clock, records);
      Logs.Waiter before = new Logs.Waiter();
      journal.whenDurable(Logs.put(journal, records, 0, "m", "certain", "1"), before);
      journal.turn();
      assertThat(before.durable).hasValue(1);
      own.setFaults(
          (operation, name, offset) -> {
            if (operation == bad && name.startsWith("chunks/")) {
              throw new IOException("Input/output error");
            }
          });
      Logs.Waiter waiter = new Logs.Waiter();
      journal.whenDurable(Logs.put(journal, records, 0, "m", "lost", "1"), waiter);
      journal.turn();
      own.setFaults(Faults.NONE); // it would succeed now, and prove nothing
      for (int i = 0; i < 5; i++) {
        Logs.settle(journal, clock);
      }
      assertThat(waiter.durable).hasValue(0);
      assertThat(waiter.failures).hasSize(1);
      assertThat(waiter.failures.get(0))
          .isInstanceOf(JournalFailedException.class)
          .hasMessageContaining("file=chunks/")
          .hasMessageContaining("offset=");
      assertThatThrownBy(() -> Logs.put(journal, records, 0, "m", "k", "v"))
          .isInstanceOf(JournalFailedException.class);
      Logs.Waiter late = new Logs.Waiter();
      journal.whenDurable(
          Objects.requireNonNull(records.records.get(new HeldRecords.Key(0, "m", 1, "lost")))
              .position(),
          late);
      assertThat(late.failures).hasSize(1);
      journal.close();
      own.crash(new Random(1));
      HeldRecords back = new HeldRecords();
      Logs.open(own, clock, back).close();
      assertThat(back.records.keySet()).extracting(HeldRecords.Key::key).contains("certain");
    }
  }

  // ---- how

  private void fill(int records) throws IOException {
    try (Journal journal = Logs.open(disk, clock, held)) {
      for (int i = 0; i < records; i++) {
        Logs.put(journal, held, i % 2, "m", "key" + i, "x".repeat(200));
        journal.turn();
        journal.turn();
      }
    }
  }

  private static long lastOf(HeldRecords records) {
    return records.records.values().stream().mapToLong(HeldRecords.Held::position).max().orElse(0);
  }

  private void compactAll(Journal journal, HeldRecords records) throws Exception {
    compact(journal, journal.compactor(records, CompactionPolicy.DEFAULT));
  }

  private void compact(Journal journal, Compactor compactor) throws Exception {
    for (int i = 0; i < 1_000 && compactor.isBusy(); i++) {
      compactor.turn();
      Logs.settle(journal, clock);
    }
    assertThat(compactor.failure()).isNull();
    assertThat(compactor.isBusy()).as(journal.statistics().toString()).isFalse();
  }

  private Damage assertDamage(Journal journal, Damage.Kind kind, String name, long offset) {
    List<Damage> found =
        journal.report().damage().stream().filter(each -> each.kind() == kind).toList();
    assertThat(found).as(journal.report().damage().toString()).hasSize(1);
    assertThat(found.get(0).file()).isEqualTo(disk.path(name));
    if (offset >= 0) {
      assertThat(found.get(0).offset()).isEqualTo(offset);
    }
    return found.get(0);
  }

  private void assertRefused(JournalConfig config, DirectoryRefusedException.Reason reason) {
    assertThatThrownBy(() -> Journal.open(config, disk, clock, new HeldRecords(), false))
        .isInstanceOfSatisfying(
            DirectoryRefusedException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageContaining("sim:/");
  }

  private static JournalConfig config(String cluster, String member, int format) {
    return JournalConfig.of(cluster, member, format, 2)
        .withSizes(4, 8 << 10, 32 << 10)
        .withThreads(0, 1);
  }

  private void copy(String from, String to) throws IOException {
    Logs.copy(disk, from, disk, to);
  }

  private static String chunkOf(long position) {
    return LogFiles.chunk(Position.chunk(position));
  }

  /** A crash that keeps all that was written. */
  private static Random keepsAll() {
    return new Random() {
      private int calls;

      @Override
      public int nextInt(int bound) {
        return calls++ == 0 ? 1 : bound > 50 ? 0 : bound - 1;
      }
    };
  }
}
