package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damage of a log that is open: it is found, and what the log lacks is written anew. */
class ScrubTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int RECORDS = 300;
  private static final String VALUE = "x".repeat(200);
  private static final String LARGE = "y".repeat(20_000);

  @TempDir private Path directory;

  private final VirtualClock clock = new VirtualClock();
  private HeldRecords held = new HeldRecords();
  private FileDisk disk;
  private Journal journal;
  private Compactor compactor;

  @BeforeEach
  void open() throws IOException {
    disk = FileDisk.at(directory);
    start();
  }

  private void start() throws IOException {
    journal = Journal.open(Logs.SMALL, disk, clock, held, false);
    held.setDead(journal);
    held.journal = journal;
    compactor = journal.compactor(held, CompactionPolicy.DEFAULT, HOUR);
    turn();
  }

  @AfterEach
  void close() throws IOException {
    journal.close();
  }

  @Test
  void aWholeLogIsReadAndLeftAsItIs() throws Exception {
    fill();
    put("large", LARGE);
    fillUp();
    Map<String, byte[]> before = files();
    long sealed = journal.statistics().fileBytes();
    compactor.scrubber().pass();
    ScrubFigures figures = journal.scrubFigures();
    assertThat(figures.passes()).isEqualTo(1);
    assertThat(figures.lastPassMillis()).isEqualTo(clock.currentTimeMillis());
    assertThat(figures.bytesRead()).isBetween(sealed / 2 + LARGE.length(), 2 * sealed);
    assertThat(figures.damaged()).isZero();
    assertThat(compactor.isBusy()).isFalse();
    assertThat(held.damaged).isEmpty();
    assertThat(files()).usingRecursiveComparison().isEqualTo(before);
  }

  @Test
  void aFlippedByteOfALiveRecordIsFoundAndTheRecordIsWrittenAnew() throws Exception {
    fill();
    long position = position("key140");
    Path file = flip(position, 40);
    compactor.scrubber().pass();
    assertThat(held.damaged).containsExactly(file.toString());
    assertThat(journal.scrubFigures().open()).isEqualTo(1);
    mend();
    assertThat(journal.scrubFigures().renewed()).isEqualTo(1);
    assertThat(journal.scrubFigures().damaged()).isEqualTo(1);
    assertThat(held.mended).containsExactly(file.toString());
    assertThat(position("key140")).isGreaterThan(position);
    assertThat(file).doesNotExist();
    assertThat(setAside()).containsExactly(file.getFileName().toString());
    assertAllIsThereAfterARestart();
  }

  @Test
  void whatWasInAMissingChunkIsWrittenAnew() throws Exception {
    fill();
    long position = position("key140");
    Path file = chunk(position);
    long lost = liveIn(position);
    Files.delete(file);
    compactor.scrubber().pass();
    mend();
    assertThat(held.damaged).containsExactly(file.toString());
    assertThat(held.mended).containsExactly(file.toString());
    assertThat(journal.scrubFigures().renewed()).isEqualTo(lost).isPositive();
    assertAllIsThereAfterARestart();
  }

  @Test
  void compactionThatMeetsAMissingChunkRepairsItToo() throws Exception {
    fill();
    Path file = chunk(position("key140"));
    Files.delete(file);
    for (int i = 0; i < 5 && held.mended.isEmpty(); i++) {
      fill(); // so that every older chunk is worth it
      mend();
    }
    assertThat(held.mended).containsExactly(file.toString());
    assertAllIsThereAfterARestart();
  }

  @Test
  void whatACutChunkLacksIsWrittenAnew() throws Exception {
    fill();
    Path file = chunk(position("key140"));
    try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
      cut.setLength(8 << 10);
    }
    compactor.scrubber().pass();
    mend();
    assertThat(held.damaged).containsExactly(file.toString());
    assertThat(journal.scrubFigures().renewed()).isPositive();
    assertThat(setAside()).containsExactly(file.getFileName().toString());
    assertAllIsThereAfterARestart();
  }

  @Test
  void aChunkWithADamagedEndIsWrittenAnewAndNothingIsMissed() throws Exception {
    fill();
    Path file = chunk(position("key140"));
    flip(file, Files.size(file) - ChunkTrailer.BYTES);
    compactor.scrubber().pass();
    mend();
    assertThat(held.damaged).containsExactly(file.toString());
    assertThat(journal.scrubFigures().renewed()).isZero();
    assertThat(setAside()).containsExactly(file.getFileName().toString());
    assertAllIsThereAfterARestart();
  }

  /** What is wrong with a blob. */
  enum BlobFault {
    FLIPPED,
    SHORT,
    MISSING
  }

  @ParameterizedTest
  @EnumSource
  void aDamagedBlobIsFoundAndItsRecordIsWrittenAnew(BlobFault fault) throws Exception {
    put("large", LARGE);
    fill();
    assertThat(Position.isBlob(position("large"))).isTrue();
    Path file = directory.resolve("blobs").resolve(disk.list("blobs").getFirst());
    switch (fault) {
      case FLIPPED -> flip(file, 12_345);
      case SHORT -> {
        try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
          cut.setLength(8 << 10);
        }
      }
      case MISSING -> Files.delete(file);
    }
    compactor.scrubber().pass();
    assertThat(held.damaged).containsExactly(file.toString());
    mend();
    assertThat(held.mended).containsExactly(file.toString());
    assertThat(journal.scrubFigures().renewed()).isEqualTo(1);
    assertThat(file).doesNotExist();
    assertThat(setAside()).hasSize(fault == BlobFault.MISSING ? 0 : 1);
    assertAllIsThereAfterARestart();
  }

  /** The remove was the only thing that hid the put. */
  @Test
  void whatWasRemovedStaysSoIfItsRemoveIsDamaged() throws Exception {
    put("gone", VALUE);
    fill();
    long remove = Logs.remove(journal, held, 0, "m", "gone");
    fillUp();
    flip(remove, 33);
    compactor.scrubber().pass();
    mend();
    assertThat(held.mended).hasSize(1);
    assertAllIsThereAfterARestart();
  }

  /** The put that expires was the only thing that hid the older one, which does not. */
  @Test
  void whatHasExpiredStaysSoIfItsPutIsDamaged() throws Exception {
    put("gone", VALUE);
    fill();
    long expires =
        Logs.put(journal, held, 0, "m", "gone", VALUE, clock.currentTimeMillis() + 10_000);
    fillUp();
    clock.advanceMillis(60_000);
    held.remove(new HeldRecords.Key(0, "m", 1, "gone"));
    flip(expires, 40);
    compactor.scrubber().pass();
    mend();
    assertThat(held.mended).hasSize(1);
    assertAllIsThereAfterARestart();
  }

  /**
   * In the next run maps have other numbers; a name that is lost makes a whole chunk unreadable.
   */
  @Test
  void chunksOfAnEarlierRunAreRepairedUnderTheMapsNumbersOfThisOne() throws Exception {
    put("gone", VALUE);
    fill();
    journal.close();
    held = new HeldRecords();
    start();
    long _ = Logs.put(journal, held, 0, "another", "first", VALUE);
    long remove = Logs.remove(journal, held, 0, "m", "gone");
    fillUp();
    flip(remove, 33);
    Path unnamed = chunk(position("key140"));
    flip(unnamed, ChunkHeader.BYTES + Frames.HEADER_BYTES); // the map's name
    compactor.scrubber().pass();
    mend();
    assertThat(held.mended).hasSize(2).contains(unnamed.toString());
    assertAllIsThereAfterARestart();
  }

  @Test
  void aRepairThatHasNoRoomIsTriedAgain() throws Exception {
    fill();
    Path file = flip(position("key140"), 40);
    held.room = false;
    compactor.scrubber().pass();
    for (int i = 0; i < 20; i++) {
      compactor.turn();
      Logs.settle(journal, clock);
    }
    assertThat(file).exists();
    assertThat(journal.scrubFigures().open()).isEqualTo(1);
    held.room = true;
    mend();
    assertThat(file).doesNotExist();
    assertAllIsThereAfterARestart();
  }

  /** Whenever the power goes: what is missing afterwards is told as damage. */
  @Test
  void aCrashInTheMidstOfARepairHidesNoLoss() throws Exception {
    int whole = 0;
    for (int turns = 0; turns < 60; turns++) {
      SimulatedDisk simulated = new SimulatedDisk(512);
      HeldRecords records = new HeldRecords();
      Journal first = Logs.open(simulated, clock, records);
      records.journal = first;
      for (int i = 0; i < RECORDS; i++) {
        Logs.put(first, records, i % 2, "m", "key" + i, VALUE);
        first.turn();
        first.turn();
      }
      Logs.settle(first, clock);
      Compactor running = first.compactor(records, CompactionPolicy.DEFAULT, HOUR);
      long position = position(records, "key140");
      simulated.corrupt(
          LogFiles.chunk(Position.chunk(position)), Position.offset(position) + 40, 4);
      running.scrubber().pass();
      Map<HeldRecords.Key, String> all = values(records);
      for (int i = 0; i < turns; i++) {
        running.turn();
        clock.advanceMillis(20);
        first.turn();
      }
      simulated.crash(new Random(turns));
      HeldRecords back = new HeldRecords();
      Journal second = Logs.open(simulated, clock, back);
      if (!second.report().hasLoss()) {
        assertThat(values(back)).isEqualTo(all);
        whole++;
      }
      second.close();
      running.close();
    }
    assertThat(whole).isBetween(1, 59);
  }

  // ---- when, and how fast

  @Test
  void aPassIsReadAtItsPaceAndTheNextBeginsWhenThePeriodIsOver() throws Exception {
    fill();
    Scrubber scrubber = compactor.scrubber();
    long begun = clock.nanoTime();
    assertThat(scrubber.turn()).as("no time has passed").isFalse();
    long part = Logs.SMALL.blockBytes();
    while (scrubber.figures().passes() == 0) {
      clock.advanceMillis(5);
      while (scrubber.turn()) {
        // as fast as it may
      }
      double seconds = (clock.nanoTime() - begun) / 1e9;
      assertThat((double) scrubber.figures().bytesRead())
          .isLessThanOrEqualTo(seconds * ScrubPace.LEAST_BYTES_PER_SECOND + 2 * part);
    }
    clock.advanceMillis(HOUR.toMillis() - 60_000);
    assertThat(scrubber.turn()).isFalse();
    clock.advanceMillis(60_000);
    boolean _ = scrubber.turn();
    clock.advanceMillis(100);
    assertThat(scrubber.turn()).isTrue();
    assertThat(scrubber.figures().passes()).isEqualTo(1);
  }

  @Test
  void theRateCoversTheLogInThePeriodWithinItsBounds() {
    ScrubPace pace = new ScrubPace(Duration.ofDays(7), clock);
    pace.begin(1L << 40);
    assertThat(pace.bytesPerSecond()).isBetween(1.8e6, 1.9e6);
    pace.begin(1L << 30);
    assertThat(pace.bytesPerSecond()).isEqualTo(ScrubPace.LEAST_BYTES_PER_SECOND);
    pace.begin(1L << 50);
    assertThat(pace.bytesPerSecond()).isEqualTo(ScrubPace.MOST_BYTES_PER_SECOND);
  }

  @Test
  void nothingIsReadIfItIsSwitchedOff() throws Exception {
    fill();
    journal.close();
    journal = Journal.open(Logs.SMALL, disk, clock, new HeldRecords(), false);
    Scrubber scrubber = journal.compactor(held, CompactionPolicy.DEFAULT).scrubber();
    for (int week = 0; week < 10; week++) {
      assertThat(scrubber.turn()).isFalse();
      clock.advanceMillis(Duration.ofDays(7).toMillis());
    }
    assertThat(scrubber.figures()).isEqualTo(ScrubFigures.NONE);
  }

  @Test
  void nothingIsReadWhileTheDiskIsBehind() throws Exception {
    fill();
    Scrubber scrubber = compactor.scrubber();
    boolean _ = scrubber.turn();
    clock.advanceMillis(1_000);
    try (AlignedMemory payload = AlignedMemory.allocate(1_000)) {
      int map = journal.map("other");
      while (journal.tryPut(0, map, 0, 1, payload.address(), 1_000, 0, 4) != Journal.FULL) {
        // fills the ring
      }
    }
    assertThat(scrubber.turn()).isFalse();
    Logs.settle(journal, clock);
    assertThat(scrubber.turn()).isTrue();
  }

  // ----

  /** Puts records into several chunks, all but the last of which are sealed. */
  private void fill() {
    for (int i = 0; i < RECORDS; i++) {
      long _ = Logs.put(journal, held, i % 2, "m", "key" + i, VALUE);
      turn();
    }
    Logs.settle(journal, clock);
  }

  /** Seals the chunks that are being written. */
  private void fillUp() {
    for (int i = 0; i < RECORDS; i++) {
      long _ = Logs.put(journal, held, i % 2, "m", "other" + i, VALUE);
      turn();
    }
    Logs.settle(journal, clock);
  }

  private void put(String key, String value) {
    long _ = Logs.put(journal, held, 0, "m", key, value);
  }

  private void turn() {
    journal.turn();
    journal.turn();
  }

  private void mend() throws InterruptedException {
    for (int i = 0; i < 1_000 && compactor.isBusy(); i++) {
      boolean _ = compactor.turn();
      Logs.settle(journal, clock);
    }
    assertThat(compactor.failure()).isNull();
    assertThat(compactor.isBusy()).as(journal.scrubFigures().toString()).isFalse();
    Logs.settle(journal, clock);
  }

  private void assertAllIsThereAfterARestart() throws IOException {
    journal.close();
    HeldRecords back = new HeldRecords();
    journal = Journal.open(Logs.SMALL, disk, clock, back, false);
    assertThat(journal.report().damage()).isEmpty();
    assertThat(journal.suspect()).isZero();
    assertThat(values(back)).isEqualTo(values(held));
  }

  private static Map<HeldRecords.Key, String> values(HeldRecords records) {
    Map<HeldRecords.Key, String> values = new HashMap<>();
    records.records.forEach(
        (key, record) -> values.put(key, Objects.requireNonNull(record.value())));
    return values;
  }

  private long position(String key) {
    return position(held, key);
  }

  private static long position(HeldRecords records, String key) {
    return records.records.entrySet().stream()
        .filter(each -> each.getKey().key().equals(key))
        .mapToLong(each -> each.getValue().position())
        .findFirst()
        .orElseThrow();
  }

  private long liveIn(long position) {
    return held.records.values().stream()
        .filter(each -> Position.chunk(each.position()) == Position.chunk(position))
        .count();
  }

  private Path chunk(long position) {
    return directory.resolve(LogFiles.chunk(Position.chunk(position)));
  }

  private Path flip(long position, int within) throws IOException {
    Path file = chunk(position);
    flip(file, Position.offset(position) + within);
    return file;
  }

  private static void flip(Path file, long offset) throws IOException {
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.seek(offset);
      int there = access.read();
      access.seek(offset);
      access.write(there ^ 4);
    }
  }

  private List<String> setAside() throws IOException {
    return disk.list("quarantine");
  }

  private Map<String, byte[]> files() throws IOException {
    Map<String, byte[]> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        byte[] _ = all.put(file.toString(), Files.readAllBytes(file));
      }
    }
    return all;
  }
}
