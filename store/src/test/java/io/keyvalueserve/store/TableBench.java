package io.keyvalueserve.store;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * What a table costs: bytes for each entry above its payload, and the time of a lookup with a copy
 * of the value, on one core. Run its main method; arguments: entries, tables.
 */
final class TableBench {
  private static final int KEY_BYTES = 16;
  private static final int VALUE_BYTES = 100;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

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
      for (int round = 0; round < 8; round++) {
        long begin = System.nanoTime();
        sum += read(heap, all, random, entries, value);
        print("get, guarded", entries, begin);
      }
      System.out.println(sum);
    }
  }

  /** A method of its own, so that it is compiled as one. */
  private static long read(
      NativeHeap heap, Table[] all, SplittableRandom random, int entries, byte[] value) {
    byte[] key = new byte[KEY_BYTES];
    long sum = 0;
    for (int i = 0; i < entries; i++) {
      int table = key(key, random.nextInt(entries), all.length);
      int guard = heap.epochs().enter();
      long record = all[table].find(key, 0, KEY_BYTES, 1);
      Records.copyValue(record, value, 0);
      heap.epochs().exit(guard);
      sum += value[0];
    }
    return sum;
  }

  private static int key(byte[] key, int i, int tables) {
    long mixed = i * 0x9E3779B97F4A7C15L;
    LONG.set(key, 0, mixed);
    LONG.set(key, Long.BYTES, (long) i);
    return (int) ((mixed >>> 33) % tables);
  }

  private static void print(String what, int count, long begin) {
    System.out.printf("%-14s %.0f ns%n", what, (double) (System.nanoTime() - begin) / count);
  }
}
