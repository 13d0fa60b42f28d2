package io.keyvalueserve.memory;

import static io.keyvalueserve.memory.Heaps.PAGE;
import static io.keyvalueserve.memory.Heaps.assertNothingOutstanding;
import static io.keyvalueserve.memory.Heaps.dram;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageHeapTest {

  @Test
  void takesAlignedPagesAndKnowsItsOwn() {
    try (PageHeap heap = PageHeap.open(HeapConfig.dram(16 * PAGE))) {
      long one = heap.acquire(1);
      long run = heap.acquire(3);
      assertThat(one % PAGE).isZero();
      assertThat(heap.contains(one)).isTrue();
      assertThat(heap.contains(run + 3 * PAGE - 1)).isTrue();
      assertThat(heap.contains(0)).isFalse();
      assertThat(heap.contains(-1)).isFalse();
      assertThat(heap.contains(one + 16 * PAGE)).isFalse();
      Heaps.write(run, 3, 7);
      Heaps.assertWritten(run, 3, 7);
      assertThat(Heaps.used(heap)).isEqualTo(4 * PAGE);
      heap.release(run, 3);
      heap.release(one, 1);
      assertNothingOutstanding(heap);
    }
  }

  @Test
  void roundsCapacityDownToWholePages() {
    try (PageHeap heap = PageHeap.open(HeapConfig.dram(3 * PAGE + PAGE / 2))) {
      assertThat(Heaps.pool(heap, "dram").capacityBytes()).isEqualTo(3 * PAGE);
    }
  }

  @Test
  void fallsBackFromPoolToPoolAndFromTierToTier(@TempDir Path directory) {
    HeapConfig config =
        new HeapConfig(
            List.of(
                new TierConfig("fast", Placement.ROUND_ROBIN, List.of(dram("a", 2), dram("b", 4))),
                new TierConfig(
                    "slow",
                    Placement.ROUND_ROBIN,
                    List.of(
                        new PoolConfig("c", new Source.Directory(directory), 3 * PAGE, false)))));
    try (PageHeap heap = PageHeap.open(config)) {
      List<Long> pages = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        pages.add(heap.acquire(1));
      }
      assertThat(Heaps.pool(heap, "a").usedBytes()).isEqualTo(2 * PAGE);
      assertThat(Heaps.pool(heap, "b").usedBytes()).isEqualTo(4 * PAGE);
      assertThat(Heaps.pool(heap, "c").usedBytes()).isZero();
      pages.add(heap.acquire(1));
      assertThat(Heaps.pool(heap, "c").usedBytes()).isEqualTo(PAGE);
      // The fast tier serves again as soon as it can.
      heap.release(pages.removeFirst(), 1);
      pages.add(heap.acquire(1));
      assertThat(Heaps.pool(heap, "c").usedBytes()).isEqualTo(PAGE);
      pages.forEach(page -> heap.release(page, 1));
      assertNothingOutstanding(heap);
    }
  }

  @Test
  void takesPoolsInTurns() {
    HeapConfig config = HeapConfig.of(dram("a", 8), dram("b", 8), dram("c", 8));
    try (PageHeap heap = PageHeap.open(config)) {
      List<Long> pages = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        pages.add(heap.acquire(1));
      }
      for (String pool : List.of("a", "b", "c")) {
        assertThat(Heaps.pool(heap, pool).usedBytes()).isEqualTo(3 * PAGE);
      }
      pages.forEach(page -> heap.release(page, 1));
      assertNothingOutstanding(heap);
    }
  }

  @Test
  void tellsWhatWasAskedAndWhatThereIsWhenFull() {
    HeapConfig config =
        new HeapConfig(
            List.of(
                new TierConfig("fast", Placement.ROUND_ROBIN, List.of(dram("a", 2))),
                new TierConfig("slow", Placement.ROUND_ROBIN, List.of(dram("b", 4)))));
    try (PageHeap heap = PageHeap.open(config)) {
      long[] pages = {heap.acquire(1), heap.acquire(1), heap.acquire(1), heap.acquire(1)};
      List<TierReport> before = heap.report();
      OutOfNativeMemoryException full =
          catchThrowableOfType(OutOfNativeMemoryException.class, () -> heap.acquire(3));
      assertThat(full.askedBytes()).isEqualTo(3 * PAGE);
      assertThat(full)
          .hasMessage(
              "out of native memory: asked=196608 bytes in one run;"
                  + " tier 'fast': pool 'a' (dram) capacity=131072 used=131072 largestFreeRun=0;"
                  + " tier 'slow': pool 'b' (dram) capacity=262144 used=131072"
                  + " largestFreeRun=131072; give the heap more memory, or store less");
      assertThat(full.getStackTrace().length > 0).as("a stack trace").isEqualTo(Memory.CHECKED);
      assertThat(heap.report()).isEqualTo(before);
      for (long page : pages) {
        heap.release(page, 1);
      }
      assertNothingOutstanding(heap);
    }
  }

  /** Another member may be told of it: Hazelcast sends exceptions as Java objects. */
  @Test
  void keepsItsMessageWhenSentToAnotherMember() throws Exception {
    try (PageHeap heap = PageHeap.open(HeapConfig.dram(PAGE))) {
      OutOfNativeMemoryException full =
          catchThrowableOfType(OutOfNativeMemoryException.class, () -> heap.acquire(2));
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(full);
      }
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        assertThat((Throwable) in.readObject()).hasMessage(full.getMessage());
      }
    }
  }

  @Test
  void staysConsistentWhenFilledToTheLastPageAgainAndAgain() {
    try (PageHeap heap = PageHeap.open(HeapConfig.of(dram("a", 130), dram("b", 61)))) {
      for (int round = 0; round < 3; round++) {
        Set<Long> pages = new HashSet<>();
        for (int i = 0; i < 191; i++) {
          assertThat(pages.add(heap.acquire(1))).isTrue();
        }
        for (int i = 0; i < 1000; i++) {
          assertThatThrownBy(() -> heap.acquire(1)).isInstanceOf(OutOfNativeMemoryException.class);
        }
        pages.forEach(page -> heap.release(page, 1));
        assertNothingOutstanding(heap);
        heap.release(heap.acquire(130), 130);
      }
    }
  }

  @Test
  void refusesForeignMisalignedAndFreePages() {
    try (PageHeap heap = PageHeap.open(HeapConfig.dram(4 * PAGE))) {
      long page = heap.acquire(1);
      assertThatThrownBy(() -> heap.release(page + 8, 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> heap.release(page, 0)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> heap.release(page, 5)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> heap.release(64 * PAGE, 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> heap.release(page, 2))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("nobody holds");
      assertThatThrownBy(() -> heap.acquire(0)).isInstanceOf(IllegalArgumentException.class);
      heap.release(page, 1);
      assertThatThrownBy(() -> heap.release(page, 1)).isInstanceOf(IllegalStateException.class);
      assertNothingOutstanding(heap);
    }
  }

  @Test
  void refusesEverythingButClosingOnceClosed() {
    PageHeap heap = PageHeap.open(HeapConfig.dram(4 * PAGE));
    long page = heap.acquire(1);
    heap.release(page, 1);
    heap.close();
    heap.close();
    assertThatThrownBy(() -> heap.acquire(1)).hasMessageContaining("closed");
    assertThatThrownBy(() -> heap.release(page, 1)).hasMessageContaining("closed");
    assertThatThrownBy(heap::returnToOs).hasMessageContaining("closed");
  }

  @Test
  void closesWhatItOpenedWhenLaterPoolFails(@TempDir Path directory) {
    HeapConfig config =
        HeapConfig.of(
            new PoolConfig("a", new Source.Directory(directory), PAGE, false),
            new PoolConfig("b", new Source.Directory(directory.resolve("absent")), PAGE, false));
    assertThatThrownBy(() -> PageHeap.open(config)).isInstanceOf(MemorySourceException.class);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void measuresExternalFragmentation() {
    try (PageHeap heap = PageHeap.open(HeapConfig.dram(8 * PAGE))) {
      long[] pages = new long[8];
      for (int i = 0; i < 8; i++) {
        pages[i] = heap.acquire(1);
      }
      assertThat(Heaps.pool(heap, "dram").externalFragmentation()).isZero();
      for (int i = 0; i < 8; i += 2) {
        heap.release(pages[i], 1);
      }
      assertThat(Heaps.pool(heap, "dram").externalFragmentation()).isEqualTo(0.75);
      for (int i = 1; i < 8; i += 2) {
        heap.release(pages[i], 1);
      }
      assertThat(Heaps.pool(heap, "dram").externalFragmentation()).isZero();
      assertNothingOutstanding(heap);
    }
  }

  @Test
  void givesEmptyPagesBackToTheOperatingSystem() {
    try (PageHeap heap = PageHeap.open(HeapConfig.dram(1024 * PAGE))) {
      long kept = heap.acquire(1);
      long run = heap.acquire(700);
      long last = heap.acquire(3);
      Extent mapped = new Extent(kept, 1024 * PAGE);
      Heaps.write(kept, 1, 1);
      Heaps.write(run, 700, 2);
      Heaps.write(last, 3, 3);
      long before = Smaps.bytes(mapped, "Rss");
      heap.release(run, 700);
      assertThat(heap.returnToOs()).isEqualTo(700 * PAGE);
      assertThat(heap.returnToOs()).isZero();
      PoolReport pool = Heaps.pool(heap, "dram");
      assertThat(pool.residentBytes()).isEqualTo(4 * PAGE);
      assertThat(pool.returnedBytes()).isEqualTo(700 * PAGE);
      // Two small pages of each were written.
      assertThat(before - Smaps.bytes(mapped, "Rss")).isGreaterThanOrEqualTo(700 * 2 * 4096);
      Heaps.assertWritten(kept, 1, 1);
      Heaps.assertWritten(last, 3, 3);
      // What went back can be used again.
      long again = heap.acquire(700);
      Heaps.write(again, 700, 4);
      Heaps.assertWritten(again, 700, 4);
      heap.release(again, 700);
      heap.release(kept, 1);
      heap.release(last, 3);
      assertNothingOutstanding(heap);
    }
  }

  @Test
  void touchesEveryPageAtOpenWhenAskedTo() {
    HeapConfig config = HeapConfig.of(new PoolConfig("warm", new Source.Dram(), 100 * PAGE, true));
    try (PageHeap heap = PageHeap.open(config)) {
      assertThat(Heaps.pool(heap, "warm").residentBytes()).isEqualTo(100 * PAGE);
      long page = heap.acquire(100);
      assertThat(Smaps.bytes(new Extent(page, 100 * PAGE), "Rss"))
          .isGreaterThanOrEqualTo(100 * PAGE);
      heap.release(page, 100);
      assertThat(heap.returnToOs()).isEqualTo(100 * PAGE);
      assertNothingOutstanding(heap);
    }
  }

  @Test
  void touchesByHandWhereTheKernelCannot() throws Exception {
    Extent extent = Mappings.anonymous(16 * PAGE, PAGE);
    Mappings.touchByHand(extent);
    assertThat(Smaps.bytes(extent, "Rss")).isGreaterThanOrEqualTo(16 * PAGE);
    Mappings.unmap(extent);
  }

  /** Eight threads write their own number into what they hold, and find it there afterwards. */
  @Test
  void neverGivesOnePageToTwoThreads(@TempDir Path directory) throws Exception {
    HeapConfig config =
        HeapConfig.of(
            dram("a", 200),
            new PoolConfig("b", new Source.Directory(directory), 100 * PAGE, false));
    Set<Throwable> refused = ConcurrentHashMap.newKeySet();
    try (PageHeap heap = PageHeap.open(config);
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 1; thread <= 8; thread++) {
        long number = thread;
        running.add(threads.submit(() -> useAtRandom(heap, number, refused)));
      }
      for (int i = 0; i < 20; i++) {
        heap.returnToOs();
        heap.report();
      }
      for (Future<?> thread : running) {
        thread.get();
      }
      assertThat(refused).as("times the heap was full").isNotEmpty();
      assertNothingOutstanding(heap);
    }
  }

  private static void useAtRandom(PageHeap heap, long number, Set<Throwable> refused) {
    record Run(long address, int pages) {}
    Random random = new Random(number);
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      if (runs.isEmpty() || random.nextInt(10) < 6) {
        int pages = random.nextInt(3) == 0 ? 1 + random.nextInt(20) : 1;
        try {
          Run run = new Run(heap.acquire(pages), pages);
          Heaps.write(run.address(), pages, number);
          runs.add(run);
        } catch (OutOfNativeMemoryException e) {
          refused.add(e);
          if (!runs.isEmpty()) {
            Run run = runs.removeLast();
            Heaps.assertWritten(run.address(), run.pages(), number);
            heap.release(run.address(), run.pages());
          }
        }
      } else {
        Run run = runs.remove(random.nextInt(runs.size()));
        Heaps.assertWritten(run.address(), run.pages(), number);
        heap.release(run.address(), run.pages());
      }
    }
    for (Run run : runs) {
      heap.release(run.address(), run.pages());
    }
  }
}
