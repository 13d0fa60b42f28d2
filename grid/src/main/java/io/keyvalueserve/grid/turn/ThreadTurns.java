package io.keyvalueserve.grid.turn;

import io.keyvalueserve.gates.fairness.Claim;
import io.keyvalueserve.gates.fairness.DeficitRoundRobin;
import io.keyvalueserve.gates.fairness.Slice;
import io.keyvalueserve.gates.fairness.Slicing;
import io.keyvalueserve.gates.fairness.Stalls;
import io.keyvalueserve.gates.fairness.WaitMeters;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shares a thread that reads connections of several tenants. What was read is decoded, and mostly
 * answered, in slices by weight and cost. Between rounds of slices the thread looks after its
 * connections.
 *
 * <p>While all that is read is of one tenant, this only compares its number, and each connection is
 * served as soon as it was read. Once another tenant's connection was read, all wait for their
 * turns, until no other tenant's was read for {@link #CONTENTION_LASTS_NANOS}.
 *
 * <p>Used on the thread alone, except {@link #leaveLater} and {@link #forget}.
 */
public final class ThreadTurns implements Runnable {
  /**
   * The time for which the thread goes on keeping accounts after another tenant's connection was
   * read.
   */
  static final long CONTENTION_LASTS_NANOS = 100_000_000L;

  /** The time for which connections are served before the thread looks after those it has. */
  static final long ROUND_NANOS = 100_000L;

  /** No tenant's number. */
  private static final int NOBODY = -1;

  /** The thread, as far as it is needed here. */
  public interface Loop {
    /** Has a task run when all were that the thread knows of. On the thread. */
    void addTask(Runnable task);

    /** Has a task run soon. Any thread. */
    void execute(Runnable task);

    /**
     * Reads the connections for which something has come, and does not wait for any. On the thread,
     * and in a task; never throws.
     */
    void look();
  }

  private final @Nullable Loop loop;
  private final DeficitRoundRobin<TurnTaker> scheduler;
  private final LongSupplier nanoTime;
  private final Slice slice;
  private final Stalls stalls = new Stalls();

  /** The tenant whose connection was read last. */
  private int present = NOBODY;

  private boolean isContended;

  /** The time when a tenant's connection was last read after another tenant's. */
  private long contendedNanos;

  /** True if a round will come, because a connection waits. */
  private boolean isDue;

  /**
   * @param loop null for a thread on which nobody waits
   * @param sorts how many sorts of work {@link #slice} is told of
   * @param weights of tenants by their numbers
   * @param meters take what tenants wait
   * @param nanoTime as {@link System#nanoTime}
   */
  ThreadTurns(
      @Nullable Loop loop,
      int sorts,
      Slicing slicing,
      IntUnaryOperator weights,
      WaitMeters meters,
      LongSupplier nanoTime) {
    this.loop = loop;
    this.scheduler = new DeficitRoundRobin<>(slicing, weights, meters);
    this.nanoTime = nanoTime;
    this.slice = new Slice(nanoTime, sorts);
  }

  /** Returns the slice of the connection that is served now, which says how long it may go on. */
  public Slice slice() {
    return slice;
  }

  /**
   * A connection of a tenant was read.
   *
   * @return whether it has to wait for its turn; whoever waits already has to
   */
  public boolean mustWait(int tenant) {
    return (tenant != present || isContended) && isContended(tenant);
  }

  private boolean isContended(int tenant) {
    long now = nanoTime.getAsLong();
    if (tenant != present) {
      isContended = loop != null && (isContended || present != NOBODY);
      present = tenant;
      contendedNanos = now;
    } else if (!isDue && now - contendedNanos >= CONTENTION_LASTS_NANOS) {
      isContended = false;
    }
    return isContended;
  }

  /** A connection of a tenant will wait here now and then. */
  public Claim<TurnTaker> enter(int tenant, TurnTaker connection) {
    return scheduler.enter(tenant, connection);
  }

  /** It will not any more, and does not wait. */
  public void leave(Claim<TurnTaker> claim) {
    scheduler.leave(claim);
  }

  /** The same from any thread: soon. */
  public void leaveLater(Claim<TurnTaker> claim) {
    execute(() -> scheduler.leave(claim));
  }

  /** Forgets a tenant that was deleted. Any thread. */
  void forget(int tenant) {
    execute(() -> scheduler.forget(tenant));
  }

  private void execute(Runnable task) {
    Loop here = loop;
    if (here != null) {
      here.execute(task);
    }
  }

  /** A connection waits from now on: it is served when the thread has seen who else does. */
  public void ready(Claim<TurnTaker> claim) {
    scheduler.ready(claim, nanoTime.getAsLong());
    if (!isDue) {
      isDue = true;
      again();
    }
  }

  private void again() {
    Loop here = loop;
    if (here != null) {
      here.addTask(this);
    }
  }

  /** One round: the thread has gone through what it had found to do. */
  @Override
  public void run() {
    long begin = nanoTime.getAsLong();
    long now = begin;
    stalls.begin(now);
    while (now - begin < ROUND_NANOS) {
      Claim<TurnTaker> claim = scheduler.next(now);
      if (claim == null) {
        break;
      }
      now = serve(claim, now);
    }
    isDue = scheduler.hasReady();
    if (isDue) {
      // A thread of Hazelcast's goes through its tasks until there are none; then it waits for
      // connections.
      Loop here = loop;
      if (here != null) {
        here.look();
      }
      again();
    }
  }

  /**
   * A turn is charged from when it begins, and not from when the one before ended: what is sent and
   * counted in between, and finding out whose turn it is, is nobody's time.
   *
   * @param before when the one before ended
   */
  private long serve(Claim<TurnTaker> claim, long before) {
    long granted = scheduler.sliceNanos();
    long begin = nanoTime.getAsLong();
    slice.begin(begin + granted);
    boolean hasMore = claim.work().takeTurn(claim);
    slice.end();
    long end = nanoTime.getAsLong();
    long stalled = stalls.within(end - begin, granted, end);
    scheduler.done(end, begin - before + stalled, hasMore, slice.usualNanos());
    slice.took(end - begin - stalled);
    claim.work().endTurn();
    return end;
  }
}
