package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.sql.expr.Casts;
import io.keyvalueserve.sql.expr.Env;
import io.keyvalueserve.sql.expr.Expr;
import io.keyvalueserve.sql.failure.SqlFailure;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Leaves out the first rows, and those behind the last ones. */
public record LimitNode(Node input, @Nullable Expr offset, @Nullable Expr fetch) implements Node {
  private static final double USUAL = 100;

  /**
   * Returns a number of rows.
   *
   * @param ifNull for null
   */
  static long count(@Nullable Expr expr, Env env, String word, long ifNull) {
    Object value = expr == null ? null : expr.eval(ScanNode.NO_ROW, env);
    if (value == null) {
      return ifNull;
    }
    Object number = Casts.cast(value, FieldType.BIGINT, ZoneOffset.UTC);
    if (!(number instanceof Long count) || count < 0) {
      throw new SqlFailure(
          word.equals("LIMIT") ? "2201W" : "2201X", word + " must not be negative");
    }
    return count;
  }

  @Override
  public RowSource open(Execution execution) {
    long skipped = count(offset, execution.env(), "OFFSET", 0);
    long most = count(fetch, execution.env(), "LIMIT", Long.MAX_VALUE);
    RowSource rows = execution.open(input);
    return new Rows(rows) {
      private long left = most;
      private boolean hasSkipped;

      @Override
      @Nullable Object @Nullable [] make() {
        if (left <= 0) {
          return null;
        }
        if (!hasSkipped) {
          hasSkipped = true;
          for (long i = 0; i < skipped; i++) {
            execution.step();
            if (!rows.next()) {
              left = 0;
              return null;
            }
          }
        }
        left--;
        return rows.next() ? rows.row() : null;
      }
    };
  }

  @Override
  public List<Node> inputs() {
    return List.of(input);
  }

  @Override
  public String describe(@Nullable Execution execution) {
    return "Limit"
        + (fetch == null ? "" : " " + fetch)
        + (offset == null ? "" : " offset " + offset);
  }

  @Override
  public double estimatedRows() {
    return fetch == null ? input.estimatedRows() : Math.min(USUAL, input.estimatedRows());
  }
}
