package io.keyvalueserve.grid.turn;

import io.keyvalueserve.gates.fairness.Claim;
import io.keyvalueserve.gates.fairness.DeficitRoundRobin;
import io.keyvalueserve.gates.fairness.Slicing;
import io.keyvalueserve.gates.fairness.WaitMeters;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queues tasks for the threads of a pool. Tenants share the threads by weight and by the time for
 * which their tasks hold a thread, working or waiting for others. A tenant's tasks begin in the
 * order in which they came.
 *
 * <p>A single tenant may have as many tasks run at once as the pool usually has threads. When all
 * of these are taken, a tenant without a running task still gets one of a few spare threads. It
 * then need not wait for the tasks of others. Only when these are taken too, it waits for its turn.
 *
 * <p>Tasks of no tenant ({@link TurnQueue#SYSTEM}) go before those of tenants, in the order they
 * came. While tenants wait, at most {@link TurnQueue#MOST_SYSTEM_IN_A_ROW} of them run one after
 * the other.
 *
 * <p><b>How.</b> The pool decides about its threads and when they end. It gets as many workers at a
 * time as may run, and never has any waiting. {@link DeficitRoundRobin} decides what each worker
 * does next, under a lock. The lock is held for that decision and to add a task, and never while a
 * task runs. Thread-safe.
 */
public final class TurnPool {
  private static final Logger LOG = LoggerFactory.getLogger(TurnPool.class);

  /**
   * Tasks take milliseconds and more. Who had more than its part owes it for so long that others
   * have had theirs.
   */
  private static final Slicing SLICING =
      new Slicing(2_000_000, 1_000_000, 100_000, 10_000_000_000L);

  /**
   * A task that waits.
   *
   * @param isWanted asked when it is its turn: else it is dropped
   */
  private record Job(int tenant, Runnable task, BooleanSupplier isWanted) {}

  private final ThreadPoolExecutor threads;
  private final int usual;
  private final int most;
  private final int mostWaiting;
  private final LongSupplier nanoTime;

  private final Lock lock = new ReentrantLock();

  // ---- under the lock

  private final DeficitRoundRobin<Job> scheduler;
  private final Queue<Job> system = new ArrayDeque<>();

  /** The number of waiting tasks of each tenant that has any. */
  private final Map<Integer, Integer> waiting = new HashMap<>();

  private int running;
  private int systemRunning;
  private int systemInARow;

  /**
   * Shares a pool among tenants. Nobody else may have it do anything.
   *
   * @param threads the pool: it is enlarged by the spare threads, and with it ends what waits here
   * @param spare how many threads there are beyond the usual ones, for tenants of which nothing
   *     runs: 0 or more
   * @param mostWaiting so many tasks of one tenant may wait
   * @param weights of tenants by their numbers
   * @param meters take what tenants wait
   * @param nanoTime as {@link System#nanoTime}
   */
  TurnPool(
      ThreadPoolExecutor threads,
      int spare,
      int mostWaiting,
      IntUnaryOperator weights,
      WaitMeters meters,
      LongSupplier nanoTime) {
    this.threads = threads;
    this.usual = threads.getMaximumPoolSize();
    this.most = usual + spare;
    this.mostWaiting = mostWaiting;
    this.nanoTime = nanoTime;
    this.scheduler = new DeficitRoundRobin<>(SLICING, weights, meters);
    threads.setMaximumPoolSize(most);
    threads.setCorePoolSize(most);
  }

  /**
   * Has a task run on one of the threads when it is its turn.
   *
   * @param tenant the number of the tenant it is for, or {@link TurnQueue#SYSTEM}
   * @param isWanted asked when it is its turn; if not, the task is dropped without being run
   * @throws RejectedExecutionException if too many of the tenant's tasks wait, or the pool was shut
   *     down
   */
  public void execute(int tenant, Runnable task, BooleanSupplier isWanted) {
    Worker worker;
    lock.lock();
    try {
      if (threads.isShutdown()) {
        throw new RejectedExecutionException("the pool was shut down: " + threads);
      }
      add(new Job(tenant, task, isWanted));
      worker = next();
    } finally {
      lock.unlock();
    }
    if (worker != null) {
      start(worker);
    }
  }

  /**
   * Gives the calling thread a turn at once, if nobody waits for one. One thread of the pool stands
   * still meanwhile. This saves the way to another thread and back.
   *
   * @param tenant the number of the tenant it is for
   * @return null if the pool is busy, or the tenant owes time: then {@link #execute}
   */
  public @Nullable OwnTurn tryBegin(int tenant) {
    lock.lock();
    try {
      if (threads.isShutdown() || running >= usual || !system.isEmpty() || scheduler.hasReady()) {
        return null;
      }
      long now = nanoTime.getAsLong();
      Claim<Job> entered = scheduler.enter(tenant, new Job(tenant, () -> {}, () -> true));
      scheduler.ready(entered, now);
      Claim<Job> begun = scheduler.begin(now);
      if (begun == null) {
        scheduler.leave(entered);
        return null;
      }
      running++;
      return new OwnTurn(begun);
    } finally {
      lock.unlock();
    }
  }

  /** A turn of a thread that is not the pool's. */
  public final class OwnTurn implements AutoCloseable {
    private final Claim<Job> claim;

    private OwnTurn(Claim<Job> claim) {
      this.claim = claim;
    }

    /** Ends the turn, once: what waits may begin. By any thread; does not block. */
    @Override
    public void close() {
      goOn(afterwards(claim), false);
    }
  }

  private void add(Job job) {
    int before = waiting.getOrDefault(job.tenant(), 0);
    if (before >= mostWaiting) {
      throw new RejectedExecutionException(
          "too many tasks of one tenant wait: most=" + mostWaiting + " pool=" + threads);
    }
    waiting.put(job.tenant(), before + 1);
    if (job.tenant() == TurnQueue.SYSTEM) {
      system.add(job);
    } else {
      scheduler.ready(scheduler.enter(job.tenant(), job), nanoTime.getAsLong());
    }
  }

  /**
   * Has a worker begin, and what begins beside it.
   *
   * @throws RejectedExecutionException if the pool was shut down meanwhile
   */
  private void start(Worker worker) {
    for (Worker each = worker; each != null; each = each.beside) {
      threads.execute(each);
    }
  }

  /** Returns the number of tasks that wait. */
  public int waiting() {
    lock.lock();
    try {
      return waiting.values().stream().mapToInt(Integer::intValue).sum();
    } finally {
      lock.unlock();
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

  /** Drops the accounts of a tenant that was deleted. */
  void forget(int tenant) {
    lock.lock();
    try {
      scheduler.forget(tenant);
    } finally {
      lock.unlock();
    }
  }

  // ---- under the lock

  /** A worker for what begins now, and others beside it; null if nothing does. */
  private @Nullable Worker next() {
    while (running < most) {
      Claim<Job> claim;
      Job job = pollSystem();
      if (job != null) {
        systemRunning++;
        systemInARow++;
        claim = null;
      } else {
        long now = nanoTime.getAsLong();
        claim = running < usual ? scheduler.begin(now) : scheduler.beginIdle(now);
        if (claim == null) {
          return null;
        }
        systemInARow = 0;
        job = claim.work();
      }
      running++;
      waiting.compute(
          job.tenant(), (tenant, count) -> count == null || count == 1 ? null : count - 1);
      if (job.isWanted().getAsBoolean()) {
        return new Worker(job, claim, next());
      }
      ended(claim);
    }
    return null;
  }

  private @Nullable Job pollSystem() {
    boolean may =
        running < usual
            ? systemInARow < TurnQueue.MOST_SYSTEM_IN_A_ROW || !scheduler.hasReady()
            : systemRunning == 0;
    return may ? system.poll() : null;
  }

  /** Notes that a task has ended. */
  private void ended(@Nullable Claim<Job> claim) {
    running--;
    if (claim == null) {
      systemRunning--;
    } else {
      scheduler.end(claim, nanoTime.getAsLong());
      scheduler.leave(claim);
    }
  }

  /** A worker that runs tasks on a thread, one after the other. */
  private final class Worker implements Runnable {
    private final Job job;
    private final @Nullable Claim<Job> claim;

    /** The next of the workers that began at the same time. */
    private final @Nullable Worker beside;

    Worker(Job job, @Nullable Claim<Job> claim, @Nullable Worker beside) {
      this.job = job;
      this.claim = claim;
      this.beside = beside;
    }

    @Override
    public void run() {
      Worker worker = this;
      while (worker != null) {
        boolean isDone = false;
        Worker next = null;
        try {
          worker.job.task().run();
          isDone = true;
        } finally {
          next = afterwards(worker.claim);
          goOn(next, isDone);
        }
        worker = next;
      }
    }
  }

  private @Nullable Worker afterwards(@Nullable Claim<Job> claim) {
    lock.lock();
    try {
      ended(claim);
      return threads.isShutdown() ? null : next();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Has begin what does not on this thread.
   *
   * @param isDone whether the next one does: else the thread ends with what its task has thrown
   */
  private void goOn(@Nullable Worker next, boolean isDone) {
    Worker elsewhere = next != null && isDone ? next.beside : next;
    if (elsewhere != null) {
      try {
        start(elsewhere);
      } catch (RejectedExecutionException e) { // shut down meanwhile: dropped, as what waits
        LOG.debug("the pool was shut down: {}", e.getMessage());
      }
    }
  }
}
