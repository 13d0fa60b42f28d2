package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.keyvalueserve.journal.sim.Faults;
import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever the disk refuses while a log is opened or closed, no file stays open, no memory
 * taken and no directory locked. Method: a run that works counts the disk's operations; then there
 * is a run for each of them in which that one fails, and one in which it and all after it do.
 */
class ReleaseTest {
  private final long memoryBefore = AlignedMemory.outstandingBytes();
  private final VirtualClock clock = new VirtualClock();

  @AfterEach
  void allMemoryIsGivenBack() {
    assertThat(AlignedMemory.outstandingBytes()).isEqualTo(memoryBefore);
  }

  @Test
  void aLogThatCannotBeOpenedHoldsNothing() throws IOException {
    int operations = open(new Refusals(Integer.MAX_VALUE, false));
    assertThat(operations).isGreaterThan(50);
    for (int i = 0; i < operations; i++) {
      open(new Refusals(i, false));
      open(new Refusals(i, true));
    }
  }

  private int open(Refusals refusals) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(512);
    HeldRecords held = new HeldRecords();
    leaveBehind(disk, held);
    disk.setFaults(refusals);
    Journal journal = null;
    Throwable failure = null;
    try {
      journal = Logs.open(disk, clock, new HeldRecords());
    } catch (IOException e) {
      failure = e;
    }
    disk.setFaults(Faults.NONE);
    if (journal != null) {
      journal.close();
    } else {
      assertThat(failure).hasMessageContaining("refused");
    }
    assertThat(disk.openFiles()).as("operation %d of an opening", refusals.at).isZero();
    assertThat(disk.isLocked()).isFalse();
    if (failure != null) {
      HeldRecords back = new HeldRecords();
      Logs.open(disk, clock, back).close();
      assertThat(held.records).containsAllEntriesOf(back.records);
    }
    return refusals.count;
  }

  @Test
  void aLogThatCannotBeClosedHoldsNothing() throws IOException {
    int operations = close(new Refusals(Integer.MAX_VALUE, false));
    assertThat(operations).isGreaterThan(20);
    for (int i = 0; i < operations; i++) {
      close(new Refusals(i, false));
      close(new Refusals(i, true));
    }
  }

  private int close(Refusals refusals) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(512);
    HeldRecords held = new HeldRecords();
    Journal journal = openAndFill(disk, held);
    Map<HeldRecords.Key, HeldRecords.Held> certain = new HashMap<>(held.records);
    Logs.put(journal, held, 0, "m", "blob that is not certain", "b".repeat(3_000));
    disk.setFaults(refusals);
    Throwable failure = catchThrowable(journal::close);
    disk.setFaults(Faults.NONE);
    if (refusals.at < refusals.count) {
      assertThat(failure).as("operation %d", refusals.at).hasStackTraceContaining("refused");
    } else {
      assertThat(failure).isNull();
    }
    assertThat(disk.openFiles()).as("operation %d of a closing", refusals.at).isZero();
    assertThat(disk.isLocked()).isFalse();
    disk.crash(new Random(1));
    HeldRecords back = new HeldRecords();
    Logs.open(disk, clock, back).close();
    assertThat(back.records).containsAllEntriesOf(certain);
    return refusals.count;
  }

  @Test
  void theFirstFailureOfAClosingIsThrownAndTheOthersAreInIt() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(512);
    Journal journal = openAndFill(disk, new HeldRecords());
    List<String> refused = new ArrayList<>();
    disk.setFaults(
        (operation, name, offset) -> {
          if (operation == Faults.Operation.CLOSE) {
            refused.add(name);
            throw new IOException("refused: " + name);
          }
        });
    Throwable failure = catchThrowable(journal::close);
    assertThat(refused).hasSizeGreaterThan(3).contains(LogFiles.MANIFEST);
    assertThat(failure).hasStackTraceContaining("refused: " + refused.get(0));
    assertThat(failure.getSuppressed()).hasSize(refused.size() - 1);
  }

  @Test
  void aLogThatHasFailedHoldsNothingWhenItIsClosed() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(512);
    HeldRecords held = new HeldRecords();
    Journal journal = openAndFill(disk, held);
    Logs.put(journal, held, 0, "m", "blob", "b".repeat(3_000));
    Logs.put(journal, held, 0, "m", "another", "b".repeat(3_000));
    disk.setFaults(
        (operation, name, offset) -> {
          if (operation == Faults.Operation.SYNC) {
            throw new IOException("refused");
          }
        });
    Logs.settle(journal, clock);
    assertThat(journal.failure()).isNotNull();
    journal.close();
    assertThat(disk.openFiles()).isZero();
    assertThat(disk.isLocked()).isFalse();
  }

  /**
   * A log with everything that an opening has to deal with, as a process that was killed left it.
   */
  private void leaveBehind(SimulatedDisk disk, HeldRecords held) throws IOException {
    Journal journal = openAndFill(disk, held);
    Logs.put(journal, held, 0, "m", "blob that is not certain", "b".repeat(3_000));
    clock.advanceMillis(600);
    disk.setFaults(
        (operation, name, offset) -> {
          if (operation == Faults.Operation.SYNC) {
            throw new IOException("killed before the sync");
          }
        });
    journal.turn();
    disk.kill();
    journal.close();
    disk.create("chunks/000000000900.chunk", 8192).close(); // made, and no more
    disk.create("blobs/000000000900.blob", 8192).close(); // no frame refers to it
  }

  private Journal openAndFill(SimulatedDisk disk, HeldRecords held) throws IOException {
    Journal journal = Logs.open(disk, clock, held);
    for (int i = 0; i < 400; i++) {
      Logs.put(journal, held, i % 2, "m", "key" + i, "x".repeat(200));
      journal.turn();
    }
    Logs.put(journal, held, 1, "m", "long", "b".repeat(3_000));
    Logs.settle(journal, clock);
    return journal;
  }

  /** Refuses one operation, or it and all after it. */
  private static final class Refusals implements Faults {
    private final int at;
    private final boolean forEver;
    private int count;

    Refusals(int at, boolean forEver) {
      this.at = at;
      this.forEver = forEver;
    }

    @Override
    public void before(Operation operation, String name, long offset) throws IOException {
      int number = count++;
      if (number == at || (forEver && number > at)) {
        throw new IOException("refused: " + operation + " " + name + " " + offset);
      }
    }
  }
}
