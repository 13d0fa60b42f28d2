package io.keyvalueserve.sql.service;

import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.sql.SqlColumn;
import io.keyvalueserve.sql.SqlCursor;
import io.keyvalueserve.sql.SqlException;
import io.keyvalueserve.sql.expr.Values;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows that are made a page at a time: only then the statement has a turn. */
final class PagedCursor implements SqlCursor {
  private static final int ROWS = 128;
  private static final int BYTES = 64 << 10;
  private static final @Nullable Object[] NONE = new @Nullable Object[0];

  private final Carrying carrying;
  private final List<SqlColumn> columns;
  private final RowSource rows;
  private final ArrayDeque<@Nullable Object[]> page = new ArrayDeque<>(ROWS);
  private @Nullable Object[] row = NONE;
  private boolean isEnd;
  private boolean isFirst = true;

  PagedCursor(Carrying carrying, List<SqlColumn> columns, RowSource rows) {
    this.carrying = carrying;
    this.columns = columns;
    this.rows = rows;
  }

  @Override
  public String id() {
    return carrying.run().id();
  }

  @Override
  public List<SqlColumn> columns() {
    return columns;
  }

  @Override
  public long updated() {
    return -1;
  }

  @Override
  public boolean next() throws SqlException {
    if (page.isEmpty()) {
      if (isEnd) {
        return false;
      }
      try {
        carrying.work(this::fill);
      } catch (SqlException e) {
        isEnd = true;
        row = NONE;
        end();
        throw e;
      }
      if (isEnd) {
        end();
      }
    }
    @Nullable Object[] made = page.poll();
    if (made == null) {
      row = NONE;
      return false;
    }
    row = made;
    return true;
  }

  /** Makes a page; the first one is short, as a client waits for it. */
  private void fill() {
    int most = isFirst ? ROWS / 8 : ROWS;
    isFirst = false;
    long bytes = 0;
    while (page.size() < most && bytes < BYTES) {
      if (!rows.next()) {
        isEnd = true;
        break;
      }
      bytes += Values.sizeOf(rows.row());
      page.add(shown(rows.row()));
    }
    carrying.run().returned(page.size());
  }

  /** Returns a row whose values are of the classes of its columns. */
  private @Nullable Object[] shown(@Nullable Object[] made) {
    for (int i = 0; i < made.length; i++) {
      Object value = made[i];
      if (value != null && !columns.get(i).type().javaClass().isInstance(value)) {
        @Nullable Object[] copy = made.clone();
        for (int j = i; j < copy.length; j++) {
          copy[j] = carrying.cast(copy[j], columns.get(j).type());
        }
        return copy;
      }
    }
    return made;
  }

  @Override
  public @Nullable Object[] row() {
    return row;
  }

  private void end() {
    carrying.end(rows);
  }

  @Override
  public void close() {
    isEnd = true;
    page.clear();
    end();
  }
}
