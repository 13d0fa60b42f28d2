package io.keyvalueserve.sql.service;

import io.keyvalueserve.sql.SqlColumn;
import io.keyvalueserve.sql.SqlCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A result that is at hand: a number of rows that were written, or a few rows. */
final class ListCursor implements SqlCursor {
  private static final @Nullable Object[] NONE = new @Nullable Object[0];

  private final String id;
  private final List<SqlColumn> columns;
  private final long updated;
  private final List<@Nullable Object[]> rows;
  private int at = -1;

  private ListCursor(
      String id, List<SqlColumn> columns, long updated, List<@Nullable Object[]> rows) {
    this.id = id;
    this.columns = columns;
    this.updated = updated;
    this.rows = rows;
  }

  static ListCursor ofCount(String id, long updated) {
    return new ListCursor(id, List.of(), updated, List.of());
  }

  static ListCursor ofRows(String id, List<SqlColumn> columns, List<@Nullable Object[]> rows) {
    return new ListCursor(id, columns, -1, rows);
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public List<SqlColumn> columns() {
    return columns;
  }

  @Override
  public long updated() {
    return updated;
  }

  @Override
  public boolean next() {
    if (at + 1 >= rows.size()) {
      at = rows.size();
      return false;
    }
    at++;
    return true;
  }

  @Override
  public @Nullable Object[] row() {
    return at >= 0 && at < rows.size() ? rows.get(at) : NONE;
  }

  @Override
  public void close() {
    at = rows.size();
  }
}
