package io.keyvalueserve.grid.query;

import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.engine.query.Scan.Grouping;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Groups of rows that are made here, because members cannot make parts of them. */
final class GroupedRows implements RowSource {
  private static final int ROWS_BETWEEN_CHECKS = 256;

  private final RowSource source;
  private final Groups groups;
  private final QueryControl control;
  private @Nullable Iterator<@Nullable Object[]> rows;
  private @Nullable Object @Nullable [] row;
  private long held;

  /**
   * @param source rows of the values of the fields
   */
  GroupedRows(RowSource source, Grouping grouping, List<Field> fields, QueryControl control) {
    this.source = source;
    this.groups = new Groups(grouping, fields);
    this.control = control;
  }

  @Override
  public boolean next() {
    Iterator<@Nullable Object[]> all = rows;
    if (all == null) {
      all = group();
      rows = all;
    }
    if (!all.hasNext()) {
      return false;
    }
    row = all.next();
    return true;
  }

  private Iterator<@Nullable Object[]> group() {
    int count = 0;
    while (source.next()) {
      groups.add(source.row());
      if (++count % ROWS_BETWEEN_CHECKS == 0) {
        control.checkpoint();
        count();
      }
    }
    count();
    groups.ensureOne();
    return groups.rows().iterator();
  }

  private void count() {
    long more = groups.bytes() - held;
    control.take(more);
    held += more;
  }

  @Override
  public @Nullable Object[] row() {
    if (row == null) {
      throw new IllegalStateException("there is no row before next");
    }
    return row;
  }

  @Override
  public void close() {
    source.close();
    control.give(held);
    held = 0;
  }
}
