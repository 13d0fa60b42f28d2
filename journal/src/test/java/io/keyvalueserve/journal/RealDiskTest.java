package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log on this machine's file system, and processes that are killed with SIGKILL. */
class RealDiskTest {
  @TempDir private Path directory;

  @Test
  void whatCannotBeReadIsNotTakenForEmpty() throws IOException {
    Files.writeString(directory.resolve("chunks"), "a file in the place of a directory");
    FileDisk disk = FileDisk.at(directory);
    assertThatThrownBy(() -> disk.list("chunks"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("chunks");
    assertThat(disk.list("blobs")).isEmpty();
  }

  @Test
  void nothingThatWasCertainIsLostWhenTheProcessIsKilled() throws Exception {
    Map<String, Integer> certain = new HashMap<>();
    int next = 0;
    Random random = new Random(1);
    for (int round = 0; round < 4; round++) {
      Process process = start(next);
      int lines = 0;
      try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
        int killAfter = 200 + random.nextInt(3_000);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
          int space = line.indexOf(' ');
          assertThat(line).matches("[0-9]+ [0-9]+");
          int number = Integer.parseInt(line.substring(space + 1));
          certain.merge("key" + line.substring(0, space), number, Math::max);
          next = Math.max(next, number);
          if (++lines == killAfter) {
            process.toHandle().destroyForcibly(); // its output stays readable
          }
        }
      }
      assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(lines).as(() -> "see the process's output").isGreaterThan(100);
      HeldRecords back = new HeldRecords();
      try (Journal journal = Journal.open(KilledWriter.CONFIG, FileDisk.at(directory), back)) {
        assertThat(journal.report().hasLoss()).as(journal.report().toString()).isFalse();
      }
      for (Map.Entry<String, Integer> each : certain.entrySet()) {
        int key = Integer.parseInt(each.getKey().substring(3));
        HeldRecords.Held held =
            back.records.get(new HeldRecords.Key(key % 7, "m", 1, each.getKey()));
        assertThat(held).as(each.getKey()).isNotNull();
        String value = Objects.requireNonNull(Objects.requireNonNull(held).value());
        int number = Integer.parseInt(value.substring(0, value.indexOf('-')));
        assertThat(number).as(each.getKey()).isGreaterThanOrEqualTo(each.getValue());
        assertThat(value).isEqualTo(number + "-" + "x".repeat(number % 900));
        next = Math.max(next, number);
      }
      next++;
    }
  }

