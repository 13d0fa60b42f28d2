package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.journal.sim.Faults;
import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import io.keyvalueserve.memory.Memory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Keys that stay on the disk, in indexes that are sorted by partition: what is read of them is what
 * was written, and what is not told so loses nothing.
 */
class HeldIndexTest {
  private static final int PARTITIONS = 7;
  private static final long CHUNK = 2;

  private final VirtualClock clock = new VirtualClock();

  private static KeysLater later(String maps) {
    return new KeysLater(map -> map.matches(maps), 0, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /** Two maps; two records of each key, many removes. */
  private HeldRecords fill(SimulatedDisk disk, int partitions) throws IOException {
    HeldRecords held = new HeldRecords();
    try (Journal journal = Logs.open(disk, clock, held)) {
      Random random = new Random(5);
      for (int i = 0; i < 700; i++) {
        String key = "key" + random.nextInt(350);
        int partition = i % partitions;
        String map = "m" + (i / partitions) % 2;
        if (i % 9 == 8) {
          Logs.remove(journal, held, partition, map, key);
        } else {
          Logs.put(journal, held, partition, map, key, "x".repeat(random.nextInt(500)));
        }
        journal.turn();
        journal.turn();
      }
    }
    return held;
  }

  private static ChunkTrailer trailer(SimulatedDisk disk, long chunk) throws IOException {
    try (ChunkFile file = ChunkFile.open(disk, chunk)) {
      return file.trailer(chunk).orElseThrow();
    }
  }

  /** Opens the log, gives all that was kept back, and returns all damage that was told. */
  private List<Damage> giveAll(SimulatedDisk disk, KeysLater later, int partitions, HeldRecords to)
      throws IOException {
    try (Journal journal = Journal.open(Logs.SMALL, disk, clock, to, true, later)) {
      HeldKeys keys = Objects.requireNonNull(journal.heldKeys());
      for (int partition = partitions - 1; partition >= 0; partition--) {
        keys.give(partition, to);
      }
      List<Damage> damage = new ArrayList<>(journal.report().damage());
      damage.addAll(keys.takeDamage());
      return damage;
    }
  }

  /** Reads at once nothing of an index, little of it, or something of most partitions. */
  @ParameterizedTest
  @CsvSource({"m., 7", "m1, 7", "m1, 24"})
  void aByteOfAnIndexThatIsNotWhatWasWrittenLosesNothing(String kept, int partitions)
      throws IOException {
    SimulatedDisk first = new SimulatedDisk(512);
    HeldRecords held = fill(first, partitions);
    ChunkTrailer trailer = trailer(first, CHUNK);
    assertThat(trailer.hasDirectory()).isTrue();
    String name = LogFiles.chunk(CHUNK);
    for (long at = trailer.indexBegin(); at < trailer.end() + trailer.areaBytes(); at += 47) {
      SimulatedDisk disk = new SimulatedDisk(512);
      for (String chunk : first.list("chunks")) {
        Logs.copy(first, "chunks/" + chunk, disk, "chunks/" + chunk);
      }
      Logs.copy(first, LogFiles.MANIFEST, disk, LogFiles.MANIFEST);
      Logs.copy(first, LogFiles.IDENTITY, disk, LogFiles.IDENTITY);
      disk.corrupt(name, at, 1);
      HeldRecords back = new HeldRecords();
      List<Damage> damage = giveAll(disk, later(kept), partitions, back);
      assertThat(back.records.keySet()).as("byte %d", at).isEqualTo(held.records.keySet());
      assertThat(damage).singleElement().satisfies(each -> assertIndexOf(disk, name, each));
    }
  }

  private static void assertIndexOf(SimulatedDisk disk, String name, Damage damage) {
    assertThat(damage.kind()).isEqualTo(Damage.Kind.BAD_TRAILER);
    assertThat(damage.file()).isEqualTo(disk.path(name));
    assertThat(damage.isLoss()).isFalse();
  }

  /**
   * A run that is damaged is replaced by frames, and no other run is, whatever became of frames.
   */
  @Test
  void framesStandInForNoRunThatIsGood() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(512);
    HeldRecords held = fill(disk, PARTITIONS);
    ChunkTrailer trailer = trailer(disk, CHUNK);
    int first = PARTITIONS - 1; // that is given
    HeldRecords.Held lost =
        held.records.entrySet().stream()
            .filter(each -> each.getKey().partition() < first)
            .map(Map.Entry::getValue)
            .filter(record -> Position.chunk(record.position()) == CHUNK)
            .findAny()
            .orElseThrow();
    disk.corrupt(LogFiles.chunk(CHUNK), Position.offset(lost.position()) + 40, 1);
    disk.corrupt(LogFiles.chunk(CHUNK), runOf(disk, trailer, first) + 40, 1);
    HeldRecords back = new HeldRecords();
    List<Damage> damage = giveAll(disk, later("m."), PARTITIONS, back);
    assertThat(damage)
        .extracting(Damage::kind)
        .containsExactlyInAnyOrder(Damage.Kind.BAD_TRAILER, Damage.Kind.BAD_FRAMES);
    assertThat(positions(back)).isEqualTo(positions(held));
  }

  private static Map<HeldRecords.Key, Long> positions(HeldRecords records) {
    Map<HeldRecords.Key, Long> positions = new HashMap<>();
    records.records.forEach((key, record) -> positions.put(key, record.position()));
    return positions;
  }

  /** Where in the file a partition's entries begin. */
  private static long runOf(SimulatedDisk disk, ChunkTrailer trailer, int partition)
      throws IOException {
    try (ChunkFile file = ChunkFile.open(disk, trailer.chunk());
        IndexDirectory directory = Objects.requireNonNull(IndexDirectory.read(file, trailer))) {
      int run = directory.find(partition);
      assertThat(run).isNotNegative();
      return trailer.indexBegin() + directory.offset(run);
    }
  }

  @Test
  void aBlobWhoseFrameIsLostIsSetAside() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(512);
    HeldRecords held = new HeldRecords();
    int partition = 6; // of the stream of the chunk that is looked at
    long blob;
    try (Journal journal = Logs.open(disk, clock, held)) {
      blob = Logs.put(journal, held, partition, "m1", "blob", "x".repeat(20_000));
      for (int i = 0; i < 300; i++) {
        Logs.put(journal, held, i % partition, "m1", "key" + i, "x".repeat(300));
        journal.turn();
        journal.turn();
      }
    }
    long chunk = Position.chunk(blob);
    ChunkTrailer trailer = trailer(disk, chunk);
    assertThat(trailer.hasDirectory()).isTrue();
    assertThat(disk.list("blobs")).hasSize(1);
    disk.corrupt(LogFiles.chunk(chunk), Position.offset(blob) + 20, 1);
    disk.corrupt(LogFiles.chunk(chunk), runOf(disk, trailer, partition) + 40, 1);
    HeldRecords back = new HeldRecords();
    try (Journal journal = Journal.open(Logs.SMALL, disk, clock, back, true, later("m."))) {
      assertThat(journal.report().damage())
          .extracting(Damage::kind)
          .containsExactlyInAnyOrder(Damage.Kind.BAD_TRAILER, Damage.Kind.BAD_FRAMES);
      assertThat(Objects.requireNonNull(journal.heldKeys()).takeDamage()).isEmpty();
    }
    assertThat(disk.list("blobs")).isEmpty();
    assertThat(disk.list("quarantine")).hasSize(1);
  }

