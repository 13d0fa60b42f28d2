package io.keyvalueserve.bench;

import com.hazelcast.map.IMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What a bench does to a map: keys of 16 characters, values of random bytes. */
final class Load {
  /** The bytes of a key. */
  static final int KEY_BYTES = 16;

  /** A batch goes to every partition: small ones would cost the client more than the server. */
  private static final int BATCH_BYTES = 4 << 20;

  private static final int FEWEST_IN_BATCH = 100;
  private static final int MOST_IN_BATCH = 10_000;
  private static final int LINES = 20;
  private static final int FILLERS = 4;
  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(5);

  private Load() {}

  /** The key of a number. */
  static String key(int number) {
    String digits = Integer.toString(number);
    return "key:" + "0".repeat(KEY_BYTES - 4 - digits.length()) + digits;
  }

  /** A value of letters, of this many bytes. */
  static String text(int bytes) {
    return "abcdefghijklmnopqrstuvwxyz".repeat(bytes / 26 + 1).substring(0, bytes);
  }

  /** Writes all entries, and reports how many are there now and then. */
  static void fill(IMap<String, byte[]> map, int entries, int valueBytes, IntConsumer progress) {
    AtomicInteger next = new AtomicInteger();
    AtomicInteger told = new AtomicInteger();
    int batchSize = Math.clamp(BATCH_BYTES / (valueBytes + 1), FEWEST_IN_BATCH, MOST_IN_BATCH);
    inParallel(
        FILLERS,
        () -> {
          byte[] value = new byte[valueBytes];
          for (int first; (first = next.getAndAdd(batchSize)) < entries; ) {
            ThreadLocalRandom.current().nextBytes(value);
            Map<String, byte[]> batch = HashMap.newHashMap(batchSize);
            for (int i = first; i < Math.min(first + batchSize, entries); i++) {
              batch.put(key(i), value);
            }
            map.putAll(batch);
            int line = (int) ((long) first * LINES / entries);
            if (line > told.getAndAccumulate(line, Math::max)) {
              progress.accept(first);
            }
          }
        });
  }

  /**
   * Reads and writes in equal parts, keys at random.
   *
   * @return the latencies of all operations, in nanoseconds
   */
  static Histogram readAndWrite(
      IMap<String, byte[]> map, int entries, int valueBytes, int threads, long seconds) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    List<Histogram> all = new ArrayList<>();
    inParallel(
        threads,
        () -> {
          Histogram latencies = new Histogram(MOST_NANOS, 3);
          ThreadLocalRandom random = ThreadLocalRandom.current();
          byte[] value = new byte[valueBytes];
          random.nextBytes(value);
          for (long begin = System.nanoTime(); begin < end; ) {
            String key = key(random.nextInt(entries));
            if (random.nextBoolean()) {
              map.get(key);
            } else {
              map.set(key, value);
            }
            long done = System.nanoTime();
            latencies.recordValue(Math.min(done - begin, MOST_NANOS));
            begin = done;
          }
          synchronized (all) {
            all.add(latencies);
          }
        });
    Histogram sum = new Histogram(MOST_NANOS, 3);
    all.forEach(sum::add);
    return sum;
  }

  /** As the other one, for work that does not ask which thread it is on. */
  static void inParallel(int threads, Runnable work) {
    inParallel(threads, _ -> work.run());
  }

  /**
   * Does the same on several threads, and waits for all of them.
   *
   * @param work is told the number of its thread, from 0
   * @throws BenchException if it fails on one
   */
  static void inParallel(int threads, IntConsumer work) {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      running.add(
          Thread.ofPlatform()
              .name("load-" + number)
              .uncaughtExceptionHandler((_, e) -> failure.compareAndSet(null, e))
              .start(() -> work.accept(number)));
    }
    Clock.join(running);
    Throwable first = failure.get();
    if (first != null) {
      throw new BenchException("the load failed: " + first.getMessage(), first);
    }
  }
}
