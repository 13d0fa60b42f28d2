package io.keyvalueserve.grid.query;

import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.engine.query.Scan;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The first rows of an order, sorted here. */
final class SortedRows implements RowSource {
  private final RowSource source;
  private final TopRows top;
  private final QueryControl control;
  private @Nullable Iterator<@Nullable Object[]> rows;
  private @Nullable Object @Nullable [] row;
  private long held;

  SortedRows(RowSource source, Scan scan, QueryControl control) {
    this.source = source;
    this.top = new TopRows(new RowOrder(scan.order()), scan.limit());
    this.control = control;
  }

  @Override
  public boolean next() {
    Iterator<@Nullable Object[]> all = rows;
    if (all == null) {
      while (source.next()) {
        top.add(source.row().clone());
      }
      control.take(top.bytes());
      held = top.bytes();
      all = top.sorted().iterator();
      rows = all;
    }
    if (!all.hasNext()) {
      return false;
    }
    row = all.next();
    return true;
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
