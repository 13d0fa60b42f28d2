package io.keyvalueserve.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.SlabReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever readers copy is whole, belongs to its key, and is not out of date, while tables
 * grow, shrink, are cleared, closed and run out of memory. Method: all at once, on a heap that is
 * often full; every byte of every value follows from its key and version. For some seconds here; to
 * soak for an hour: {@code mvn -pl memory,store test -Dtest=TortureTest -Dkvs.soak.seconds=3600
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class TortureTest {
  private static final int SECONDS = Integer.getInteger("kvs.soak.seconds", 6);
  private static final long HEAP_BYTES = 24L << 20;
  private static final TorturedTable.Shape WIDE =
      new TorturedTable.Shape(16, 120, 3_000, 300 << 10);
  private static final TorturedTable.Shape NARROW = new TorturedTable.Shape(1, 3, 100, 64);

  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong hits = new AtomicLong();
  private final AtomicLong scans = new AtomicLong();

  @Test
  void readersSeeWholeAndPresentValues() throws Exception {
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(HEAP_BYTES), 2)) {
      List<TorturedTable> tables = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        tables.add(new TorturedTable(heap, i, i * 1_000_003L, WIDE)); // two of one stripe
      }
      List<Callable<?>> work = new ArrayList<>();
      tables.forEach(table -> work.add(repeat(table::write)));
      for (int i = 0; i < 3; i++) {
        TorturedTable often = tables.get(i);
        work.add(repeat(() -> hits.addAndGet(often.read())));
        work.add(repeat(() -> reads.addAndGet(often.readSome())));
      }
      tables.forEach(table -> work.add(repeat(() -> scans.addAndGet(table.scan()))));
      tables.forEach(table -> work.add(repeat(table::sample)));
      run(work, SECONDS);
      tables.forEach(TorturedTable::close);
      heap.trim();
      assertThat(heap.epochs().guards()).isZero();
      assertThat(heap.blocks()).isEqualTo(new SlabReport(0, 0, 0, 0, 0));
      long refused = tables.stream().mapToLong(TorturedTable::refused).sum();
      long written = tables.stream().mapToLong(TorturedTable::written).sum();
      System.out.printf(
          "written=%d refused=%d hits=%d read=%d scans=%d%n",
          written, refused, hits.get(), reads.get(), scans.get());
      assertThat(refused).as("writes that ran out of memory").isPositive();
      assertThat(hits).as("reads that found something").hasPositiveValue();
      assertThat(tables).allSatisfy(table -> assertThat(table.spilled()).isZero());
      assertThat(tables.stream().mapToLong(TorturedTable::stubs).sum())
          .as("stubs that readers found")
          .isPositive();
      assertThat(scans).as("scans during which nothing was cleared").hasPositiveValue();
    }
  }

  /** A small table whose records hardly rest, and readers that look for little else. */
  @Test
  void readersMissNothingThatMoves() throws Exception {
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(HEAP_BYTES), 1)) {
      TorturedTable table = new TorturedTable(heap, 0, 7, NARROW);
      List<Callable<?>> work = new ArrayList<>();
      work.add(repeat(table::write));
      for (int i = 0; i < 2; i++) {
        work.add(repeat(() -> hits.addAndGet(table.readStayers())));
      }
      run(work, Math.max(3, SECONDS / 2));
      table.close();
      heap.trim();
      assertThat(heap.blocks()).isEqualTo(new SlabReport(0, 0, 0, 0, 0));
      System.out.printf("written=%d hits=%d%n", table.written(), hits.get());
      assertThat(hits).hasPositiveValue();
    }
  }

  private Callable<?> repeat(Runnable action) {
    return () -> {
      while (!stop.get()) {
        action.run();
      }
      return null;
    };
  }

  private void run(List<Callable<?>> work, int seconds) throws Exception {
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    try (ExecutorService executor = Executors.newThreadPerTaskExecutor(Thread::new)) {
      List<Future<?>> done = new ArrayList<>();
      for (Callable<?> each : work) {
        done.add(
            executor.submit(
                () -> {
                  try {
                    each.call();
                  } catch (Throwable t) {
                    failures.add(t);
                    stop.set(true);
                  }
                }));
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      while (!stop.get() && System.nanoTime() < end) {
        Thread.sleep(20);
      }
      stop.set(true);
      for (Future<?> future : done) {
        future.get();
      }
    }
    if (!failures.isEmpty()) {
      AssertionError failed = new AssertionError(failures.size() + " threads failed");
      failures.forEach(failed::addSuppressed);
      throw failed;
    }
  }
}
