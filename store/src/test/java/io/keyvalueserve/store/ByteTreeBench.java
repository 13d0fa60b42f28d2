package io.keyvalueserve.store;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * What a tree costs: bytes for each string above its own, and the time to add, move, find, walk.
 * Run its main method; arguments: strings, trees.
 */
final class ByteTreeBench {
  private static final int BYTES = 22; // a number, and a key of 16 bytes

  private ByteTreeBench() {}

  public static void main(String[] args) {
    int strings = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    int trees = args.length > 1 ? Integer.parseInt(args[1]) : 16;
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(4L << 30), trees)) {
      ByteTree[] all = new ByteTree[trees];
      for (int i = 0; i < trees; i++) {
        all[i] = new ByteTree(heap, i);
      }
      for (int round = 0; round < 3; round++) {
        for (ByteTree tree : all) {
          tree.clear();
        }
        long begin = cpuNanos();
        for (int i = 0; i < strings; i++) {
          ByteTree tree = all[i % trees];
          boolean _ = tree.add(key(i, 0), 0, BYTES);
          tree.commit();
        }
        print("add", strings, begin);
      }
      heap.trim();
      System.out.printf(
          "bytes for each string above %d: nodes %.1f, blocks %.1f, pages %.1f%n",
          BYTES,
          (double) heap.blocks().requested() / strings - BYTES,
          (double) heap.blocks().blocks() / strings - BYTES,
          (double) heap.blocks().held() / strings - BYTES);
      SplittableRandom random = new SplittableRandom(1);
      int[] moved = new int[strings];
      for (int round = 0; round < 3; round++) {
        long begin = cpuNanos();
        for (int n = 0; n < strings; n++) {
          int i = random.nextInt(strings);
          ByteTree tree = all[i % trees];
          boolean _ = tree.remove(key(i, moved[i]), 0, BYTES);
          boolean _ = tree.add(key(i, ++moved[i]), 0, BYTES);
          tree.commit();
        }
        print("move", strings, begin);
      }
      TreeCursor cursor = new TreeCursor();
      long found = 0;
      for (int round = 0; round < 3; round++) {
        long begin = cpuNanos();
        for (int n = 0; n < strings; n++) {
          int i = random.nextInt(strings);
          byte[] key = key(i, moved[i]);
          int guard = heap.epochs().enter();
          found += cursor.open(all[i % trees]).seek(key, 0, 6) ? 1 : 0;
          heap.epochs().exit(guard);
        }
        print("find", strings, begin);
        begin = cpuNanos();
        int guard = heap.epochs().enter();
        for (ByteTree tree : all) {
          for (boolean there = cursor.open(tree).seek(new byte[0], 0, 0);
              there;
              there = cursor.next()) {
            found += cursor.length();
          }
        }
        heap.epochs().exit(guard);
        print("walk", strings, begin);
      }
      System.out.println(found);
    }
  }

  private static byte[] key(int i, int move) {
    int number = (i + move * 31) * 0x9E3779B9;
    return ByteBuffer.allocate(BYTES)
        .putShort((short) 1)
        .putInt(number)
        .putLong(0)
        .putLong(i)
        .array();
  }

  /** The processor time of this thread, so that others on the machine do not count. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static void print(String what, int count, long begin) {
    System.out.printf("%-6s %.0f ns%n", what, (double) (cpuNanos() - begin) / count);
  }
}
