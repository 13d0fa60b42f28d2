package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What can be done with a log while no member uses it. */
class JournalInspectionTest {
  private final SimulatedDisk disk = new SimulatedDisk(512);
  private final VirtualClock clock = new VirtualClock();
  private final HeldRecords held = new HeldRecords();

  @Test
  void tellsWhatIsAliveInWhichMapAndChunk() throws IOException {
    fill();
    JournalContents contents = JournalInspection.inspect(disk, InspectionProgress.NONE);
    assertThat(contents.cluster()).isEqualTo("cluster-1");
    assertThat(contents.member()).isEqualTo("member-1");
    assertThat(contents.report().damage()).isEmpty();
    assertThat(contents.maps())
        .extracting(JournalContents.MapFigures::name)
        .containsExactly("m0", "m1");
    for (JournalContents.MapFigures map : contents.maps()) {
      long bytes = 0;
      long records = 0;
      for (var each : held.records.entrySet()) {
        if (each.getKey().map().equals(map.name())) {
          bytes += each.getValue().payloadBytes();
          records++;
        }
      }
      assertThat(map.records()).isEqualTo(records);
      assertThat(map.payloadBytes()).isEqualTo(bytes);
    }
    for (JournalContents.ChunkFigures chunk : contents.chunks()) {
      assertThat(chunk.isSealed()).isTrue();
      assertThat(chunk.records())
          .isEqualTo(
              held.records.values().stream()
                  .filter(record -> Position.chunk(record.position()) == chunk.id())
                  .count());
      assertThat(chunk.frames()).isGreaterThanOrEqualTo((int) chunk.records());
    }
    assertThat(contents.chunks().stream().mapToInt(JournalContents.ChunkFigures::frames).sum())
        .as("what was done: every put, remove and clear")
        .isEqualTo(3_001);
    long live = contents.chunks().stream().mapToLong(JournalContents.ChunkFigures::liveBytes).sum();
    long files =
        contents.chunks().stream().mapToLong(JournalContents.ChunkFigures::fileBytes).sum();
    assertThat(contents.statistics().liveBytes()).isEqualTo(live);
    assertThat(live).isLessThan(files / 3);
  }

  @Test
  void verifyingChangesNothingAndFindsWhatOpeningWouldFind() throws IOException {
    fill();
    disk.corrupt(LogFiles.chunk(4), 9_000, 1);
    disk.corrupt(LogFiles.chunk(2), 32 << 10, 1);
    disk.delete(LogFiles.chunk(6));
    long writes = disk.writes();
    for (int i = 0; i < 2; i++) {
      assertThat(JournalInspection.verify(disk, InspectionProgress.NONE).report().damage())
          .extracting(Damage::kind)
          .containsExactlyInAnyOrder(
              Damage.Kind.BAD_FRAMES, Damage.Kind.MISSING_CHUNK, Damage.Kind.BAD_TRAILER);
    }
    assertThat(disk.writes()).isEqualTo(writes);
    assertThat(disk.list("quarantine")).isEmpty();
  }

  @Test
  void compactingKeepsWhatIsAliveAndLittleElse() throws Exception {
    fill();
    JournalStatistics before =
        JournalInspection.inspect(disk, InspectionProgress.NONE).statistics();
    JournalStatistics after = JournalInspection.compact(disk, InspectionProgress.NONE).after();
    assertThat(after.fileBytes()).isLessThan(before.fileBytes() / 2);
    HeldRecords back = new HeldRecords();
    Journal journal = Logs.open(disk, clock, back);
    assertThat(journal.report().damage()).isEmpty();
    assertThat(back.records.keySet()).isEqualTo(held.records.keySet());
    back.records.forEach((key, record) -> assertThat(record.value()).isEqualTo(value(key)));
    journal.close();
  }

  private String value(HeldRecords.Key key) {
    HeldRecords.Held record = held.records.get(key);
    return record == null ? "" : String.valueOf(record.value());
  }

  @Test
  void aDirectoryWithoutALogOrInUseIsRefused() throws IOException {
    assertThatThrownBy(() -> JournalInspection.verify(disk, InspectionProgress.NONE))
        .isInstanceOfSatisfying(
            DirectoryRefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(DirectoryRefusedException.Reason.NO_LOG));
    Journal journal = Logs.open(disk, clock, held);
    assertThatThrownBy(() -> JournalInspection.verify(disk, InspectionProgress.NONE))
        .isInstanceOfSatisfying(
            DirectoryRefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(DirectoryRefusedException.Reason.LOCKED));
    journal.close();
  }

  @Test
  void aLogThatHasLostItsIdentityIsLookedAtAndCompactionWritesItAnew() throws Exception {
    fill();
    disk.delete(LogFiles.IDENTITY);
    for (boolean whole : new boolean[] {true, false}) {
      JournalContents contents =
          whole
              ? JournalInspection.verify(disk, InspectionProgress.NONE)
              : JournalInspection.inspect(disk, InspectionProgress.NONE);
      assertThat(contents.cluster()).isEqualTo("cluster-1");
      assertThat(contents.member()).isEqualTo("member-1");
      assertThat(contents.report().damage())
          .extracting(Damage::kind)
          .containsExactly(Damage.Kind.BAD_IDENTITY);
    }
    JournalCompaction done = JournalInspection.compact(disk, InspectionProgress.NONE);
    assertThat(done.report().damage())
        .extracting(Damage::kind)
        .containsExactly(Damage.Kind.BAD_IDENTITY);
    HeldRecords back = new HeldRecords();
    Logs.open(disk, clock, back).close();
    assertThat(back.records.keySet()).isEqualTo(held.records.keySet());
  }

