package io.keyvalueserve.grid.space;

import static io.keyvalueserve.engine.Batches.utf8;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures what a command costs through {@code submit} on one member: half reads, half writes of
 * 100 bytes, on 100,000 keys, a few batches on their way at a time. Run by hand; arguments: number
 * of commands, number of partitions.
 */
final class SubmitBench {
  private static final int KEYS = 100_000;
  private static final int BATCHES_UNDER_WAY = 16;
  private static final int ROUNDS = 4;

  private SubmitBench() {}

  public static void main(String[] arguments) throws InterruptedException {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out));
    int commands = Integer.parseInt(arguments[0]);
    int partitions = Integer.parseInt(arguments[1]);
    try (TestGrid grid = new TestGrid(1, partitions)) {
      KeyMap map = grid.map(0, "acme", "bench");
      for (int round = 0; round < ROUNDS; round++) {
        for (int size : new int[] {1, 16, 128}) {
          long nanos = measure(map, size, commands);
          out.printf(
              "batch %3d: %,8.0f commands/s, %.2f us a command%n",
              size, commands * 1e9 / nanos, nanos / 1e3 / commands);
        }
      }
    }
  }

  private static long measure(KeyMap map, int size, int commands) throws InterruptedException {
    Random random = new Random(1);
    byte[] value = new byte[100];
    Semaphore underWay = new Semaphore(BATCHES_UNDER_WAY);
    long start = System.nanoTime();
    for (int sent = 0; sent < commands; sent += size) {
      List<KeyCommand> batch = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        byte[] key = utf8("key:" + random.nextInt(KEYS));
        batch.add(
            random.nextBoolean() ? new KeyCommand.Read(key) : KeyCommand.Write.of(key, value));
      }
      underWay.acquire();
      AtomicInteger missing = new AtomicInteger(size);
      map.submit(
          batch,
          (index, outcome) -> {
            if (missing.decrementAndGet() == 0) {
              underWay.release();
            }
          });
    }
    underWay.acquire(BATCHES_UNDER_WAY);
    return System.nanoTime() - start;
  }
}
