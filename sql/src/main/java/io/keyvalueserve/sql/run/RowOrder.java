package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.Order;
import io.keyvalueserve.sql.expr.Values;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Orders rows by some of their columns. */
public record RowOrder(List<Order> keys) implements Comparator<@Nullable Object[]> {
  public RowOrder {
    keys = List.copyOf(keys);
  }

  @Override
  public int compare(@Nullable Object[] a, @Nullable Object[] b) {
    for (Order key : keys) {
      Object x = a[key.column()];
      Object y = b[key.column()];
      int order =
          x == null || y == null
              ? Values.compareNullable(x, y, key.nullsFirst())
              : key.descending() ? Values.compare(y, x) : Values.compare(x, y);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Order key : keys) {
      text.append(text.isEmpty() ? "$" : ", $")
          .append(key.column())
          .append(key.descending() ? " DESC" : "")
          .append(
              key.nullsFirst() == key.descending()
                  ? ""
                  : " NULLS " + (key.nullsFirst() ? "FIRST" : "LAST"));
    }
    return text.toString();
  }
}