  @Test
  void chunksOfTwoMembersDoNotSayWhoseLogItIs() throws IOException {
    fill();
    JournalConfig other =
        JournalConfig.of("cluster-1", "member-2", 1, 1)
            .withSizes(4, 8 << 10, 32 << 10)
            .withThreads(0, 1);
    SimulatedDisk otherDisk = new SimulatedDisk(512);
    HeldRecords others = new HeldRecords();
    Journal journal = Logs.open(other, otherDisk, clock, others);
    Logs.put(journal, others, 0, "m", "k", "v");
    journal.close();
    Logs.copy(otherDisk, LogFiles.chunk(2), disk, LogFiles.chunk(900));
    disk.delete(LogFiles.IDENTITY);
    for (int i = 0; i < 2; i++) {
      boolean compact = i == 1;
      assertThatThrownBy(
              () -> {
                if (compact) {
                  JournalInspection.compact(disk, InspectionProgress.NONE);
                } else {
                  JournalInspection.inspect(disk, InspectionProgress.NONE);
                }
              })
          .isInstanceOfSatisfying(
              DirectoryRefusedException.class,
              e -> assertThat(e.reason()).isEqualTo(DirectoryRefusedException.Reason.DAMAGED))
          .hasMessageContaining("member-1")
          .hasMessageContaining("member-2");
    }
    assertThat(disk.list("quarantine")).isEmpty();
  }

  @Test
  void whatOnlyCompactingMeetsIsToldAndKept() throws Exception {
    try (Journal journal = Logs.open(disk, clock, held)) {
      for (int i = 0; i < 600; i++) { // long enough for indexes
        Logs.put(journal, held, i % 3, "m", "key" + i % 90, "x".repeat(500));
        journal.turn();
        journal.turn();
      }
    }
    disk.corrupt(LogFiles.chunk(4), 9_000, 1);
    assertThat(JournalInspection.inspect(disk, InspectionProgress.NONE).report().damage())
        .as("indexes are as they were written")
        .isEmpty();
    JournalCompaction done = JournalInspection.compact(disk, InspectionProgress.NONE);
    assertThat(done.report().damage())
        .extracting(Damage::kind)
        .containsExactly(Damage.Kind.BAD_FRAMES);
    assertThat(disk.list("quarantine")).containsExactly("000000000004.chunk");
  }

  @Test
  void compactingWithoutRoomForAChunkSaysSoAndLosesNothing() throws Exception {
    fill();
    long used = Long.MAX_VALUE - disk.freeBytes();
    disk.setCapacity(used + (20 << 10)); // a manifest, and no chunk
    assertThatThrownBy(() -> JournalInspection.compact(disk, InspectionProgress.NONE))
        .isInstanceOf(JournalFullException.class)
        .hasMessageContaining("free 32768 bytes");
    disk.setCapacity(Long.MAX_VALUE);
    HeldRecords back = new HeldRecords();
    Journal journal = Logs.open(disk, clock, back);
    assertThat(journal.report().damage()).isEmpty();
    assertThat(back.records.keySet()).isEqualTo(held.records.keySet());
    journal.close();
  }

  @Test
  void tellsHowFarItHasComeAndGivesItsMemoryBack() throws Exception {
    fill();
    long memory = AlignedMemory.outstandingBytes();
    Heard heard = new Heard();
    JournalContents contents = JournalInspection.verify(disk, heard);
    assertThat(heard.readBytes).isEqualTo(contents.report().bytes()).isEqualTo(heard.toRead);
    JournalInspection.compact(disk, heard);
    assertThat(heard.compactedBytes).isPositive().isEqualTo(heard.toCompact);
    assertThat(AlignedMemory.outstandingBytes()).isEqualTo(memory);
    assertThat(disk.openFiles()).isZero();
  }

  /** Remembers the last it was told. */
  private static final class Heard implements InspectionProgress {
    private long readBytes;
    private long toRead;
    private long compactedBytes;
    private long toCompact;

    @Override
    public synchronized void reading(RecoveryProgress progress) {
      readBytes = progress.bytes();
      toRead = progress.totalBytes();
    }

    @Override
    public synchronized void compacting(long doneBytes, long totalBytes) {
      compactedBytes = doneBytes;
      toCompact = totalBytes;
    }
  }

  private void fill() throws IOException {
    try (Journal journal = Logs.open(disk, clock, held)) {
      for (int i = 0; i < 3_000; i++) {
        String map = "m" + i % 2;
        if (i % 10 == 9) {
          Logs.remove(journal, held, i % 3, map, "key" + i % 400);
        } else {
          Logs.put(journal, held, i % 3, map, "key" + i % 400, "x".repeat(i % 200));
        }
        if (i == 1_500) {
          long cleared = journal.clear(1, journal.map("m0"));
          held.removeAll(key -> key.partition() == 1 && key.map().equals("m0"), cleared);
        }
        journal.turn();
        journal.turn();
      }
    }
  }
}
