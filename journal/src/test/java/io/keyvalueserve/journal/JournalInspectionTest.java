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
    JournalContents contents = JournalInspection.inspect(disk);
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
      assertThat(JournalInspection.verify(disk).report().damage())
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
    JournalStatistics before = JournalInspection.inspect(disk).statistics();
    JournalStatistics after = JournalInspection.compact(disk);
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
    assertThatThrownBy(() -> JournalInspection.verify(disk))
        .isInstanceOfSatisfying(
            DirectoryRefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(DirectoryRefusedException.Reason.NO_LOG));
    Journal journal = Logs.open(disk, clock, held);
    assertThatThrownBy(() -> JournalInspection.verify(disk))
        .isInstanceOfSatisfying(
            DirectoryRefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(DirectoryRefusedException.Reason.LOCKED));
    journal.close();
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
