package io.keyvalueserve.sql.run;

import io.keyvalueserve.sql.expr.Values;
import org.jspecify.annotations.Nullable;

/** Counts the heap that an operator keeps, and takes it in larger pieces. */
final class Held {
  private static final long PIECE = 16 << 10;

  private final Execution execution;
  private long taken;
  private long used;

  Held(Execution execution) {
    this.execution = execution;
  }

  void add(long bytes) {
    used += bytes;
    if (used > taken) {
      long more = Math.max(PIECE, used - taken);
      execution.take(more);
      taken += more;
    }
  }

  /** Adds a row that is kept in a list. */
  void add(@Nullable Object[] row) {
    add(Values.sizeOf(row) + Long.BYTES);
  }

  /** Takes off what is not kept any more. */
  void remove(long bytes) {
    used -= bytes;
    if (taken - used > 4 * PIECE) {
      long less = taken - used - PIECE;
      execution.give(less);
      taken -= less;
    }
  }

  void release() {
    execution.give(taken);
    taken = 0;
    used = 0;
  }
}
