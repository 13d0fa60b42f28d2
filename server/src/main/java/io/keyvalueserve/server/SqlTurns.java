package io.keyvalueserve.server;

import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.grid.turn.TurnPool;
import io.keyvalueserve.sql.QueryTurns;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Turns of statements, by a pool of threads that tenants share in turns. While a statement works,
 * it has the place of one of the threads, or, if it had to wait for its turn, one of the threads
 * for itself, which waits for it: so no more statements work at once than the pool has threads.
 * Thread-safe.
 */
final class SqlTurns implements QueryTurns {
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final TurnPool pool;

  SqlTurns(TurnPool pool) {
    this.pool = pool;
  }

  @Override
  public Turn begin(int tenant) {
    Held turn = new Held(tenant);
    turn.take();
    return turn;
  }

  /** A turn of one statement. For the thread that has begun it. */
  private final class Held implements Turn {
    private final int tenant;

    /** Gives back what the statement has. */
    private @Nullable Runnable leave;

    private long sliceEnd;

    Held(int tenant) {
      this.tenant = tenant;
    }

    private void take() {
      TurnPool.OwnTurn own = pool.tryBegin(tenant);
      if (own == null) {
        awaitTurn();
      } else {
        leave = own::close;
      }
      sliceEnd = System.nanoTime() + SLICE_NANOS;
    }

    private void awaitTurn() {
      LentThread wanted = new LentThread();
      leave = wanted::leave;
      try {
        pool.execute(tenant, wanted, () -> true);
      } catch (RejectedExecutionException e) {
        throw new QueryException(
            QueryException.Kind.THROTTLED,
            "too many queries of the tenant wait at this member: try again later",
            e);
      }
      wanted.await();
    }

    @Override
    public void checkpoint() {
      if (System.nanoTime() - sliceEnd >= 0) {
        close();
        take();
      }
    }

    @Override
    public void close() {
      Runnable had = leave;
      leave = null;
      if (had != null) {
        had.run();
      }
    }
  }

  /** A thread of the pool that waits while a statement works. */
  private static final class LentThread implements Runnable {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch left = new CountDownLatch(1);

    @Override
    public void run() {
      begun.countDown();
      try {
        left.await();
      } catch (InterruptedException e) { // the member goes down
        Thread.currentThread().interrupt();
      }
    }

    void await() {
      try {
        begun.await();
      } catch (InterruptedException e) {
        left.countDown();
        Thread.currentThread().interrupt();
        throw new QueryException(QueryException.Kind.CANCELLED, "the statement was ended", e);
      }
    }

    void leave() {
      left.countDown();
    }
  }
}
