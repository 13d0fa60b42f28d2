package io.keyvalueserve.sql.service;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.sql.SqlException;
import io.keyvalueserve.sql.expr.Casts;
import io.keyvalueserve.sql.run.Execution;
import org.jspecify.annotations.Nullable;

/** The carrying out of one statement, from its admission to its bill. Used by one thread. */
final class Carrying {
  private final Parts parts;
  private final Visit visit;
  private final Prepared prepared;
  private final Run run;
  private long workedNanos;
  private long writes;
  private long deletes;
  private boolean isEnded;

  Carrying(Parts parts, Visit visit, Prepared prepared, Run run) {
    this.parts = parts;
    this.visit = visit;
    this.prepared = prepared;
    this.run = run;
  }

  Run run() {
    return run;
  }

  Execution execution() {
    return run.execution();
  }

  @Nullable Object cast(@Nullable Object value, FieldType type) {
    return Casts.cast(value, type, execution().env().zone());
  }

  /** Counts entries that were written. */
  void written(long count) {
    writes += count;
  }

  /** Counts entries that were removed. */
  void removed(long count) {
    deletes += count;
  }

  /** Works, with a turn. */
  void work(Runnable body) throws SqlException {
    long begin = System.nanoTime();
    try {
      execution().work();
      body.run();
    } catch (RuntimeException | StackOverflowError e) {
      throw Faults.of(e, execution());
    } finally {
      execution().rest();
      workedNanos += System.nanoTime() - begin;
    }
  }

  /** Ends the statement: it is counted, and holds nothing any more. Idempotent. */
  void end(@Nullable RowSource rows) {
    if (isEnded) {
      return;
    }
    isEnded = true;
    try {
      if (rows != null) {
        rows.close();
      }
    } catch (RuntimeException e) {
      Faults.logClosing(e);
    } finally {
      execution().close();
      parts.runs().remove(run);
      visit.carriedOut(visit.apart(), execution().examined(), writes, deletes);
      if (workedNanos >= parts.slowNanos()) {
        String plan =
            prepared.plan() == null
                ? ""
                : String.join("\n", Explainer.lines(prepared.plan(), null));
        parts.slow().slow(run.shown(), plan, workedNanos);
      }
    }
  }
}
