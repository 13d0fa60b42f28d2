package io.keyvalueserve.sql.run;

import io.keyvalueserve.sql.expr.Values;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of some columns of a row, equal to others if SQL groups them together. */
record RowKey(@Nullable Object[] values, int hash) {
  /** Bytes of heap that one takes, without its values. */
  static final int BYTES = 96;

  static RowKey of(@Nullable Object[] row, List<Integer> columns) {
    @Nullable Object[] values = new @Nullable Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = Values.keyOf(row[columns.get(i)]);
    }
    return new RowKey(values, Arrays.hashCode(values));
  }

  static RowKey of(@Nullable Object[] row) {
    @Nullable Object[] values = new @Nullable Object[row.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = Values.keyOf(row[i]);
    }
    return new RowKey(values, Arrays.hashCode(values));
  }

  boolean hasNull() {
    for (Object value : values) {
      if (value == null) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RowKey that && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
