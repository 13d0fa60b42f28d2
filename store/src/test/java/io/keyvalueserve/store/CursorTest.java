package io.keyvalueserve.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Goal: a scan from 0 to the end visits what stays exactly once, whatever happens between its
 * pages, and goes on in another table of the same seed as if it were the same. Method: random
 * growth, shrinking, replacing and clearing between pages.
 */
class CursorTest {
  private static final byte[] VALUE = new byte[10];
  private static final int FIRST_PASSER = 1 << 20;

  @Property(tries = 60)
  void whatStaysIsVisitedOnce(@ForAll long seed) {
    Random random = new Random(seed);
    int stayers = random.nextInt(400);
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 2);
        Table here = new Table(heap, 0, seed);
        Table there = new Table(heap, 1, seed)) {
      for (int i = 0; i < stayers; i++) {
        put(here, i);
        put(there, i);
      }
      Table[] tables = {here, there};
      List<NavigableSet<Integer>> passers = List.of(new TreeSet<>(), new TreeSet<>());
      Map<Integer, Integer> seen = new HashMap<>();
      long before = 0;
      for (long cursor = 0; cursor != Table.END; ) {
        int at = random.nextInt(4) == 0 ? 1 : 0;
        long from = cursor;
        Table table = tables[at];
        RecordVisitor visitor =
            record -> {
              assertThat(table.position(record)).isGreaterThanOrEqualTo(from);
              int key = key(record);
              if (key < FIRST_PASSER) {
                seen.merge(key, 1, Integer::sum);
              }
            };
        cursor =
            random.nextBoolean()
                ? table.scan(cursor, visitor)
                : table.scanMany(cursor, 1 + random.nextInt(100), visitor);
        assertThat(cursor == Table.END ? 1L << 32 : cursor).isGreaterThan(before);
        before = cursor;
        for (int i = 0; i < 2; i++) {
          churn(tables[i], passers.get(i), random);
          if (stayers > 0) {
            put(tables[i], random.nextInt(stayers)); // another record, the same key and place
          }
        }
      }
      assertThat(seen).hasSize(stayers);
      assertThat(seen.values()).allMatch(times -> times == 1);
    }
  }

  private static void churn(Table table, NavigableSet<Integer> passing, Random random) {
    boolean grow = random.nextBoolean();
    for (int i = random.nextInt(1 << random.nextInt(9)); i > 0; i--) {
      int key = FIRST_PASSER + random.nextInt(3_000);
      if (grow) {
        put(table, key);
        passing.add(key);
      } else if (!passing.isEmpty()) {
        int last = Objects.requireNonNull(passing.pollLast());
        assertThat(table.remove(find(table, last))).isTrue();
      }
    }
  }

  @Property(tries = 50)
  void positionsAreThoseOfTheOrder(@ForAll long seed, @ForAll byte[] key) {
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 1);
        Table table = new Table(heap, 0, seed)) {
      for (int i = 0; i < 200; i++) {
        put(table, i);
      }
      long record =
          table.put(key, 0, key.length, 2, 0, VALUE, 0, VALUE.length, 1, new Attributes());
      long position = table.position(key, 0, key.length, 2);
      assertThat(table.position(record)).isEqualTo(position);
      boolean[] found = {false};
      table.scan(position, at -> found[0] |= at == record);
      assertThat(found[0]).isTrue();
      for (long cursor = position + 1; cursor <= 0xFFFF_FFFFL && cursor != Table.END; ) {
        cursor = table.scan(cursor, at -> assertThat(at).isNotEqualTo(record));
      }
    }
  }

  private static void put(Table table, int key) {
    byte[] bytes = bytes(key);
    table.put(bytes, 0, bytes.length, 1, 0, VALUE, 0, VALUE.length, 1, new Attributes());
  }

  private static long find(Table table, int key) {
    byte[] bytes = bytes(key);
    return table.find(bytes, 0, bytes.length, 1);
  }

  private static byte[] bytes(int key) {
    return new byte[] {(byte) key, (byte) (key >>> 8), (byte) (key >>> 16), (byte) (key >>> 24)};
  }

  private static int key(long record) {
    byte[] bytes = new byte[4];
    Records.copyKey(record, bytes, 0);
    return (bytes[0] & 255)
        | (bytes[1] & 255) << 8
        | (bytes[2] & 255) << 16
        | (bytes[3] & 255) << 24;
  }
}
