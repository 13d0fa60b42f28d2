package io.keyvalueserve.grid.query;

import io.keyvalueserve.engine.query.Order;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The order of rows by some of their columns. */
final class RowOrder implements Comparator<@Nullable Object[]> {
  private final List<Order> orders;

  RowOrder(List<Order> orders) {
    this.orders = orders;
  }

  @Override
  public int compare(@Nullable Object[] left, @Nullable Object[] right) {
    for (Order order : orders) {
      Object a = left[order.column()];
      Object b = right[order.column()];
      int result;
      if (a == null || b == null) {
        result = a == b ? 0 : (a == null) == order.nullsFirst() ? -1 : 1;
      } else {
        result = order.descending() ? Values.compare(b, a) : Values.compare(a, b);
      }
      if (result != 0) {
        return result;
      }
    }
    return 0;
  }
}
