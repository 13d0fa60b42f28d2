package io.keyvalueserve.maps.index;

import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import com.sun.management.OperatingSystemMXBean;
import io.keyvalueserve.grid.space.TestGrid;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * What indexes cost: bytes on and off the Java heap for each entry, and the processor time of
 * updates and lookups, all of Hazelcast included, of a map with none, one, and two indexes. Run its
 * main method; arguments: entries, memory for maps in MiB. Not with {@code -Dkvs.memory.checks}.
 */
final class IndexFootprint {
  private static final int BATCH = 1_000;
  private static final int LOOKUPS = 20_000;
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private IndexFootprint() {}

  /** A value of about a hundred bytes, with what is indexed. */
  record Item(int number, String city, String rest) implements Serializable {}

  public static void main(String[] args) {
    int entries = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    long memory = (args.length > 1 ? Long.parseLong(args[1]) : 2_048) << 20;
    for (int indexes = 0; indexes <= 2; indexes++) {
      try (TestGrid grid = new TestGrid(1, 271, config -> {}, memory)) {
        measure(grid, entries, indexes);
      }
    }
  }

  private static void measure(TestGrid grid, int entries, int indexes) {
    HazelcastInstance member = grid.member(0);
    IMap<String, Item> map = member.getMap("items");
    if (indexes > 0) {
      map.addIndex(new IndexConfig(IndexType.SORTED, "number"));
    }
    if (indexes > 1) {
      map.addIndex(new IndexConfig(IndexType.HASH, "city"));
    }
    fill(map, 0, BATCH, 0);
    long heapBefore = heapBytes();
    long nativeBefore = grid.maps(0).usedBytes();
    long begin = cpuNanos();
    fill(map, 0, entries, 0);
    double fill = nanos(begin, entries);
    double heap = (double) (heapBytes() - heapBefore) / entries;
    double off = (double) (grid.maps(0).usedBytes() - nativeBefore) / entries;
    begin = cpuNanos();
    fill(map, 0, entries, 0);
    double unchanged = nanos(begin, entries);
    begin = cpuNanos();
    fill(map, 0, entries, 7);
    double changed = nanos(begin, entries);
    System.out.printf(
        "%d indexes: heap %.1f B, off the heap %.1f B for each entry; CPU of setAll, new entries"
            + " %.0f ns, the same %.0f ns, changed attributes %.0f ns each%n",
        indexes, heap, off, fill, unchanged, changed);
    lookups(map, entries, indexes);
    System.out.printf(
        "   heap for each entry afterwards %.1f B%n",
        (double) (heapBytes() - heapBefore) / entries);
  }

  private static void lookups(IMap<String, Item> map, int entries, int indexes) {
    Random random = new Random(1);
    long found = 0;
    for (int round = 0; round < 3 && indexes > 0; round++) {
      long begin = cpuNanos();
      for (int i = 0; i < LOOKUPS; i++) {
        found += map.keySet(Predicates.equal("number", random.nextInt(entries))).size();
      }
      double equal = nanos(begin, LOOKUPS);
      begin = cpuNanos();
      for (int i = 0; i < LOOKUPS / 100; i++) {
        int from = random.nextInt(entries - 1_000);
        found += map.keySet(Predicates.between("number", from, from + 999)).size();
      }
      System.out.printf(
          "   CPU of equal %.1f us a query, between %.2f us an entry (%d)%n",
          equal / 1_000, nanos(begin, LOOKUPS / 100) / 1_000 / 1_000, found);
    }
  }

  private static void fill(IMap<String, Item> map, int from, int to, int shift) {
    Map<String, Item> batch = HashMap.newHashMap(BATCH);
    for (int i = from; i < to; i++) {
      batch.put(
          "key-%012d".formatted(i),
          new Item(
              (int) ((i + shift) * 0x9E3779B9L % to),
              "city-" + (i + shift) % 1_000,
              "x".repeat(40)));
      if (batch.size() == BATCH) {
        map.setAll(batch);
        batch.clear();
      }
    }
    map.setAll(batch);
  }

  /** The processor time of this process, so that others on the machine do not count. */
  private static long cpuNanos() {
    return PROCESS.getProcessCpuTime();
  }

  private static double nanos(long begin, int count) {
    return (double) (cpuNanos() - begin) / count;
  }

  private static long heapBytes() {
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
