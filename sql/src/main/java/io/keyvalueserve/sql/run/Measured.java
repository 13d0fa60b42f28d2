package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import org.jspecify.annotations.Nullable;

/** The work of one part of a plan, for {@code EXPLAIN ANALYZE}. Used by one thread. */
public final class Measured {
  private final Execution execution;
  private long rows;
  private long nanos;
  private long examined;
  private long maxHeld;
  private int opened;
  private @Nullable RowSource last;

  Measured(Execution execution) {
    this.execution = execution;
  }

  void open(Node node) {
    long begin = System.nanoTime();
    long before = execution.examined();
    last = new Source(node.open(execution));
    note(begin, before);
    opened++;
  }

  RowSource rows() {
    RowSource source = last;
    if (source == null) {
      throw new IllegalStateException("nothing is open");
    }
    return source;
  }

  private void note(long begin, long before) {
    nanos += System.nanoTime() - begin;
    examined += execution.examined() - before;
    maxHeld = Math.max(maxHeld, execution.heldBytes());
  }

  /** Returns the counts in words; times and entries are with those of the inputs. */
  public String shown() {
    return "rows=%d time=%.3fms examined=%d heap=%d%s"
        .formatted(rows, nanos / 1e6, examined, maxHeld, opened == 1 ? "" : " times=" + opened);
  }

  /** Counts the rows of a source. */
  private final class Source implements RowSource {
    private final RowSource source;

    Source(RowSource source) {
      this.source = source;
    }

    @Override
    public boolean next() {
      long begin = System.nanoTime();
      long before = execution.examined();
      boolean isThere = source.next();
      note(begin, before);
      if (isThere) {
        rows++;
      }
      return isThere;
    }

    @Override
    public @Nullable Object[] row() {
      return source.row();
    }

    @Override
    public void close() {
      source.close();
    }
  }
}
