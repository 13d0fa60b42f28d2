package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.journal.sim.Faults;
import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The file of certain positions on a disk that is full for a while. */
class CertainFileTest {
  private final SimulatedDisk disk = new SimulatedDisk(512);
  private final VirtualClock clock = new VirtualClock();
  private final CertainFile file = new CertainFile(disk, clock, 1);
  private final List<Faults.Operation> operations = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    file.close();
  }

  private void fillUpFor(Faults.Operation full) {
    disk.setFaults(
        (operation, name, offset) -> {
          boolean _ = operations.add(operation);
          if (operation == full) {
            throw new NoSpaceException("full");
          }
        });
  }

  private void makeRoom() {
    operations.clear();
    disk.setFaults((operation, name, offset) -> operations.add(operation));
  }

  private long[] found() throws IOException {
    return CertainFile.read(disk).positions();
  }

  @Test
  void aFullDiskIsAskedOnceASecondForTheFile() throws IOException {
    fillUpFor(Faults.Operation.CREATE);
    for (int i = 0; i < 20; i++) {
      file.open();
      clock.advanceMillis(100);
    }
    assertThat(operations).filteredOn(Faults.Operation.CREATE::equals).hasSize(2);
    makeRoom();
    clock.advanceMillis(1_000);
    file.open();
    file.note(new long[] {8});
    assertThat(found()).containsExactly(8);
  }

  @Test
  void aRecordThatFoundNoRoomIsWrittenAgain() throws IOException {
    file.open();
    file.note(new long[] {8});
    clock.advanceMillis(1_000);
    file.syncIfDue();
    file.note(new long[] {16});
    fillUpFor(Faults.Operation.WRITE);
    file.note(new long[] {24});
    clock.advanceMillis(1_000);
    file.syncIfDue();
    assertThat(operations)
        .as("a record that may be torn does not become the one to keep")
        .doesNotContain(Faults.Operation.SYNC);
    makeRoom();
    file.note(new long[] {16});
    clock.advanceMillis(1_000);
    file.syncIfDue();
    assertThat(operations).containsExactly(Faults.Operation.WRITE, Faults.Operation.SYNC);
    assertThat(found()).containsExactly(16);
  }

  @Test
  void aSyncThatFoundNoRoomHasTheRecordWrittenAgain() throws IOException {
    file.open();
    file.note(new long[] {8});
    clock.advanceMillis(1_000);
    fillUpFor(Faults.Operation.SYNC);
    file.syncIfDue();
    makeRoom();
    file.note(new long[] {8});
    clock.advanceMillis(1_000);
    file.syncIfDue();
    assertThat(operations).containsExactly(Faults.Operation.WRITE, Faults.Operation.SYNC);
    assertThat(found()).containsExactly(8);
  }
}
