package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.FieldType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function over the rows of a group.
 *
 * @param columns of its arguments; empty if it counts rows
 * @param isDistinct whether equal values count once
 * @param filter the column that says which rows count; -1 for all
 * @param order of the rows, for functions that make lists; null for any
 */
public record AggregateCall(
    Function function,
    List<Integer> columns,
    boolean isDistinct,
    int filter,
    @Nullable RowOrder order,
    FieldType type) {
  /** The function that is computed. */
  public enum Function {
    COUNT,
    SUM,
    /** The sum, which is 0 of no values. */
    SUM_OR_ZERO,
    AVG,
    MIN,
    MAX,
    ANY,
    EVERY,
    SOME,
    STDDEV_POP,
    STDDEV_SAMP,
    VAR_POP,
    VAR_SAMP,
    LIST_TEXT,
    ARRAY,
    SINGLE,
    /** The number of the grouping set, of {@code GROUPING}. */
    GROUPING
  }

  public AggregateCall {
    columns = List.copyOf(columns);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(function.name()).append('(');
    text.append(isDistinct ? "DISTINCT " : "");
    for (int i = 0; i < columns.size(); i++) {
      text.append(i == 0 ? "$" : ", $").append(columns.get(i));
    }
    text.append(columns.isEmpty() && function == Function.COUNT ? "*)" : ")");
    return text.append(filter < 0 ? "" : " FILTER $" + filter).toString();
  }
}
