package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The writers of a round, each on a thread of its own. */
final class CrashLoad implements AutoCloseable {
  private static final long ANSWER_SECONDS = 120;

  private final List<CrashWriter> writers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private volatile boolean stopped;

  /**
   * Starts the writers.
   *
   * @param keys histories of all keys, by number
   * @param salt of the run's values
   */
  CrashLoad(
      CrashCluster cluster,
      List<KeyHistory> keys,
      int count,
      CrashMix mix,
      long salt,
      SplittableRandom random) {
    for (int i = 0; i < count; i++) {
      KeyShare share = new KeyShare(keys, i, count);
      CrashWriter writer =
          new CrashWriter(
              cluster, share, mix, salt, random.split(), begun::countDown, () -> stopped);
      writers.add(writer);
      threads.add(
          Thread.ofPlatform()
              .name("writer-" + i)
              .daemon()
              .uncaughtExceptionHandler((_, e) -> failure.compareAndSet(null, e))
              .start(writer));
    }
  }

  /**
   * Waits for the first acknowledgement.
   *
   * @throws BenchException if there is none for long
   */
  void awaitBegun() {
    try {
      if (!begun.await(ANSWER_SECONDS, TimeUnit.SECONDS)) {
        throw new BenchException("no write was acknowledged for " + ANSWER_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      throw Clock.interrupted(e);
    }
  }

  /**
   * Has the writers end when they have their answers, and waits for them.
   *
   * @throws BenchException if a server does not answer and does not end either
   */
  WriteTotals stop() {
    stopped = true;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
    try {
      for (Thread thread : threads) {
        thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
        if (thread.isAlive()) {
          throw new BenchException("a server gave no answer for " + ANSWER_SECONDS + " s");
        }
      }
    } catch (InterruptedException e) {
      throw Clock.interrupted(e);
    }
    Throwable failed = failure.get();
    if (failed != null) {
      throw new BenchException("a writer failed: " + failed.getMessage(), failed);
    }
    return writers.stream().map(CrashWriter::totals).reduce(WriteTotals.NONE, WriteTotals::plus);
  }

  /** Ends the writers, answered or not. */
  @Override
  public void close() {
    stopped = true;
    threads.forEach(Thread::interrupt);
  }
}
