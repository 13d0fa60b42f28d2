package io.keyvalueserve.grid.query;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The first rows of an order, so far. Used by one thread at a time. */
final class TopRows {
  private final RowOrder order;
  private final long most;
  private final PriorityQueue<@Nullable Object[]> rows;
  private long bytes;

  /**
   * @param most how many rows to keep, 0 or more
   */
  TopRows(RowOrder order, long most) {
    this.order = order;
    this.most = most;
    this.rows = new PriorityQueue<>(order.reversed());
  }

  /** Returns about how many bytes of heap the rows take. */
  long bytes() {
    return bytes;
  }

  /**
   * Takes a row.
   *
   * @param row is kept, and not to be changed
   */
  void add(@Nullable Object[] row) {
    if (rows.size() >= most) {
      @Nullable Object[] last = rows.peek();
      if (last == null || order.compare(row, last) >= 0) {
        return;
      }
      bytes -= Values.bytes(rows.remove());
    }
    boolean _ = rows.add(row);
    bytes += Values.bytes(row);
  }

  /** Returns the rows in their order. */
  List<@Nullable Object[]> sorted() {
    List<@Nullable Object[]> all = new ArrayList<>(rows);
    all.sort(order);
    return all;
  }
}
