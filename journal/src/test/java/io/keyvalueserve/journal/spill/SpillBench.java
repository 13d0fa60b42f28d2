package io.keyvalueserve.journal.spill;

import io.keyvalueserve.journal.AlignedMemory;
import io.keyvalueserve.journal.FileDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What spilling and reading back costs on a disk: {@code SpillBench DIRECTORY [MIB]}. For each
 * length of value MIB mebibytes of values are written, in batches of up to 1 MiB by one thread;
 * then they are read in random order for some seconds by 1 and by 16 threads, each read a read of
 * the disk.
 */
final class SpillBench {
  private static final int[] LENGTHS = {100, 1 << 10, 4 << 10, 64 << 10, 1 << 20};
  private static final int BATCH_BYTES = 1 << 20;
  private static final double SECONDS = 4;

  private SpillBench() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length < 1) {
      System.out.println("usage: SpillBench DIRECTORY [MIB]");
      return;
    }
    long bytes = (arguments.length > 1 ? Long.parseLong(arguments[1]) : 1024) << 20;
    FileDisk disk = FileDisk.at(Path.of(arguments[0]));
    System.out.println(
        "I/O is "
            + disk.mode()
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " processors");
    for (int length : LENGTHS) {
      SpillConfig config = SpillConfig.of(bytes * 2 + (512 << 20));
      try (SpillArea area = SpillArea.open(disk, "spill", config)) {
        run(area, length, bytes);
      }
    }
  }

  private static void run(SpillArea area, int length, long bytes) throws Exception {
    int count = (int) (bytes / length);
    long[] handles = new long[count];
    long start = System.nanoTime();
    write(area, handles, length);
    double writing = (System.nanoTime() - start) / 1e9;
    SpillStatistics written = area.statistics();
    System.out.printf(
        "%7d B: written %6.0f MB/s, %8.0f values/s, disk %.2f bytes for each byte%n",
        length,
        (double) count * length / writing / 1e6,
        count / writing,
        (double) written.usedBytes() / ((double) count * length));
    for (int threads : new int[] {1, 16}) {
      read(area, handles, length, threads);
    }
  }

  private static void write(SpillArea area, long[] handles, int length) throws IOException {
    int each = Math.max(1, BATCH_BYTES / length);
    SpillBatch batch = new SpillBatch();
    try (AlignedMemory value = AlignedMemory.allocate(length)) {
      for (int from = 0; from < handles.length; from += each) {
        int to = Math.min(handles.length, from + each);
        batch.clear();
        for (int i = from; i < to; i++) {
          batch.add(value.address(), length);
        }
        area.write(batch);
        for (int i = from; i < to; i++) {
          handles[i] = batch.handle(i - from);
        }
      }
    }
  }

  private static void read(SpillArea area, long[] handles, int length, int threads)
      throws Exception {
    long end = System.nanoTime() + (long) (SECONDS * 1e9);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<long[]>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int seed = i;
        all.add(pool.submit(() -> readUntil(end, area, handles, length, seed)));
      }
      List<long[]> latencies = new ArrayList<>();
      for (Future<long[]> each : all) {
        latencies.add(each.get());
      }
      long[] sorted = latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
      System.out.printf(
          "          read by %2d threads %8.0f values/s, %6.0f MB/s, latency us p50 %.0f p99 %.0f%n",
          threads,
          sorted.length / SECONDS,
          sorted.length * (double) length / SECONDS / 1e6,
          sorted[sorted.length / 2] / 1e3,
          sorted[(int) (sorted.length * 0.99)] / 1e3);
    }
  }

  private static long[] readUntil(long end, SpillArea area, long[] handles, int length, int seed)
      throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    long[] nanos = new long[1 << 20];
    int count = 0;
    byte[] value = new byte[length];
    for (long now = System.nanoTime(); now < end && count < nanos.length; ) {
      area.read(handles[random.nextInt(handles.length)], length, value, 0);
      long after = System.nanoTime();
      nanos[count++] = after - now;
      now = after;
    }
    return Arrays.copyOf(nanos, count);
  }
}
