package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.journal.sim.Faults;
import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import io.keyvalueserve.memory.Memory;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Payloads that become files: whole whatever happens beside, or refused and nothing is left. */
class DraftTest {
  private static final int BYTES = 3 << 20;

  private final SimulatedDisk disk = new SimulatedDisk(512);
  private final VirtualClock clock = new VirtualClock();
  private final HeldRecords held = new HeldRecords();
  private final AlignedMemory payload = AlignedMemory.allocate(BYTES);

  @AfterEach
  void close() {
    payload.close();
  }

  /** Readers note in a record's header that they have used it. */
  @Test
  void aPayloadThatChangesWhileItIsDraftedComesBackWhole() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 1; !stop.get(); i++) {
                    for (int at = 8; at < BYTES; at += 1 << 16) {
                      Memory.putInt(payload.address() + at, i);
                    }
                  }
                });
    int drafts = 20;
    try (Journal journal = Logs.open(disk, clock, held)) {
      int map = journal.map("m");
      for (int i = 0; i < drafts; i++) {
        Memory.putInt(payload.address(), i); // the key
        PayloadDraft draft = journal.draft(payload.address(), BYTES);
        journal.put(0, map, 0, 1, payload.address(), 0, Integer.BYTES, draft);
        Memory.putInt(payload.address(), i + drafts);
        journal.put(0, map, 0, 1, payload.address(), BYTES, 0, Integer.BYTES);
        journal.turn();
      }
    } finally {
      stop.set(true);
      reader.join();
    }
    HeldRecords back = new HeldRecords();
    try (Journal journal = Logs.open(disk, clock, back)) {
      assertThat(journal.report().damage()).isEmpty();
      assertThat(back.records).hasSize(2 * drafts);
    }
  }

  @Test
  void whatTheFullDiskDoesNotTakeLeavesNoFile() throws IOException {
    try (Journal journal = Logs.open(disk, clock, held)) {
      Logs.put(journal, held, 0, "m", "first", "1");
      int open = disk.openFiles();
      AtomicInteger writes = new AtomicInteger();
      disk.setFaults( // full once the file is written: before the frame is
          (operation, name, offset) -> {
            if (operation == Faults.Operation.WRITE
                && name.startsWith("blobs")
                && writes.incrementAndGet() == 3) {
              disk.setCapacity(Long.MAX_VALUE - disk.freeBytes()); // what is used
              fillUp(journal);
            }
          });
      assertThatThrownBy(() -> put(journal)).isInstanceOf(JournalFullException.class);
      assertThat(disk.list("blobs")).isEmpty();
      assertThat(disk.openFiles()).isEqualTo(open);
      disk.setFaults(Faults.NONE);
      disk.setCapacity(Long.MAX_VALUE);
      Logs.settle(journal, clock);
      assertThat(put(journal)).isNotEqualTo(Journal.FULL);
    }
  }

  /** Until no chunk can be made. */
  private void fillUp(Journal journal) {
    byte[] key = new byte[500];
    for (int i = 0; i < 1_000 && !journal.isDiskFull(); i++) {
      long _ = journal.tryRemove(0, 0, 1, key);
      if (i % 10 == 9) {
        journal.turn();
      }
    }
  }

  @Test
  void whoIsInterruptedWritesAllTheSameAndStaysInterrupted(@TempDir Path directory)
      throws Exception {
    HeldRecords back = new HeldRecords();
    try (Journal journal = Journal.open(Logs.SMALL, FileDisk.at(directory), held)) {
      Thread.currentThread().interrupt();
      long position = put(journal);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(position).isNotEqualTo(Journal.FULL);
      journal.awaitCertain();
      assertThat(journal.failure()).isNull();
    }
    Journal.open(Logs.SMALL, FileDisk.at(directory), back).close();
    assertThat(back.records).hasSize(1);
  }

  @Test
  void whoIsInterruptedWhileItIsWrittenWritesItAnew() throws IOException {
    try (Journal journal = Logs.open(disk, clock, held)) {
      AtomicInteger writes = new AtomicInteger();
      disk.setFaults(
          (operation, name, offset) -> {
            if (operation == Faults.Operation.WRITE
                && name.startsWith("blobs")
                && writes.incrementAndGet() == 2) {
              Thread.currentThread().interrupt();
              throw new ClosedByInterruptException();
            }
          });
      assertThat(put(journal)).isNotEqualTo(Journal.FULL);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(journal.failure()).isNull();
      assertThat(disk.list("blobs")).hasSize(1);
    }
  }

  @Test
  void aFileThatCannotBeMadeRefusesThatWriteOnly() throws IOException {
    try (Journal journal = Logs.open(disk, clock, held)) {
      disk.setFaults(
          (operation, name, offset) -> {
            if (operation == Faults.Operation.CREATE && name.startsWith("blobs")) {
              throw new IOException("Too many open files");
            }
          });
      assertThatThrownBy(() -> put(journal))
          .isInstanceOf(JournalRefusedException.class)
          .hasMessageContainingAll("blobs/", "Too many open files", "nothing was written");
      assertThat(journal.failure()).isNull();
      Logs.put(journal, held, 0, "m", "short", "1");
      disk.setFaults(Faults.NONE);
      assertThat(put(journal)).isNotEqualTo(Journal.FULL);
    }
  }

  private long put(Journal journal) {
    return journal.put(0, journal.map("m"), 0, 1, payload.address(), BYTES, 0, Integer.BYTES);
  }
}
