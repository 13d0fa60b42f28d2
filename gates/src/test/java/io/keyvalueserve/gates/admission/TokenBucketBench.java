package io.keyvalueserve.gates.admission;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

/**
 * What admission costs: nanoseconds for each take, by one thread and by several on one bucket. Run
 * its main method; arguments: takes of each thread, threads.
 */
final class TokenBucketBench {
  private static final double PER_SECOND = 1e12;
  private static final long BURST = 1_000_000_000;

  private TokenBucketBench() {}

  public static void main(String[] args) throws InterruptedException {
    int takes = args.length > 0 ? Integer.parseInt(args[0]) : 20_000_000;
    int threads = args.length > 1 ? Integer.parseInt(args[1]) : 2;
    long begin = System.nanoTime();
    TokenBucket unlimited = new TokenBucket();
    TokenBucket admitting = new TokenBucket(PER_SECOND, BURST, begin);
    TokenBucket refusing = new TokenBucket(1, 0, begin);
    refusing.charge(1 << 30, begin);
    Gate gate = new Gate(begin, new AtomicBoolean());
    gate.bucket().setRate(PER_SECOND, BURST, begin);
    for (int round = 0; round < 3; round++) {
      for (int n = 1; n <= threads; n += Math.max(1, threads - 1)) {
        run("clock alone", takes, n, now -> now & 1);
        run("unlimited", takes, n, now -> unlimited.take(1, now));
        run("admitted", takes, n, now -> admitting.take(1, now));
        run("refused", takes, n, now -> refusing.take(1, now));
        run("gate", takes, n, now -> gate.take(1, now));
      }
    }
  }

  private static void run(String what, int takes, int threads, LongUnaryOperator take)
      throws InterruptedException {
    AtomicLong sum = new AtomicLong();
    Thread[] all = new Thread[threads];
    long begin = System.nanoTime();
    for (int i = 0; i < threads; i++) {
      all[i] = Thread.ofPlatform().start(() -> sum.addAndGet(loop(takes, take)));
    }
    for (Thread thread : all) {
      thread.join();
    }
    long nanos = System.nanoTime() - begin;
    System.out.printf(
        "%-12s %d threads %.1f ns (%d)%n", what, threads, (double) nanos / takes, sum.get() & 1);
  }

  /** Time goes on by hand: reading a clock costs more than taking. */
  private static long loop(int takes, LongUnaryOperator take) {
    long sum = 0;
    long now = System.nanoTime();
    for (int i = 0; i < takes; i++) {
      sum += take.applyAsLong(now + i);
    }
    return sum;
  }
}
