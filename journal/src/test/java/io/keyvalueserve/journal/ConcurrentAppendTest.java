package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: threads that append to one stream at once never harm each other's frames, nor does the
 * compactor. Method: small blocks, so that they turn all the time, a real disk and all threads;
 * each record tells what it should be; recovery, itself with several threads, checks every frame's
 * CRC.
 */
class ConcurrentAppendTest {
  private static final int THREADS = 4;

  @TempDir private Path directory;

  @Test
  void framesOfManyThreadsInOneStreamAreWhole() throws Exception {
    int perThread = 40_000;
    HeldRecords held = new HeldRecords();
    AtomicInteger told = new AtomicInteger();
    AtomicInteger waited = new AtomicInteger();
    try (Journal journal = Journal.open(config(), FileDisk.at(directory), held)) {
      held.setDead(journal);
      run(
          thread -> {
            Random random = new Random(thread);
            for (int i = 0; i < perThread; i++) {
              String key = thread + "-" + i;
              long position =
                  Logs.put(
                      journal, held, thread, "m" + i % 5, key, key + "=" + "x".repeat(i % 120));
              if (random.nextInt(1_000) == 0) {
                waited.incrementAndGet();
                journal.whenDurable(position, new Counting(told));
              }
            }
          });
      waited.incrementAndGet();
      journal.whenDurable(Logs.put(journal, held, 0, "m", "last", ""), new Counting(told));
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (told.get() < waited.get() && System.nanoTime() < end) {
        Thread.sleep(1); // they are told in no particular order
      }
      assertThat(told).hasValue(waited.get());
    }
    HeldRecords back = new HeldRecords();
    try (Journal journal = Journal.open(config(), FileDisk.at(directory), back)) {
      assertThat(journal.report().damage()).isEmpty();
      assertThat(back.records).hasSize(THREADS * perThread + 1).isEqualTo(held.records);
    }
  }

  @Test
  void recordsThatAreCompactedWhileTheyChangeAreNeitherLostNorOld() throws Exception {
    HeldRecords held = new HeldRecords();
    try (Journal journal = Journal.open(config(), FileDisk.at(directory), held)) {
      held.setDead(journal);
      journal.compact(held, new CompactionPolicy(1.2, 4, 0.05, 1L << 30));
      run(
          thread -> {
            Random random = new Random(thread);
            for (int i = 0; i < 25_000; i++) {
              String key = "k" + random.nextInt(300);
              if (random.nextInt(4) == 0) {
                synchronized (held.partition(thread)) {
                  Logs.remove(journal, held, thread, "m", key);
                }
              } else {
                Logs.put(journal, held, thread, "m", key, "v" + i + "x".repeat(i % 200));
              }
            }
          });
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (journal.statistics().chunks() > 15 && System.nanoTime() < end) {
        Thread.sleep(5);
      }
      assertThat(journal.compactionFailure()).isNull();
      assertThat(journal.statistics().chunks()).isLessThanOrEqualTo(15);
    }
    HeldRecords back = new HeldRecords();
    try (Journal journal = Journal.open(config(), FileDisk.at(directory), back)) {
      assertThat(journal.report().damage()).isEmpty();
      assertThat(back.records).isEqualTo(held.records);
    }
  }

  private static JournalConfig config() {
    return JournalConfig.of("c", "m", 1, 1).withSizes(4, 16 << 10, 256 << 10).withThreads(2, 2);
  }

  /** What each thread does. */
  private interface Work {
    void run(int thread) throws Exception;
  }

  private static void run(Work work) throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      work.run(thread);
                    } catch (Throwable e) {
                      failure.set(e);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failure.get()).isNull();
  }

  private static final class Counting extends DurabilityWaiter {
    private final AtomicInteger told;

    Counting(AtomicInteger told) {
      this.told = told;
    }

    @Override
    protected void durable() {
      told.incrementAndGet();
    }

    @Override
    protected void failed(JournalException e) {
      throw e;
    }
  }
}
