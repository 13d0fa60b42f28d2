package io.keyvalueserve.maps;

import com.hazelcast.map.IMap;
import io.keyvalueserve.grid.space.TestGrid;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What an entry leaves on the Java heap, and what it takes off it: coarsely, as a garbage
 * collection tells. Not a test; run {@code main}, with the number of entries if not a million.
 */
public final class HeapPerEntryBench {
  private static final int ENTRIES = 1_000_000;
  private static final int BATCH = 10_000;
  private static final int VALUE_BYTES = 100;
  private static final long MEMORY_BYTES = 2L << 30;
  private static final int PARTITIONS = 271;

  private HeapPerEntryBench() {}

  /** Fills a plain map and one whose entries expire, and prints bytes per entry. */
  public static void main(String[] args) throws InterruptedException {
    int count = args.length > 0 ? Integer.parseInt(args[0]) : ENTRIES;
    try (TestGrid grid = new TestGrid(1, PARTITIONS, config -> {}, MEMORY_BYTES)) {
      measure(grid, "plain", count, false);
      measure(grid, "expiring", count, true);
    }
  }

  private static void measure(TestGrid grid, String name, int count, boolean expiring)
      throws InterruptedException {
    IMap<String, byte[]> map = grid.member(0).getMap(name);
    int _ = map.size();
    long heapBefore = heap();
    long nativeBefore = grid.maps(0).usedBytes();
    for (int begin = 0; begin < count; begin += BATCH) {
      Map<String, byte[]> batch = HashMap.newHashMap(BATCH);
      for (int i = begin; i < begin + BATCH; i++) {
        batch.put("key-%012d".formatted(i), new byte[VALUE_BYTES]);
      }
      if (expiring) {
        batch.forEach((key, value) -> map.set(key, value, 1, TimeUnit.HOURS));
      } else {
        map.putAll(batch);
      }
    }
    double entries = map.size();
    System.out.printf(
        "%s: %.0f entries, heap %.2f B an entry, off the heap %.1f B an entry, of these data %d%n",
        name,
        entries,
        (heap() - heapBefore) / entries,
        (grid.maps(0).usedBytes() - nativeBefore) / entries,
        "key-%012d".formatted(0).length() + VALUE_BYTES);
  }

  private static long heap() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(200);
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
