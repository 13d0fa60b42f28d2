package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.sql.QueryHeap;
import io.keyvalueserve.sql.QueryTurns;
import io.keyvalueserve.sql.expr.Env;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A statement that is carried out: its bounds and its counts. Used by the statement's thread, but
 * for {@link #cancel} and {@link #control}, which any thread may use.
 */
public final class Execution implements AutoCloseable {
  private static final int STEPS = 64;

  private final Env env;
  private final List<QueryTable> tables;
  private final QueryTurns turns;
  private final QueryHeap heap;
  private final int tenant;
  private final long deadlineNanos;
  private final Control control = new Control();
  private final AtomicLong held = new AtomicLong();
  private final AtomicLong examined = new AtomicLong();
  private final @Nullable Map<Node, Measured> measured;
  private volatile @Nullable String cancelled;
  private volatile boolean isOutOfMemory;
  private QueryTurns.@Nullable Turn turn;
  private int steps;

  /**
   * @param tables by the numbers that the plan has for them
   * @param deadlineNanos as {@link System#nanoTime}
   * @param measures whether each operator is measured
   */
  public Execution(
      Env env,
      List<QueryTable> tables,
      QueryTurns turns,
      QueryHeap heap,
      long deadlineNanos,
      boolean measures) {
    this.env = env;
    this.tables = List.copyOf(tables);
    this.turns = turns;
    this.heap = heap;
    this.tenant = env.caller().number();
    this.deadlineNanos = deadlineNanos;
    this.measured = measures ? new IdentityHashMap<>() : null;
  }

  /** Returns the values that expressions see. */
  public Env env() {
    return env;
  }

  /** Returns a table by its number in the plan. */
  public QueryTable table(int number) {
    return tables.get(number);
  }

  /** Returns the control for engines. Thread-safe. */
  public QueryControl control() {
    return control;
  }

  /** Opens the rows of a part of the plan. */
  public RowSource open(Node node) {
    if (measured == null) {
      return node.open(this);
    }
    Measured source = measured.computeIfAbsent(node, _ -> new Measured(this));
    source.open(node);
    return source.rows();
  }

  /** Returns what a part of the plan has done; null if it is not measured. */
  public @Nullable Measured measured(Node node) {
    return measured == null ? null : measured.get(node);
  }

  /** Called for each row that is looked at: now and then, checks whether to go on. */
  public void step() {
    if (++steps >= STEPS) {
      steps = 0;
      checkpoint();
    }
  }

  /** Checks whether to go on, and lets others go first if it is their turn. */
  public void checkpoint() {
    requireAlive();
    if (turn != null) {
      turn.checkpoint();
    }
  }

  private void requireAlive() {
    String reason = cancelled;
    if (reason != null) {
      throw new SqlFailure(SqlState.CANCELLED, reason);
    }
    if (System.nanoTime() - deadlineNanos > 0) {
      throw new SqlFailure(
          SqlState.CANCELLED,
          "the statement took longer than its timeout",
          0,
          "narrow it with WHERE on a key or an indexed column, or ask for a longer timeout");
    }
  }

  /** Begins to work: waits for a turn. */
  public void work() {
    requireAlive();
    if (turn == null) {
      turn = turns.begin(tenant);
    }
  }

  /** Stops working: others may have the turn. */
  public void rest() {
    QueryTurns.Turn had = turn;
    if (had != null) {
      turn = null;
      had.close();
    }
  }

  /** Ends the statement soon. Any thread. */
  public void cancel(String reason) {
    cancelled = reason;
  }

  /** Returns how many bytes of heap are taken. Any thread. */
  public long heldBytes() {
    return held.get();
  }

  /** Returns how many entries were looked at. Any thread. */
  public long examined() {
    return examined.get();
  }

  /** Returns whether it was heap that there was not enough of. */
  public boolean isOutOfMemory() {
    return isOutOfMemory;
  }

  /** Takes heap for rows that are kept. */
  public void take(long bytes) {
    if (bytes == 0) {
      return;
    }
    if (!heap.take(tenant, bytes)) {
      isOutOfMemory = true;
      throw new SqlFailure(SqlState.OUT_OF_MEMORY, noMemory(bytes), 0, REMEDY);
    }
    held.addAndGet(bytes);
  }

  private static final String REMEDY =
      "narrow the statement with WHERE, group by fewer values, or sort with LIMIT";

  private String noMemory(long bytes) {
    return "statements of the tenant may keep "
        + heap.bound(tenant)
        + " bytes of heap at a member: this one holds "
        + held.get()
        + " and needs "
        + bytes
        + " more";
  }

  /** Gives heap back; not more than was taken. */
  public void give(long bytes) {
    long before = held.getAndUpdate(present -> Math.max(0, present - bytes));
    long given = Math.min(before, bytes);
    if (given > 0) {
      heap.give(tenant, given);
    }
  }

  /** Gives back the turn, and all heap that is still taken. */
  @Override
  public void close() {
    rest();
    long rest = held.getAndSet(0);
    if (rest > 0) {
      heap.give(tenant, rest);
    }
  }

  /** The view of the statement that engines have. */
  private final class Control implements QueryControl {
    @Override
    public void checkpoint() {
      try {
        requireAlive();
      } catch (SqlFailure e) {
        throw new QueryException(QueryException.Kind.CANCELLED, message(e));
      }
    }

    private static String message(SqlFailure failure) {
      String message = failure.getMessage();
      return message == null ? "the statement was ended" : message;
    }

    @Override
    public void examined(long entries) {
      examined.addAndGet(entries);
    }

    @Override
    public void take(long bytes) {
      try {
        Execution.this.take(bytes);
      } catch (SqlFailure e) {
        throw new QueryException(QueryException.Kind.QUOTA, message(e));
      }
    }

    @Override
    public void give(long bytes) {
      Execution.this.give(bytes);
    }

    @Override
    public int tenant() {
      return tenant;
    }

    @Override
    public long deadlineNanos() {
      return deadlineNanos;
    }
  }
}
