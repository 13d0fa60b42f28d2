package io.keyvalueserve.sql.expr;

import org.jspecify.annotations.Nullable;

/** An expression over the values of a row. Immutable, and thread-safe. */
@FunctionalInterface
public interface Expr {
  /**
   * Computes the value.
   *
   * @return null for null, and for unknown
   * @throws io.keyvalueserve.sql.failure.SqlFailure if there is none
   */
  @Nullable Object eval(@Nullable Object[] row, Env env);

  /** Returns whether the value is true: neither false nor unknown. */
  default boolean isTrue(@Nullable Object[] row, Env env) {
    return Boolean.TRUE.equals(eval(row, env));
  }
}
