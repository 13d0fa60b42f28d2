package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: a log that is given up is there as it was, or not at all. Method: the power goes, or the
 * process is killed, at each operation of the erasure and of the opening after it.
 */
class ErasureTest {
  private static final int RECORDS = 300;

  private final VirtualClock clock = new VirtualClock();

  @Test
  void whatWasErasedIsGone() throws IOException {
    SimulatedDisk disk = filled();
    Journal.erase(disk);
    assertThat(disk.list("chunks")).isEmpty();
    assertThat(disk.list("blobs")).isEmpty();
    assertThat(disk.isLocked()).isFalse();
    assertThat(recordsOf(disk)).isZero();
  }

  @Test
  void aLogThatIsInUseIsNotErased() throws IOException {
    SimulatedDisk disk = filled();
    try (Journal journal = Logs.open(disk, clock, new HeldRecords())) {
      assertThatThrownBy(() -> Journal.erase(disk)).isInstanceOf(DirectoryRefusedException.class);
      assertThat(journal.failure()).isNull();
    }
    assertThat(recordsOf(disk)).isEqualTo(RECORDS);
  }

  @Test
  void aCrashLeavesAllOrNothing() throws IOException {
    int kept = 0;
    int gone = 0;
    boolean done = false;
    for (int after = 0; !done; after++) {
      for (int seed = 0; seed < 6; seed++) {
        SplittableRandom random = new SplittableRandom(1_000L * after + seed);
        SimulatedDisk disk = filled();
        done = !isCut(disk, after, () -> Journal.erase(disk));
        end(disk, random);
        isCut(disk, random.nextInt(60), () -> recordsOf(disk));
        end(disk, random);
        int records = recordsOf(disk);
        assertThat(records).as("after=%d seed=%d", after, seed).isIn(0, RECORDS);
        kept += records > 0 ? 1 : 0;
        gone += records > 0 ? 0 : 1;
      }
    }
    assertThat(kept).isPositive();
    assertThat(gone).isPositive();
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Returns whether the power went, after so many operations, before the step was done. */
  private static boolean isCut(SimulatedDisk disk, int after, Step step) {
    int[] left = {after};
    disk.setFaults(
        (operation, name, offset) -> {
          if (left[0]-- <= 0) {
            throw new IOException("the power is gone");
          }
        });
    try {
      step.run();
      return false;
    } catch (IOException | JournalException e) {
      return true;
    }
  }

  private static void end(SimulatedDisk disk, SplittableRandom random) {
    if (random.nextInt(3) == 0) {
      disk.kill();
    } else {
      disk.crash(random);
    }
  }

  private SimulatedDisk filled() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(512);
    HeldRecords held = new HeldRecords();
    try (Journal journal = Logs.open(disk, clock, held)) {
      for (int i = 0; i < RECORDS; i++) {
        Logs.put(journal, held, i % 5, "m", "key" + i, "x".repeat(i % 90 == 0 ? 9_000 : 200));
        journal.turn();
      }
      Logs.settle(journal, clock);
    }
    return disk;
  }

  private int recordsOf(SimulatedDisk disk) throws IOException {
    HeldRecords back = new HeldRecords();
    try (Journal journal = Logs.open(disk, clock, back)) {
      assertThat(journal.report().damage()).noneMatch(Damage::isLoss);
    }
    return back.records.size();
  }
}
