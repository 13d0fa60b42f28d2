package io.keyvalueserve.store;

import io.keyvalueserve.memory.Bytes;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import java.util.SplittableRandom;

/**
 * What a table costs: bytes for each entry above its payload, and the time of a lookup with a copy
 * of the value, on one core. Run its main method; arguments: entries, tables.
 */
final class TableBench {
  private static final int KEY_BYTES = 16;
  private static final int VALUE_BYTES = 100;

  private TableBench() {}

  public static void main(String[] args) {
    int entries = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    int tables = args.length > 1 ? Integer.parseInt(args[1]) : 271;
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(8L << 30), 2)) {
      Table[] all = new Table[tables];
      for (int i = 0; i < tables; i++) {
        all[i] = new Table(heap, i, 42);
      }
      byte[] key = new byte[KEY_BYTES];
      byte[] value = new byte[VALUE_BYTES];
      Attributes attributes = new Attributes();
      for (int round = 0; round < 3; round++) {
        long begin = System.nanoTime();
        for (int i = 0; i < entries; i++) {
          int table = key(key, i, tables);
          all[table].put(key, 0, KEY_BYTES, 1, 0, value, 0, VALUE_BYTES, 1, attributes);
        }
        print("put", entries, begin);
      }
      heap.trim();
      System.out.printf(
          "bytes for each entry above %d: pages %.1f, blocks %.1f, requested %.1f%n",
          KEY_BYTES + VALUE_BYTES,
          (double) heap.blocks().held() / entries - KEY_BYTES - VALUE_BYTES,
          (double) heap.blocks().blocks() / entries - KEY_BYTES - VALUE_BYTES,
          (double) heap.blocks().requested() / entries - KEY_BYTES - VALUE_BYTES);
      SplittableRandom random = new SplittableRandom(1);
      long sum = 0;
      for (int round = 0; round < 5; round++) {
        long begin = System.nanoTime();
        for (int i = 0; i < entries; i++) {
          int table = key(key, random.nextInt(entries), tables);
          int guard = heap.epochs().enter();
          long record = all[table].find(key, 0, KEY_BYTES, 1);
          Records.copyValue(record, value, 0);
          heap.epochs().exit(guard);
          sum += value[0];
        }
        print("get, guarded", entries, begin);
      }
      System.out.println(sum);
    }
  }

  private static int key(byte[] key, int i, int tables) {
    long mixed = i * 0x9E3779B97F4A7C15L;
    for (int b = 0; b < Long.BYTES; b++) {
      key[b] = (byte) (mixed >>> (b * 8));
      key[b + 8] = (byte) (i >>> ((b & 3) * 8));
    }
    return (int) ((Bytes.getLong(key, 0) >>> 33) % tables);
  }

  private static void print(String what, int count, long begin) {
    System.out.printf("%-14s %.0f ns%n", what, (double) (System.nanoTime() - begin) / count);
  }
}
