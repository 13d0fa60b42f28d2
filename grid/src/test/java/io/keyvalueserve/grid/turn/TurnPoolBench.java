package io.keyvalueserve.grid.turn;

import com.sun.management.ThreadMXBean;
import io.keyvalueserve.gates.fairness.WaitMeters;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * What a pool of two threads costs for each task that does nothing, beside the pool alone. Run by
 * hand: tasks, then how many tenants they are of.
 */
final class TurnPoolBench {
  private static final int MOST_WAITING = 1_000;

  private TurnPoolBench() {}

  private interface Pool {
    void execute(int tenant, Runnable task);
  }

  public static void main(String[] args) throws InterruptedException {
    int tasks = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    int tenants = args.length > 1 ? Integer.parseInt(args[1]) : 4;
    ThreadPoolExecutor alone = threads();
    ThreadPoolExecutor shared = threads();
    try {
      Executor plain = alone;
      TurnPool pool =
          new TurnPool(shared, 2, MOST_WAITING, tenant -> 1, new WaitMeters(), System::nanoTime);
      for (int round = 0; round < 4; round++) {
        measure("the pool alone", (tenant, task) -> plain.execute(task), tasks, 1);
        measure("in turns", (tenant, task) -> pool.execute(tenant, task, () -> true), tasks, 1);
        measure(
            "in turns", (tenant, task) -> pool.execute(tenant, task, () -> true), tasks, tenants);
      }
    } finally {
      alone.shutdown();
      shared.shutdown();
    }
  }

  private static ThreadPoolExecutor threads() {
    return new ThreadPoolExecutor(
        2, 2, 60, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING));
  }

  private static void measure(String what, Pool pool, int tasks, int tenants)
      throws InterruptedException {
    Semaphore waiting = new Semaphore(MOST_WAITING);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long bytes = threads.getCurrentThreadAllocatedBytes();
    long begin = System.nanoTime();
    for (int i = 0; i < tasks; i++) {
      waiting.acquire();
      pool.execute(1 + i % tenants, waiting::release);
    }
    bytes = threads.getCurrentThreadAllocatedBytes() - bytes;
    waiting.acquire(MOST_WAITING);
    System.out.printf(
        "%s, %d tenants: %.0f ns, %.0f bytes by who adds%n",
        what, tenants, (double) (System.nanoTime() - begin) / tasks, (double) bytes / tasks);
  }
}