  /** A map's name is in one part of a chunk that was not sealed, what is wanted in another. */
  @Test
  void aNameIsLearntWhereNothingElseIs() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(512);
    JournalConfig config =
        JournalConfig.of("cluster-1", "member-1", 1, 1)
            .withSizes(4, 64 << 10, 4 << 20)
            .withThreads(0, 1);
    HeldRecords held = new HeldRecords();
    Journal journal = Logs.open(config, disk, clock, held);
    for (int i = 0; i <= 1 << 16; i++) {
      int _ = journal.map("other" + i); // so many that the number of the next one is not kept
    }
    long first = Logs.put(journal, held, 0, "m", "first", "x");
    for (int i = 0; i < 220; i++) {
      Logs.put(journal, held, 1, "m", "key" + i, "x".repeat(10_000));
      journal.turn();
    }
    long last = Logs.put(journal, held, 0, "m", "last", "x");
    Logs.settle(journal, clock);
    assertThat(Position.chunk(last)).isEqualTo(Position.chunk(first));
    assertThat(Position.offset(last)).isGreaterThan(2 << 20);
    Logs.put(journal, held, 3, "m", "there", "x");
    Logs.settle(journal, clock);
    disk.kill();
    HeldRecords back = new HeldRecords();
    try (Journal again = Journal.open(config, disk, clock, back, true, later("m"))) {
      HeldKeys keys = Objects.requireNonNull(again.heldKeys());
      keys.give(3, back);
      keys.give(1, back);
      keys.give(0, back);
    }
    assertThat(back.records.keySet()).isEqualTo(held.records.keySet());
  }

  /** What builds before have written: the index without a directory. */
  @Test
  void chunksWithoutADirectoryAreReadAsEver() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(512);
    HeldRecords held = fill(disk, PARTITIONS);
    int stripped = 0;
    for (String name : disk.list("chunks")) {
      long chunk = LogFiles.chunkOf(name).orElseThrow();
      if (trailer(disk, chunk).hasDirectory()) {
        strip(disk, chunk);
        stripped++;
      }
    }
    assertThat(stripped).isGreaterThan(3);
    HeldRecords back = new HeldRecords();
    assertThat(giveAll(disk, later("m1"), PARTITIONS, back)).isEmpty();
    assertThat(back.records.keySet()).isEqualTo(held.records.keySet());
  }

  private static void strip(SimulatedDisk disk, long chunk) throws IOException {
    ChunkTrailer old = trailer(disk, chunk);
    try (DiskFile file = disk.open(LogFiles.chunk(chunk), Disk.Access.WRITE);
        AlignedMemory all = AlignedMemory.allocate(old.fileBytes())) {
      file.read(0, all.slice(0, old.fileBytes()));
      int indexBytes = old.indexBytes() - old.directory().tableBytes();
      int begin = (int) old.end();
      ChunkTrailer trailer =
          new ChunkTrailer(
              chunk,
              old.end(),
              old.partitionBytes(),
              indexBytes,
              new FrameCrc(all.buffer()).of(begin, begin + old.partitionBytes() + indexBytes),
              old.frames(),
              old.recordBytes(),
              old.tombstoneBytes(),
              IndexDirectory.Size.NONE);
      int at = (int) trailer.fileBytes() - ChunkTrailer.BYTES;
      all.slice(at, ChunkTrailer.BYTES).fill((byte) 0);
      trailer.write(all.buffer().slice(at, ChunkTrailer.BYTES));
      file.write(at, all.slice(at, ChunkTrailer.BYTES));
      file.truncate(trailer.fileBytes());
      file.sync();
    }
  }

  @Test
  void aDirectoryThatWouldBeAsLargeAsWhatItLeadsToIsLeftOut() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(512);
    int partitions = 90;
    HeldRecords held = fill(disk, partitions);
    ChunkTrailer trailer = trailer(disk, CHUNK);
    assertThat(trailer.hasIndex()).isTrue();
    assertThat(trailer.hasDirectory()).isFalse();
    HeldRecords back = new HeldRecords();
    assertThat(giveAll(disk, later("m."), partitions, back)).isEmpty();
    assertThat(back.records.keySet()).isEqualTo(held.records.keySet());
  }

  @Test
  void whatWasReadAheadIsNotReadAgain() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(512);
    HeldRecords held = fill(disk, PARTITIONS);
    HeldRecords back = new HeldRecords();
    try (Journal journal = Journal.open(Logs.SMALL, disk, clock, back, true, later("m."))) {
      HeldKeys keys = Objects.requireNonNull(journal.heldKeys());
      long before = keys.bytes();
      keys.readAhead(before, () -> false);
      keys.readAhead(Long.MAX_VALUE, () -> true);
      assertThat(keys.bytes()).isEqualTo(before);
      keys.readAhead(before + (8 << 10), () -> false);
      assertThat(keys.bytes()).isBetween(before + 1, before + (8 << 10));
      keys.readAhead(Long.MAX_VALUE, () -> false);
      disk.setFaults(
          (operation, name, offset) -> {
            throw new IOException("nothing is to be read: " + name);
          });
      for (int partition = 0; partition < PARTITIONS; partition++) {
        keys.give(partition, back);
      }
      assertThat(keys.takeDamage()).isEmpty();
      disk.setFaults(Faults.NONE);
    }
    assertThat(back.records.keySet()).isEqualTo(held.records.keySet());
  }

  @Test
  void anIndexThatTheDiskDoesNotReadIsMadeOfFrames() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(512);
    HeldRecords held = fill(disk, PARTITIONS);
    long end = trailer(disk, CHUNK).end();
    String bad = LogFiles.chunk(CHUNK);
    HeldRecords back = new HeldRecords();
    try (Journal journal = Journal.open(Logs.SMALL, disk, clock, back, true, later("m."))) {
      HeldKeys keys = Objects.requireNonNull(journal.heldKeys());
      disk.setFaults(
          (operation, name, offset) -> {
            if (operation == Faults.Operation.READ && name.equals(bad) && offset >= end) {
              throw new IOException("EIO");
            }
          });
      keys.readAhead(Long.MAX_VALUE, () -> false);
      for (int partition = 0; partition < PARTITIONS; partition++) {
        keys.give(partition, back);
      }
      assertThat(keys.takeDamage())
          .singleElement()
          .satisfies(each -> assertIndexOf(disk, bad, each));
      disk.setFaults(Faults.NONE);
    }
    assertThat(back.records.keySet()).isEqualTo(held.records.keySet());
  }

  /**
   * Goal: a directory and entries that are anything, with checksums that are right, lead to nothing
   * outside of them. Method: those of a real chunk changed at random.
   */
  @Test
  void noIndexLeadsOutOfItself() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(512);
    fill(disk, PARTITIONS);
    ChunkTrailer trailer = trailer(disk, CHUNK);
    ChunkPlan plan =
        new ChunkPlan(
            new Manifest.Entry(CHUNK, 1, 0, 8 << 10, 32 << 10, 32 << 10),
            trailer.end(),
            Optional.of(trailer),
            false);
    int bytes = (int) trailer.fileBytes();
    SplittableRandom random = new SplittableRandom(11);
    int refused = 0;
    int taken = 0;
    try (DiskFile file = disk.open(LogFiles.chunk(CHUNK), Disk.Access.WRITE);
        AlignedMemory good = AlignedMemory.allocate(bytes);
        AlignedMemory bad = AlignedMemory.allocate(bytes)) {
      file.read(0, good.slice(0, bytes));
      for (int round = 0; round < 3_000; round++) {
        Memory.copy(good.address(), bad.address(), bytes);
        ChunkTrailer changed = change(bad, trailer, random);
        file.write(0, bad.slice(0, bytes));
        try (ChunkFile chunk = ChunkFile.open(disk, CHUNK)) {
          HeldIndex index = HeldIndex.read(disk, chunk, plan, changed);
          if (index == null) {
            refused++;
            continue;
          }
          try (index) {
            HeldIndex.Pieces pieces = index.readWanted(chunk, map -> random.nextBoolean());
            int[] entries = index.entries(pieces);
            int within = (int) pieces.memory().bytes();
            for (int at : entries == null ? new int[0] : entries) {
              int length = ChunkIndex.entryBytes(pieces.memory().address() + at);
              assertThat(at).isBetween(0, within - length);
              taken++;
            }
            pieces.memory().close();
          }
        }
      }
    }
    assertThat(refused).isGreaterThan(100);
    assertThat(taken).isGreaterThan(1_000);
  }

  /** Changes some words of an index, and makes its checksums right. */
  private static ChunkTrailer change(
      AlignedMemory file, ChunkTrailer trailer, SplittableRandom random) {
    IndexDirectory.Size size = trailer.directory();
    int begin = (int) trailer.indexBegin();
    int end = (int) trailer.end() + trailer.areaBytes();
    int tables = end - size.tableBytes();
    for (int i = random.nextInt(3); i >= 0; i--) {
      int from = random.nextBoolean() ? tables : begin;
      int at = from + random.nextInt((end - from) / Integer.BYTES) * Integer.BYTES;
      int there = Memory.getInt(file.address() + at);
      int word =
          switch (random.nextInt(3)) {
            case 0 -> random.nextInt();
            case 1 -> random.nextInt(64);
            default -> there + random.nextInt(-9, 10);
          };
      Memory.putInt(file.address() + at, word);
    }
    FrameCrc crc = new FrameCrc(file.buffer());
    for (int run = 0; run < size.runs(); run++) {
      long at = file.address() + tables + (long) run * IndexDirectory.RUN_BYTES;
      int length = Memory.getInt(at + 4);
      int offset = begin + Memory.getInt(at + 8);
      if (length > 0 && offset >= 0 && (long) offset + length <= file.bytes()) {
        Memory.putInt(at + 12, crc.of(offset, offset + length));
      }
    }
    int sum = crc.of(tables - size.nameBytes(), end);
    return new ChunkTrailer(
        trailer.chunk(),
        trailer.end(),
        trailer.partitionBytes(),
        trailer.indexBytes(),
        trailer.areaCrc(),
        trailer.frames(),
        trailer.recordBytes(),
        trailer.tombstoneBytes(),
        new IndexDirectory.Size(size.runs(), size.counts(), size.nameBytes(), sum));
  }
}
