package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: files take what they may and no less, as each byte less is a record that is written again.
 * Method: records are overwritten at random; compaction gets as many turns as it asks for.
 */
class SpaceBoundTest {
  private static final int RECORD_BYTES = 250;
  private static final int KEY_BYTES = 6;
  private static final long CHUNK_BYTES = 1 << 20;

  private final VirtualClock clock = new VirtualClock();

  /** What is written again is less with more chunks beside what is needed: a quarter in the end. */
  @ParameterizedTest
  @CsvSource({"1000, 1.1", "4000, 1.2", "20000, 1.4"})
  void filesTakeTwiceWhatIsNeededAndFiveChunks(int keys, double mostWritten) throws Exception {
    JournalConfig config = Logs.SMALL.withSizes(4, 64 << 10, CHUNK_BYTES);
    long recordBytes = Journal.bytesOf(RECORD_BYTES + KEY_BYTES);
    int half = 4 * keys + 20_000;
    long written = 0;
    SimulatedDisk disk = new SimulatedDisk(512);
    HeldRecords held = new HeldRecords();
    Random random = new Random(keys);
    try (Journal journal = Logs.open(config, disk, clock, held)) {
      Compactor compactor = journal.compactor(held, CompactionPolicy.DEFAULT);
      for (int i = 0; i < 2 * half; i++) {
        String key = "%06d".formatted(random.nextInt(keys) / 4 * 4 + i % 4);
        Logs.put(journal, held, i % 4, "m", key, "v".repeat(RECORD_BYTES));
        journal.turn();
        if (i == half) {
          written = journal.statistics().appendedBytes();
        }
        if (i % 200 == 0) {
          Logs.settle(journal, clock);
          while (compactor.turn()) {
            Logs.settle(journal, clock);
          }
          long most = 2L * held.records.size() * recordBytes + 5 * CHUNK_BYTES * config.streams();
          assertThat(bytes(disk)).as("write %d", i).isLessThanOrEqualTo(most);
        }
      }
      written = journal.statistics().appendedBytes() - written;
      assertThat((double) written / (half * recordBytes)).isLessThan(mostWritten);
    }
  }

  private static long bytes(SimulatedDisk disk) throws IOException {
    long sum = 0;
    for (String chunk : disk.list("chunks")) {
      try (DiskFile file = disk.open("chunks/" + chunk, Disk.Access.READ)) {
        sum += file.size();
      }
    }
    return sum;
  }
}
