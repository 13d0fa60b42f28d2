package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a scan, read some at a time: while it waits for them, the statement has no turn. It
 * has one while it works with them.
 */
final class ScannedRows extends Rows {
  private static final int BATCH = 64;

  private final RowSource source;
  private final Execution execution;
  private final ArrayDeque<@Nullable Object[]> batch = new ArrayDeque<>(BATCH);
  private boolean isEnd;

  ScannedRows(RowSource source, Execution execution) {
    super(source);
    this.source = source;
    this.execution = execution;
  }

  @Override
  @Nullable Object @Nullable [] make() {
    if (batch.isEmpty()) {
      if (isEnd) {
        return null;
      }
      fill();
    }
    return batch.poll();
  }

  private void fill() {
    execution.rest();
    try {
      while (batch.size() < BATCH) {
        if (!source.next()) {
          isEnd = true;
          break;
        }
        batch.add(source.row().clone());
      }
    } finally {
      execution.work();
    }
  }
}
