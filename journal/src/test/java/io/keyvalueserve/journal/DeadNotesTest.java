package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Goal: what is noted as dead reaches its chunk, whoever noted it and whoever flushes. Method: a
 * log without threads; its figures say what it takes for alive.
 */
class DeadNotesTest {
  private static final int FRAME_BYTES = 640;
  private static final int PAYLOAD_BYTES = FRAME_BYTES - Frames.HEADER_BYTES;

  private static final int KEY_BYTES = 4;
  private static final int RECORDS = 300;

  private final SimulatedDisk disk = new SimulatedDisk(512);
  private final VirtualClock clock = new VirtualClock();

  @Test
  void figuresHaveWhatWasNotedAMomentAgo() throws Exception {
    List<Long> positions = write();
    try (Journal journal = Logs.open(disk, clock, new HeldRecords())) {
      long before = journal.statistics().liveBytes();
      for (int i = 0; i < positions.size(); i++) {
        journal.dead(positions.get(i), PAYLOAD_BYTES);
        assertThat(journal.statistics().liveBytes()).isEqualTo(before - (i + 1L) * FRAME_BYTES);
      }
    }
  }

  @Test
  void notesOfThreadsThatHaveEndedAreNotLost() throws Exception {
    List<Long> positions = write();
    try (Journal journal = Logs.open(disk, clock, new HeldRecords())) {
      long before = journal.statistics().liveBytes();
      List<Thread> threads = new ArrayList<>();
      for (long position : positions) {
        threads.add(Thread.startVirtualThread(() -> journal.dead(position, PAYLOAD_BYTES)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(journal.statistics().liveBytes()).isEqualTo(before - (long) RECORDS * FRAME_BYTES);
    }
  }

  @Test
  void aNoteForAChunkThatIsGoneMeanwhileIsLetGo() {
    Chunk chunk = new Chunk(1, 0, 1 << 16);
    var _ = chunk.makeDeadFrames();
    chunk.release();
    assertThat(chunk.look(0)).isZero();
    chunk.markDead(0);
    assertThat(chunk.isMarkedDead(0)).isFalse();
  }

  /** A log whose chunks are sealed, as figures are of such. */
  private List<Long> write() throws Exception {
    List<Long> positions = new ArrayList<>();
    try (Journal journal = Logs.open(disk, clock, new HeldRecords())) {
      int map = journal.map("m");
      for (int i = 0; i < RECORDS; i++) {
        byte[] payload = HeldRecords.payload("%04d".formatted(i), "v".repeat(PAYLOAD_BYTES));
        positions.add(
            journal.put(i % 7, map, 0, 1, Arrays.copyOf(payload, PAYLOAD_BYTES), 0, KEY_BYTES));
        journal.turn();
      }
    }
    return positions;
  }
}
