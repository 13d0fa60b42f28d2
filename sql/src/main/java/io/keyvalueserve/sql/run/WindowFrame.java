package io.keyvalueserve.sql.run;

import io.keyvalueserve.sql.expr.Expr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that functions of windows look at, and the functions.
 *
 * @param partition columns of which rows have the same values
 * @param countsRows whether bounds count rows, else values
 */
public record WindowFrame(
    List<Integer> partition,
    RowOrder order,
    boolean countsRows,
    Bound lower,
    Bound upper,
    List<WindowCall> calls) {
  /**
   * An end of the rows.
   *
   * @param direction -1 for preceding, 0 for the current row, 1 for following
   * @param offset null if unbounded, or for the current row
   * @param isUnbounded whether there is no end
   */
  public record Bound(int direction, @Nullable Expr offset, boolean isUnbounded) {}
}
