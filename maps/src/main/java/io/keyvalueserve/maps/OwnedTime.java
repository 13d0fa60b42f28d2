package io.keyvalueserve.maps;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures for how long this member has owned each partition: one clock for each partition, which
 * runs while the partition is owned.
 *
 * <p>One thread looks at all partitions every 100 milliseconds. A partition that moves between two
 * members is therefore counted by both, or by neither, for about that long. Reading a clock is one
 * read of memory that is written 10 times a second.
 *
 * <p>The thread that does this also runs small tasks of the member again and again.
 *
 * <p>Thread-safe.
 */
final class OwnedTime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OwnedTime.class);
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final AtomicLongArray millis;
  private final AtomicLongArray unbroken;
  private final IntPredicate owned;
  private final LongSupplier nanoTime;
  private long tickedNanos;
  private volatile boolean closed;
  private final List<Repeated> repeated = new CopyOnWriteArrayList<>();

  /**
   * Creates clocks that stand at 0.
   *
   * @param owned returns whether this member owns a partition
   */
  OwnedTime(int partitions, IntPredicate owned, LongSupplier nanoTime) {
    this.millis = new AtomicLongArray(partitions);
    this.unbroken = new AtomicLongArray(partitions);
    this.owned = owned;
    this.nanoTime = nanoTime;
    this.tickedNanos = nanoTime.getAsLong();
  }

  /** Starts the thread that moves the clocks. */
  void start() {
    Thread _ =
        Thread.ofPlatform()
            .name("kvs-owned-time")
            .daemon()
            .start(
                () -> {
                  while (!closed) {
                    LockSupport.parkNanos(TICK_NANOS);
                    tick();
                    repeated.forEach(task -> task.run(nanoTime.getAsLong()));
                  }
                });
  }

  /**
   * Has a task run again and again, from the next tick on, until the clocks are stopped. A task
   * that fails is run again.
   *
   * @param task does little, and does not block
   * @param pauseMillis from one run to the next one, rounded up to a tick
   */
  void repeat(Runnable task, long pauseMillis) {
    repeated.add(new Repeated(task, TimeUnit.MILLISECONDS.toNanos(pauseMillis)));
  }

  /** A task of the thread. */
  private final class Repeated {
    private final Runnable task;
    private final long pauseNanos;
    private long dueNanos = nanoTime.getAsLong();

    Repeated(Runnable task, long pauseNanos) {
      this.task = task;
      this.pauseNanos = pauseNanos;
    }

    void run(long now) {
      if (now - dueNanos < 0) {
        return;
      }
      dueNanos = now + pauseNanos - TICK_NANOS / 2; // a tick that is early a little counts
      try {
        task.run();
      } catch (RuntimeException e) {
        if (!closed) {
          LOG.error("what a member does again and again has failed this time", e);
        }
      }
    }
  }

  /** Moves the clocks of owned partitions to the present. Called by one thread. */
  void tick() {
    long elapsed = TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - tickedNanos);
    if (elapsed <= 0) {
      return;
    }
    tickedNanos += TimeUnit.MILLISECONDS.toNanos(elapsed);
    for (int i = 0; i < millis.length(); i++) {
      if (owned.test(i)) {
        millis.setOpaque(i, millis.getPlain(i) + elapsed);
        unbroken.setOpaque(i, unbroken.getPlain(i) + elapsed);
      } else {
        unbroken.setOpaque(i, 0);
      }
    }
  }

  /** Returns the clock of a partition, in milliseconds. Never goes back. */
  LongSupplier of(int partition) {
    return () -> millis.getOpaque(partition);
  }

  /**
   * Returns for how long a partition has been owned since it was not, in milliseconds. It is off by
   * a tick or two.
   */
  long unbroken(int partition) {
    return unbroken.getOpaque(partition);
  }

  /** Stops the clocks. Idempotent. */
  @Override
  public void close() {
    closed = true;
  }
}