  @Test
  void whatIsCutOffAfterTheProcessWasKilledIsTold() throws Exception {
    Process process = start(0);
    try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      for (int i = 0; i < 500; i++) {
        assertThat(out.readLine()).isNotNull();
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    FileDisk disk = FileDisk.at(directory);
    long last =
        Arrays.stream(CertainFile.read(disk).positions())
            .boxed()
            .max(Comparator.comparingLong(Position::offset))
            .orElseThrow();
    String chunk = LogFiles.chunk(Position.chunk(last));
    try (DiskFile file = disk.open(chunk, Disk.Access.CACHED)) {
      file.truncate(Position.offset(last) / 2 + 1);
    }
    try (Journal journal = Journal.open(KilledWriter.CONFIG, disk, new HeldRecords())) {
      assertThat(journal.report().damage())
          .filteredOn(Damage::mayMissRecords)
          .singleElement()
          .satisfies(damage -> assertThat(damage.file()).isEqualTo(disk.path(chunk)));
    }
  }

  @Test
  void aDirectoryThatAnotherProcessUsesIsRefusedWithItsNumber() throws Exception {
    Process process = start(0);
    try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      assertThat(out.readLine()).isNotNull(); // it has the lock
      assertThatThrownBy(
              () -> Journal.open(KilledWriter.CONFIG, FileDisk.at(directory), new HeldRecords()))
          .isInstanceOfSatisfying(
              DirectoryRefusedException.class,
              e -> assertThat(e.reason()).isEqualTo(DirectoryRefusedException.Reason.LOCKED))
          .hasMessageContaining("process " + process.pid());
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsRefused() {
    assertThatThrownBy(() -> FileDisk.at(Path.of("/proc/no-journal")))
        .isInstanceOfSatisfying(
            DirectoryRefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(DirectoryRefusedException.Reason.READ_ONLY))
        .hasMessageContaining("/proc/no-journal");
  }

  @Test
  void aSecondOpeningInThisProcessIsRefusedAndTakesNoLockAway() throws IOException {
    HeldRecords held = new HeldRecords();
    try (Journal journal = Journal.open(KilledWriter.CONFIG, FileDisk.at(directory), held)) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> Journal.open(KilledWriter.CONFIG, FileDisk.at(directory), held))
            .isInstanceOf(DirectoryRefusedException.class);
      }
      assertThat(journal.failure()).isNull();
    }
    Journal.open(KilledWriter.CONFIG, FileDisk.at(directory), held).close();
  }

  @Test
  void keysAndSingleValuesComeBackWithoutTheRest() throws IOException {
    HeldRecords held = new HeldRecords();
    try (Journal journal = Journal.open(KilledWriter.CONFIG, FileDisk.at(directory), held)) {
      held.setDead(journal);
      for (int i = 0; i < 20_000; i++) {
        Logs.put(journal, held, i % 7, "m", "key" + i, "x".repeat(500) + i);
      }
      Logs.put(journal, held, 0, "m", "blob", "b".repeat(300_000));
    }
    HeldRecords back = new HeldRecords();
    try (Journal journal = Journal.openKeys(KilledWriter.CONFIG, FileDisk.at(directory), back)) {
      assertThat(journal.report().damage()).isEmpty();
      assertThat(journal.report().bytes()).isLessThan(20_000 * 500 / 4);
      assertThat(back.records.keySet()).isEqualTo(held.records.keySet());
      HeldRecords some = new HeldRecords();
      for (String key : new String[] {"key0", "key19999", "blob"}) {
        for (var each : back.records.entrySet()) {
          if (each.getKey().key().equals(key)) {
            HeldRecords.Held record = each.getValue();
            assertThat(journal.read(record.position(), record.payloadBytes(), some::put)).isTrue();
          }
        }
      }
      assertThat(some.records).hasSize(3);
      assertThat(held.records).containsAllEntriesOf(some.records);
    }
  }

  @Test
  void payloadsOfKnownKeysComeLaterWhileTheLogIsWritten() throws IOException {
    HeldRecords held = new HeldRecords();
    try (Journal journal = Journal.open(KilledWriter.CONFIG, FileDisk.at(directory), held)) {
      held.setDead(journal);
      for (int i = 0; i < 20_000; i++) {
        Logs.put(journal, held, i % 7, "m" + i % 2, "key" + i % 15_000, "x".repeat(500) + i);
      }
      Logs.remove(journal, held, 3, "m1", "key3");
    }
    HeldRecords back = new HeldRecords();
    try (Journal journal = Journal.openKeys(KilledWriter.CONFIG, FileDisk.at(directory), back)) {
      Map<HeldRecords.Key, HeldRecords.Held> stubs = new ConcurrentHashMap<>(back.records);
      stubs.values().removeIf(stub -> stub.value() != null);
      assertThat(stubs).isNotEmpty();
      long live = journal.statistics().liveBytes();
      Logs.put(journal, back, 0, "m0", "new", "value");
      HeldRecords payloads = new HeldRecords();
      RecoveryReport report = journal.replayPayloads(chunk -> true, payloads);
      assertThat(report.damage()).isEmpty();
      stubs.forEach(
          (key, stub) -> {
            HeldRecords.Held loaded = Objects.requireNonNull(payloads.records.get(key));
            assertThat(loaded.position()).isEqualTo(stub.position());
            assertThat(held.records).containsEntry(key, loaded);
          });
      assertThat(journal.statistics().liveBytes()).isBetween(live, live + 1_000); // counted once
      Set<Long> some =
          Set.of(Journal.chunkOf(stubs.values().stream().findFirst().orElseThrow().position()));
      HeldRecords ofOne = new HeldRecords();
      assertThat(journal.replayPayloads(some::contains, ofOne).chunks()).isEqualTo(1);
      assertThat(ofOne.records.values())
          .isNotEmpty()
          .allMatch(record -> some.contains(Journal.chunkOf(record.position())));
    }
  }

  private Process start(int next) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            KilledWriter.class.getName(),
            directory.toString(),
            Integer.toString(next))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
