package io.keyvalueserve.maps.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.store.TreeCursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Goal: what an entry was indexed under is found, even if memory ran out meanwhile. Method: random
 * changes against Java's own set, while others take all memory and give it back.
 */
class IndexStripeTest {
  private static final int HOG_BYTES = 64 << 10;

  @Test
  void losesNothingWhileMemoryIsOut() {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(4 << 20), 1)) {
      IndexStripe stripe = new IndexStripe(heap, 0, 1);
      NavigableSet<byte[]> model = new TreeSet<>(Arrays::compareUnsigned);
      List<Long> hogs = new ArrayList<>();
      boolean wasShort = false;
      for (int round = 0; round < 60; round++) {
        if (round % 3 == 1) {
          takeAll(heap, hogs);
        } else if (round % 3 == 0) {
          giveBack(heap, hogs);
        }
        for (int i = 0; i < 200; i++) {
          step(stripe, model, random);
        }
        wasShort |= stripe.pending() > 0;
        same(heap, stripe, model, random, "seed=" + seed + " round=" + round);
      }
      giveBack(heap, hogs);
      stripe.settle();
      assertThat(stripe.pending()).isZero();
      same(heap, stripe, model, random, "seed=" + seed);
      assertThat(wasShort).describedAs("seed=%d", seed).isTrue();
      stripe.clear();
      heap.trim();
      assertThat(heap.usedBytes()).isZero();
    }
  }

  private static void step(IndexStripe stripe, NavigableSet<byte[]> model, Random random) {
    byte[] from = key(random);
    byte[] to = key(random);
    int before = model.size();
    switch (random.nextInt(4)) {
      case 0 -> {
        stripe.add(to, to.length);
        assertThat(stripe.added()).isEqualTo(model.add(to) ? 1 : 0);
      }
      case 1 -> {
        stripe.remove(from, from.length);
        assertThat(stripe.removed()).isEqualTo(model.remove(from) ? 1 : 0);
      }
      case 2 -> {
        if (!Arrays.equals(from, to)) {
          stripe.move(from, from.length, to, to.length);
          assertThat(stripe.removed()).isEqualTo(model.remove(from) ? 1 : 0);
          assertThat(stripe.added()).isEqualTo(model.add(to) ? 1 : 0);
        }
      }
      default -> {
        if (!Arrays.equals(from, to)) {
          stripe.change(List.of(from), List.of(to));
          boolean _ = model.remove(from);
          boolean _ = model.add(to);
        }
      }
    }
    assertThat(model.size() - before).isBetween(-1, 1);
  }

  private static byte[] key(Random random) {
    byte[] key = new byte[60];
    key[0] = (byte) random.nextInt(4);
    key[59] = (byte) random.nextInt(200);
    return key;
  }

  private static void same(
      NativeHeap heap, IndexStripe stripe, NavigableSet<byte[]> model, Random random, String what) {
    int guard = heap.epochs().enter();
    try {
      byte[] from = random.nextBoolean() ? new byte[0] : key(random);
      byte[] before = random.nextBoolean() ? new byte[] {-1} : key(random);
      for (boolean descending : new boolean[] {false, true}) {
        List<byte[]> found = new ArrayList<>();
        stripe
            .view(new TreeCursor())
            .scan(
                from,
                before,
                descending,
                (array, offset, length) ->
                    found.add(Arrays.copyOfRange(array, offset, offset + length)));
        NavigableSet<byte[]> expected =
            Arrays.compareUnsigned(from, before) < 0
                ? model.subSet(from, true, before, false)
                : new TreeSet<>(Arrays::compareUnsigned);
        assertThat(texts(found))
            .describedAs(what)
            .isEqualTo(texts(descending ? expected.descendingSet() : expected));
      }
    } finally {
      heap.epochs().exit(guard);
    }
  }

  private static List<String> texts(Collection<byte[]> strings) {
    return strings.stream().map(Arrays::toString).toList();
  }

  private static void takeAll(NativeHeap heap, List<Long> hogs) {
    int bytes = HOG_BYTES;
    while (bytes >= 64) {
      try {
        hogs.add((long) bytes);
        hogs.add(heap.allocate(0, bytes));
      } catch (OutOfNativeMemoryException e) {
        hogs.removeLast();
        bytes -= 8 + bytes / 16;
      }
    }
  }

  private static void giveBack(NativeHeap heap, List<Long> hogs) {
    for (int i = 0; i < hogs.size(); i += 2) {
      heap.free(0, hogs.get(i + 1), hogs.get(i).intValue());
    }
    hogs.clear();
  }
}
