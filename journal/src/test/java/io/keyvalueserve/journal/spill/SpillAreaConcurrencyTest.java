package io.keyvalueserve.journal.spill;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.journal.FileDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: threads that write, read and free at once get their values, on this machine's disk. Method:
 * each cell holds a handle and what its value says of itself; readers who lose against a writer see
 * that the cell has changed.
 */
class SpillAreaConcurrencyTest {
  private static final int CELLS = 400;
  private static final int ROUNDS = 250;

  private record Cell(long handle, int length, byte seed) {}

  @TempDir private Path directory;
  private final AtomicReferenceArray<@Nullable Cell> cells = new AtomicReferenceArray<>(CELLS);
  private final LongAdder reads = new LongAdder();
  private volatile boolean done;

  @Test
  void everyReadIsAWholeValueOrLosesAgainstAWriter() throws Exception {
    try (SpillArea area =
            SpillArea.open(FileDisk.at(directory), "spill", new SpillConfig(32 << 20, 8 << 20));
        ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        writers.add(threads.submit(writer(area, i)));
      }
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(threads.submit(reader(area, i)));
      }
      for (Future<?> each : writers) {
        each.get(120, TimeUnit.SECONDS);
      }
      done = true;
      for (Future<?> each : readers) {
        each.get(120, TimeUnit.SECONDS);
      }
      assertThat(reads.sum()).isGreaterThan(100);
      for (int i = 0; i < CELLS; i++) {
        Cell cell = cells.get(i);
        if (cell != null) {
          requireValue(cell, Values.read(area, cell.handle, cell.length));
          area.free(cell.handle, cell.length);
        }
      }
      assertThat(area.usedBytes()).isZero();
    }
  }

  private Callable<Boolean> writer(SpillArea area, int number) {
    return () -> {
      Random random = new Random(number);
      try (Values values = new Values(1 << 20)) {
        for (int round = 0; round < ROUNDS; round++) {
          List<byte[]> written = new ArrayList<>();
          for (int i = random.nextInt(20); i >= 0; i--) {
            byte[] value = new byte[random.nextInt(random.nextInt(4) == 0 ? 30_000 : 300)];
            Arrays.fill(value, (byte) random.nextInt());
            written.add(value);
          }
          List<Long> handles = values.write(area, written);
          for (int i = 0; i < handles.size(); i++) {
            byte[] value = written.get(i);
            byte seed = value.length == 0 ? 0 : value[0];
            Cell old =
                cells.getAndSet(
                    random.nextInt(CELLS), new Cell(handles.get(i), value.length, seed));
            if (old != null) {
              area.free(old.handle, old.length);
            }
          }
        }
      }
      return true;
    };
  }

  private Callable<Boolean> reader(SpillArea area, int number) {
    return () -> {
      Random random = new Random(100 + number);
      while (!done || reads.sum() <= 100) {
        int at = random.nextInt(CELLS);
        Cell cell = cells.get(at);
        if (cell == null) {
          Thread.onSpinWait();
          continue;
        }
        boolean interrupt = random.nextInt(50) == 0;
        if (interrupt) {
          Thread.currentThread().interrupt();
        }
        try {
          requireValue(cell, Values.read(area, cell.handle, cell.length));
          reads.increment();
        } catch (SpillDamageException e) {
          if (cell.equals(cells.get(at))) {
            throw e;
          }
        }
        assertThat(Thread.interrupted()).isEqualTo(interrupt);
      }
      return true;
    };
  }

  private static void requireValue(Cell cell, byte[] value) {
    byte[] expected = new byte[cell.length];
    Arrays.fill(expected, cell.seed);
    assertThat(Arrays.equals(value, expected)).as("length %d", cell.length).isTrue();
  }

  /** Java closes a file under all readers when one of them is interrupted. */
  @Test
  void aReaderThatIsInterruptedClosesTheFileForNobody() throws Exception {
    try (SpillArea area =
            SpillArea.open(FileDisk.at(directory), "spill", new SpillConfig(8 << 20, 8 << 20));
        Values values = new Values(1 << 20);
        ExecutorService threads = Executors.newCachedThreadPool()) {
      byte[] value = Values.random(new Random(1), 200_000);
      long handle = values.write(area, value);
      AtomicReference<@Nullable Thread> victim = new AtomicReference<>();
      LongAdder seen = new LongAdder();
      Future<?> reader =
          threads.submit(
              () -> {
                victim.set(Thread.currentThread());
                readUntilDone(area, handle, value, seen);
                return true;
              });
      for (int i = 0; i < 2_000; i++) {
        assertThat(Values.read(area, handle, value.length)).isEqualTo(value);
        Thread thread = victim.get();
        if (thread != null && i % 4 == 0) {
          thread.interrupt();
        }
      }
      while (seen.sum() == 0) {
        Thread.onSpinWait();
      }
      done = true;
      reader.get(60, TimeUnit.SECONDS);
    }
  }

  private void readUntilDone(SpillArea area, long handle, byte[] value, LongAdder seen)
      throws IOException {
    while (!done) {
      assertThat(Values.read(area, handle, value.length)).isEqualTo(value);
      if (Thread.interrupted()) {
        seen.increment();
      }
    }
  }
}
