package io.keyvalueserve.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.memory.Bytes;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: readers see whole commits, whatever the writer does. Method: every number stands twice in
 * the tree, under its own place and mirrored, and moves in one commit; readers walk all of it, up
 * or down, and find both halves of each, while the writer moves numbers, clears, and starts again.
 */
class ByteTreeStressTest {
  private static final long RUN_NANOS = 3_000_000_000L;
  private static final int NUMBERS = 3_000;

  @Test
  void readersSeeWholeCommits() throws InterruptedException {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    AtomicBoolean stop = new AtomicBoolean();
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(256 << 20), 2)) {
      ByteTree tree = new ByteTree(heap, 0);
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        boolean up = i % 2 == 0;
        Thread reader =
            new Thread(
                () -> {
                  try {
                    while (!stop.get()) {
                      read(heap, tree, up);
                    }
                  } catch (Throwable t) {
                    failure.set(t);
                  }
                });
        reader.start();
        readers.add(reader);
      }
      Random random = new Random(5);
      long end = System.nanoTime() + RUN_NANOS;
      boolean[] there = new boolean[NUMBERS];
      while (System.nanoTime() < end && failure.get() == null) {
        for (int i = 0; i < 1_000; i++) {
          int number = random.nextInt(NUMBERS);
          for (int half = 0; half < 2; half++) {
            byte[] key = key(number, half);
            assertThat(there[number] ? tree.remove(key, 0, 12) : tree.add(key, 0, 12)).isTrue();
          }
          tree.commit();
          there[number] = !there[number];
        }
        if (random.nextInt(20) == 0) {
          tree.clear();
          there = new boolean[NUMBERS];
        }
      }
      stop.set(true);
      for (Thread reader : readers) {
        reader.join();
      }
      assertThat(failure.get()).isNull();
      tree.close();
      ByteTreeModelTest.assertNothingLeft(heap, tree);
    }
  }

  private static void read(NativeHeap heap, ByteTree tree, boolean up) {
    int guard = heap.epochs().enter();
    try {
      int[] seen = new int[NUMBERS];
      TreeCursor cursor = new TreeCursor().open(tree);
      byte[] start = key(up ? 0 : Integer.MAX_VALUE, up ? 0 : 255);
      long last = up ? Long.MIN_VALUE : Long.MAX_VALUE;
      boolean there = up ? cursor.seek(start, 0, 12) : cursor.seekBefore(start, 0, 12);
      while (there) {
        long place = Long.reverseBytes(Bytes.getLong(cursor.array(), cursor.offset()));
        if (up ? place <= last : place >= last) {
          throw new AssertionError("out of order");
        }
        last = place;
        seen[Integer.reverseBytes(Bytes.getInt(cursor.array(), cursor.offset() + 8))]++;
        there = up ? cursor.next() : cursor.previous();
      }
      for (int number = 0; number < NUMBERS; number++) {
        if (seen[number] == 1) {
          throw new AssertionError("half a commit: number=" + number);
        }
      }
    } finally {
      heap.epochs().exit(guard);
    }
  }

  private static byte[] key(int number, int half) {
    int place = half == 0 ? number : NUMBERS - number;
    return ByteBuffer.allocate(12)
        .order(ByteOrder.BIG_ENDIAN)
        .putInt(place)
        .putInt(half)
        .putInt(number)
        .array();
  }
}
