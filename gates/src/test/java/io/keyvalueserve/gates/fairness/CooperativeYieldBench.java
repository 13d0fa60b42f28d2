package io.keyvalueserve.gates.fairness;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * What a thread that works on in the background costs one that wants the core now and then, with
 * and without yields, and what they leave it of the core. Run by hand on one core: for how many
 * seconds each, then how much of 500 us the other is busy, in percent, 0 to 100.
 */
final class CooperativeYieldBench {
  private static final long PERIOD_NANOS = 500_000;
  private static final int MOST = 1_000_000;

  private static volatile boolean over;
  private static volatile long worked;

  private CooperativeYieldBench() {}

  public static void main(String[] args) throws InterruptedException {
    int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 4;
    int percent = args.length > 1 ? Integer.parseInt(args[1]) : 40;
    for (int round = 0; round < 3; round++) {
      measure("works on", () -> {}, seconds, percent);
      CooperativeYield others = new CooperativeYield();
      measure("yields", others::check, seconds, percent);
    }
  }

  private static void measure(String name, Runnable check, int seconds, int percent)
      throws InterruptedException {
    over = false;
    Thread background = Thread.ofPlatform().start(() -> work(check));
    long[] late = new long[MOST];
    int count = 0;
    long begin = System.nanoTime();
    long end = begin + seconds * 1_000_000_000L;
    for (long due = begin; due < end && count < MOST; due += PERIOD_NANOS) {
      for (long rest; (rest = due - System.nanoTime()) > 0; ) {
        LockSupport.parkNanos(rest);
      }
      late[count++] = System.nanoTime() - due;
      for (long until = System.nanoTime() + PERIOD_NANOS * percent / 100;
          System.nanoTime() < until; ) {
        Thread.onSpinWait();
      }
    }
    over = true;
    background.join();
    long[] sorted = Arrays.copyOf(late, count);
    Arrays.sort(sorted);
    System.out.printf(
        "%-8s beside one that is busy %d %%: late by p50 %d, p99 %d, p99.9 %d us; itself %.1f %%%n",
        name,
        percent,
        sorted[count / 2] / 1_000,
        sorted[count * 99 / 100] / 1_000,
        sorted[count * 999 / 1000] / 1_000,
        100.0 * worked / (seconds * 1_000_000_000L));
  }

  /** Counts the time of steps that nobody interrupted. */
  private static void work(Runnable check) {
    long mine = 0;
    while (!over) {
      long begin = System.nanoTime();
      long now = begin;
      while (now - begin < 5_000) {
        Thread.onSpinWait();
        now = System.nanoTime();
      }
      mine += Math.min(now - begin, 10_000);
      check.run();
    }
    worked = mine;
  }
}
