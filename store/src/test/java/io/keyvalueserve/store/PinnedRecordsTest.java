package io.keyvalueserve.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.Pin;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Goal: a pinned record stays as it was when it was pinned, whatever becomes of its entry and of
 * its table, and its memory comes back in the end. Method: random changes between pinning and
 * releasing.
 */
class PinnedRecordsTest {
  private static final int KEYS = 12;
  private static final int STEPS = 400;

  private record Pinned(Pin pin, long value, byte[] expected) {
    void check() {
      byte[] now = new byte[expected.length];
      Memory.copy(value, now, 0, now.length);
      assertThat(now).isEqualTo(expected);
    }
  }

  @Property(tries = 40)
  void whatIsPinnedStays(@ForAll long seed) {
    Random random = new Random(seed);
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 1)) {
      List<Pinned> pinned = new ArrayList<>();
      try (Table table = new Table(heap, 0, seed)) {
        for (int i = 0; i < STEPS; i++) {
          step(table, pinned, random);
        }
      }
      pinned.forEach(Pinned::check);
      pinned.forEach(each -> each.pin().release());
      assertThat(heap.pins()).isZero();
      heap.trim();
      assertThat(heap.usedBytes()).isZero();
    }
  }

  private static void step(Table table, List<Pinned> pinned, Random random) {
    byte[] key = {(byte) random.nextInt(KEYS)};
    long record = table.find(key, 0, 1, 0);
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> {
        byte[] value = new byte[random.nextInt(5_000)];
        random.nextBytes(value);
        long _ = table.put(key, 0, 1, 0, 0, value, 0, value.length, 0, new Attributes());
      }
      case 4 -> {
        if (record != 0) {
          assertThat(table.remove(record)).isTrue();
        }
      }
      case 5 -> {
        if (record != 0) {
          long _ = table.relocate(record);
        }
      }
      case 6 -> {
        if (random.nextInt(20) == 0) {
          table.clear();
        }
      }
      case 7, 8 -> {
        if (!pinned.isEmpty()) {
          Pinned one = pinned.remove(random.nextInt(pinned.size()));
          one.check();
          one.pin().release();
        }
      }
      default -> {
        if (record != 0) {
          byte[] value = new byte[Records.valueLength(record)];
          Records.copyValue(record, value, 0);
          pinned.add(new Pinned(table.pin(record), Records.valueAddress(record), value));
        }
      }
    }
  }

  /** Records that were pinned and are nobody's any more are forgotten, as long as they live. */
  @Property(tries = 5)
  void pinsThatWereReleasedCostNothing(@ForAll long seed) {
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 1);
        Table table = new Table(heap, 0, seed)) {
      byte[] value = new byte[100];
      for (int i = 0; i < 10_000; i++) {
        byte[] key = {(byte) (i >>> 8), (byte) i};
        long record = table.put(key, 0, 2, 0, 0, value, 0, value.length, 0, new Attributes());
        table.pin(record).release();
        assertThat(table.pinnedRecords()).isLessThanOrEqualTo(32);
      }
    }
  }
}
