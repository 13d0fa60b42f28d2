package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.journal.sim.Faults;
import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compaction that the disk refuses something says so, and goes on later. */
class CompactorTroubleTest {
  private final SimulatedDisk disk = new SimulatedDisk(512);
  private final VirtualClock clock = new VirtualClock();
  private final HeldRecords held = new HeldRecords();
  private final List<String> told = new ArrayList<>();

  @ParameterizedTest
  @EnumSource(
      value = Faults.Operation.class,
      names = {"OPEN", "REMOVE", "SYNC"})
  void compactionGoesOnOnceTheDiskDoes(Faults.Operation bad) throws Exception {
    try (Journal journal = Logs.open(disk, clock, held)) {
      for (int i = 0; i < 2_000; i++) {
        Logs.put(journal, held, i % 2, "m", "key" + i % 20, "x".repeat(200));
        journal.turn();
      }
      Logs.settle(journal, clock);
      Compactor compactor = journal.compactor(telling(held), CompactionPolicy.DEFAULT);
      disk.setFaults(
          (operation, name, offset) -> {
            if (operation == bad && name.startsWith("chunks")) { // chunks, or their directory
              throw new IOException("Too many open files");
            }
          });
      for (int i = 0; i < 100; i++) {
        compactor.turn();
        clock.advanceMillis(100);
        if (bad == Faults.Operation.SYNC && !told.isEmpty()) {
          break; // which is not tried again: the next one would be told anew
        }
      }
      assertThat(told).containsExactly("Too many open files");
      assertThat(journal.compactionFailure()).hasMessage("Too many open files");
      disk.setFaults(Faults.NONE);
      for (int i = 0; i < 1_000 && (i < 20 || compactor.isBusy()); i++) {
        compactor.turn();
        Logs.settle(journal, clock);
      }
      assertThat(told).containsExactly("Too many open files", "goes on");
      assertThat(journal.compactionFailure()).isNull();
      assertThat(compactor.isBusy()).isFalse();
      assertThat(journal.statistics().chunks()).as("spare ones among them").isLessThan(15);
    }
    HeldRecords back = new HeldRecords();
    try (Journal journal = Logs.open(disk, clock, back)) {
      assertThat(journal.report().damage()).isEmpty();
      assertThat(back.records).isEqualTo(held.records);
    }
  }

  private RecordOwner telling(RecordOwner owner) {
    return new RecordOwner() {
      @Override
      public void exclusively(int partition, Runnable slice) throws InterruptedException {
        owner.exclusively(partition, slice);
      }

      @Override
      public long positionOf(Frame frame) {
        return owner.positionOf(frame);
      }

      @Override
      public void moved(Frame frame, long position) {
        owner.moved(frame, position);
      }

      @Override
      public void compactionStands(IOException why) {
        told.add(String.valueOf(why.getMessage()));
      }

      @Override
      public void compactionGoesOn() {
        told.add("goes on");
      }
    };
  }
}
