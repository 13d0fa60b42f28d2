package io.keyvalueserve.bench;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One client at work, while rounds go on. Runs on one thread; what it counts others may read.
 *
 * @param <R> what it works on
 */
abstract class NemesisWorker<R extends NemesisRound> implements Runnable, AutoCloseable {
  private static final long PAUSE_MILLIS = 4;

  /** How long a client waits after an error. */
  static final long PAUSE_AFTER_ERROR_MILLIS = 30;

  private final int number;
  private final String door;
  private final int member;
  private final Supplier<@Nullable R> current;

  /** Draws what it does. */
  final SplittableRandom random;

  private final Map<String, Long> errors = new TreeMap<>();
  private final Map<String, Long> carriedOut = new TreeMap<>();
  private volatile boolean stopped;
  private volatile @Nullable Throwable failure;
  private volatile long longestGapNanos;
  private volatile long lastDoneNanos = System.nanoTime();
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong unknown = new AtomicLong();
  private final AtomicLong notDone = new AtomicLong();

  /**
   * @param number of the client
   * @param door how its door is called in reports
   * @param member that it talks to, from 1; 0 if it talks to all
   * @param current the round that goes on, if one does
   */
  NemesisWorker(
      int number, String door, int member, Supplier<@Nullable R> current, SplittableRandom random) {
    this.number = number;
    this.door = door;
    this.member = member;
    this.current = current;
    this.random = random;
  }

  /** The client's number. */
  final int number() {
    return number;
  }

  /** The member that it talks to, from 1; 0 if it talks to all. */
  final int member() {
    return member;
  }

  /** Begins to look for the longest time without an operation that was carried out. */
  final void resetGap() {
    lastDoneNanos = System.nanoTime();
    longestGapNanos = 0;
  }

  /** The longest time without an operation that was carried out since then, in nanoseconds. */
  final long longestGapNanos() {
    return Math.max(longestGapNanos, System.nanoTime() - lastDoneNanos);
  }

  /** How many operations were carried out. */
  final long done() {
    return done.get();
  }

  /** How many have an unknown outcome. */
  final long unknown() {
    return unknown.get();
  }

  /** How many were refused. */
  final long notDone() {
    return notDone.get();
  }

  /** Errors by the way and their kind. */
  final synchronized Map<String, Long> errors() {
    return Map.copyOf(errors);
  }

  /** How many operations were carried out, by the way in which they were. */
  final synchronized Map<String, Long> carriedOut() {
    return Map.copyOf(carriedOut);
  }

  /** Notes that an operation was carried out. */
  final void countDone(String way, long returnedNanos) {
    longestGapNanos = Math.max(longestGapNanos, returnedNanos - lastDoneNanos);
    lastDoneNanos = returnedNanos;
    done.incrementAndGet();
    synchronized (this) {
      carriedOut.merge(way, 1L, Long::sum);
    }
  }

  /**
   * Notes that an operation was not carried out.
   *
   * @param why the way and the kind of error
   */
  final void countNotDone(String why) {
    notDone.incrementAndGet();
    count(why);
  }

  /**
   * Notes that nobody knows whether a write was carried out.
   *
   * @param why the way and the kind of error
   */
  final void countUnknown(String why) {
    unknown.incrementAndGet();
    count(why);
  }

  /**
   * Notes an error of an operation whose outcome matters to nobody.
   *
   * @param why the way and the kind of error
   */
  final synchronized void count(String why) {
    errors.merge(why, 1L, Long::sum);
  }

  /** Has it end after the operation that is under way. */
  final void stop() {
    stopped = true;
  }

  /** Returns whether it is to end. */
  final boolean isStopped() {
    return stopped;
  }

  /**
   * Requires that the client still works: what it does not do is not checked.
   *
   * @throws BenchException if it has ended by an error of the bench
   */
  final void requireWell() {
    Throwable thrown = failure;
    if (thrown != null) {
      throw new BenchException("client " + number + " (" + door + ") has ended", thrown);
    }
  }

  @Override
  public final void run() {
    try {
      work();
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    }
  }

  private void work() {
    while (!stopped) {
      R round = current.get();
      if (round == null || !round.begin()) {
        Clock.sleepMillis(1);
        continue;
      }
      boolean well;
      try {
        well = operate(round);
      } finally {
        round.end();
      }
      Clock.sleepMillis(well ? random.nextLong(2 * PAUSE_MILLIS) : PAUSE_AFTER_ERROR_MILLIS);
    }
  }

  /** Does something; returns whether it was carried out. */
  abstract boolean operate(R round);

  /** Closes the connections. */
  @Override
  public abstract void close();
}
