package io.keyvalueserve.resp.script;

import io.keyvalueserve.gates.fairness.Claim;
import io.keyvalueserve.gates.fairness.DeficitRoundRobin;
import io.keyvalueserve.gates.fairness.Slicing;
import io.keyvalueserve.gates.fairness.WaitMeters;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs long scripts on threads of their own. Tenants share the threads by weight and by the time
 * that their scripts take; a tenant's scripts begin in the order in which they came.
 *
 * <p>A few threads are only for tenants of which no script runs. {@link DeficitRoundRobin} decides
 * what runs next, under a lock that is never held while a script runs. Thread-safe. Threads end
 * when there is nothing to do.
 */
final class ScriptPool implements AutoCloseable {
  private static final Slicing SLICING =
      new Slicing(2_000_000, 1_000_000, 100_000, 10_000_000_000L);
  private static final int MOST_WAITING = 10_000;
  private static final long KEEP_SECONDS = 10;

  private record Job(int tenant, Runnable task) {}

  private final ThreadPoolExecutor threads;
  private final int usual;
  private final int most;
  private final LongSupplier nanoTime;
  private final Lock lock = new ReentrantLock();

  // ---- under the lock

  private final DeficitRoundRobin<Job> scheduler;
  private final Map<Integer, Integer> waiting = new HashMap<>();
  private int running;
  private boolean isClosed;

  /**
   * @param usual the threads that all tenants share; there are as many for newcomers
   * @param weights of tenants by their numbers
   */
  ScriptPool(int usual, IntUnaryOperator weights, WaitMeters meters, LongSupplier nanoTime) {
    this.usual = usual;
    this.most = 2 * usual;
    this.nanoTime = nanoTime;
    this.scheduler = new DeficitRoundRobin<>(SLICING, weights, meters);
    ThreadFactory factory = Thread.ofPlatform().daemon().name("kvs-script-", 1).factory();
    this.threads =
        new ThreadPoolExecutor(
            most, most, KEEP_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs a task of a tenant when it is its turn. The task throws nothing.
   *
   * @return false if too many of the tenant's tasks wait, or the pool is closed
   */
  boolean execute(int tenant, Runnable task) {
    Claim<Job> begun;
    lock.lock();
    try {
      int before = waiting.getOrDefault(tenant, 0);
      if (before >= MOST_WAITING || isClosed) {
        return false;
      }
      waiting.put(tenant, before + 1);
      scheduler.ready(scheduler.enter(tenant, new Job(tenant, task)), nanoTime.getAsLong());
      begun = begin();
    } finally {
      lock.unlock();
    }
    start(begun);
    return true;
  }

  /** Begins the next task if a thread is free. Under the lock. */
  private @Nullable Claim<Job> begin() {
    if (running >= most) {
      return null;
    }
    long now = nanoTime.getAsLong();
    Claim<Job> claim = running < usual ? scheduler.begin(now) : scheduler.beginIdle(now);
    if (claim != null) {
      running++;
      waiting.compute(
          claim.work().tenant(), (tenant, count) -> count == null || count == 1 ? null : count - 1);
    }
    return claim;
  }

  private void start(@Nullable Claim<Job> claim) {
    if (claim != null) {
      threads.execute(() -> run(claim));
    }
  }

  private void run(Claim<Job> claim) {
    try {
      claim.work().task().run();
    } finally {
      Claim<Job> next;
      Claim<Job> beside;
      lock.lock();
      try {
        running--;
        scheduler.end(claim, nanoTime.getAsLong());
        scheduler.leave(claim);
        next = begin();
        beside = next == null ? null : begin();
      } finally {
        lock.unlock();
      }
      start(next);
      start(beside);
    }
  }

  /** Returns the number of tasks that run. */
  int running() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  /** Forgets a tenant that was deleted. */
  void forget(int tenant) {
    lock.lock();
    try {
      scheduler.forget(tenant);
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more tasks. Those that run or wait end by their bounds, and the threads with them. */
  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
    } finally {
      lock.unlock();
    }
  }
}
