package io.keyvalueserve.memory;

import static io.keyvalueserve.memory.Heaps.PAGE;
import static io.keyvalueserve.memory.Heaps.dram;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * A heap of two tiers over DRAM and two directories, against a sorted map of the runs that are
 * held: no two overlap, each keeps what was written into it, the figures add up, and everything is
 * back at the end.
 */
class PageHeapModelTest {

  @Property(tries = 60)
  void agreesWithMapOfRuns(@ForAll long seed) throws IOException {
    Path one = Files.createTempDirectory("kvs-model");
    Path two = Files.createTempDirectory("kvs-model");
    HeapConfig config =
        new HeapConfig(
            List.of(
                new TierConfig(
                    "fast",
                    Placement.LOCAL,
                    List.of(
                        dram("a", 70),
                        new PoolConfig("b", new Source.TransparentHugePages(), 33 * PAGE, false))),
                new TierConfig(
                    "mounts",
                    Placement.ROUND_ROBIN,
                    List.of(
                        new PoolConfig("c", new Source.Directory(one), 20 * PAGE, false),
                        new PoolConfig("d", new Source.Directory(two), 40 * PAGE, false)))));
    try (PageHeap heap = PageHeap.open(config)) {
      useAndCompare(heap, new Random(seed));
      Heaps.assertNothingOutstanding(heap);
    }
    Files.delete(one);
    Files.delete(two);
  }

  private static void useAndCompare(PageHeap heap, Random random) {
    NavigableMap<Long, Integer> held = new TreeMap<>();
    for (int i = 0; i < 500; i++) {
      int action = random.nextInt(100);
      if (held.isEmpty() || action < 55) {
        int pages = random.nextInt(3) == 0 ? 1 + random.nextInt(30) : 1;
        try {
          long address = heap.acquire(pages);
          assertFree(held, address, pages);
          Heaps.write(address, pages, address);
          held.put(address, pages);
        } catch (OutOfNativeMemoryException e) {
          assertThat(largestFreeRun(heap)).isLessThan(pages * PAGE);
        }
      } else if (action < 98) {
        List<Long> addresses = new ArrayList<>(held.keySet());
        long address = addresses.get(random.nextInt(addresses.size()));
        int pages = requireNonNull(held.remove(address));
        Heaps.assertWritten(address, pages, address);
        heap.release(address, pages);
      } else {
        heap.returnToOs();
      }
      long total = held.values().stream().mapToLong(pages -> pages * PAGE).sum();
      assertThat(Heaps.used(heap)).isEqualTo(total);
    }
    for (Map.Entry<Long, Integer> run : held.entrySet()) {
      Heaps.assertWritten(run.getKey(), run.getValue(), run.getKey());
      heap.release(run.getKey(), run.getValue());
    }
  }

  private static void assertFree(NavigableMap<Long, Integer> held, long address, int pages) {
    Map.Entry<Long, Integer> below = held.lowerEntry(address + pages * PAGE);
    if (below != null) {
      assertThat(below.getKey() + below.getValue() * PAGE).isLessThanOrEqualTo(address);
    }
  }

  private static long largestFreeRun(PageHeap heap) {
    return heap.report().stream()
        .flatMap(tier -> tier.pools().stream())
        .mapToLong(PoolReport::largestFreeRunBytes)
        .max()
        .orElseThrow();
  }
}
