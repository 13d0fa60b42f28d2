package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.expr.Casts;
import io.keyvalueserve.sql.expr.Env;
import io.keyvalueserve.sql.expr.Expr;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** The rows that are needed: those that are skipped, and those that are wanted. */
record LimitSum(@Nullable Expr offset, Expr fetch) implements Expr {
  static Expr of(@Nullable Expr offset, Expr fetch) {
    return offset == null ? fetch : new LimitSum(offset, fetch);
  }

  @Override
  public @Nullable Object eval(@Nullable Object[] row, Env env) {
    Object wanted = Casts.cast(fetch.eval(row, env), FieldType.BIGINT, ZoneOffset.UTC);
    if (wanted == null || offset == null) {
      return wanted;
    }
    Object skipped = Casts.cast(offset.eval(row, env), FieldType.BIGINT, ZoneOffset.UTC);
    if (skipped == null || (long) skipped < 0 || (long) wanted < 0) {
      return wanted;
    }
    long sum = (long) skipped + (long) wanted;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  @Override
  public String toString() {
    return offset + " + " + fetch;
  }
}
