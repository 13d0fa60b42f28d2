package io.keyvalueserve.sql.expr;

import io.keyvalueserve.engine.query.FieldType;
import org.jspecify.annotations.Nullable;

/**
 * A function of this service, which Calcite does not know.
 *
 * @param name in upper case
 * @param isStrict whether it is null if an argument is
 */
public record Builtin(
    String name, int minArguments, int maxArguments, Result result, boolean isStrict, Body body) {
  /** The type of the values. */
  public record Result(@Nullable FieldType type, boolean isCommon) {
    /** Is the type that all arguments have in common. */
    static final Result COMMON = new Result(null, true);

    /** Is the type of the first argument. */
    static final Result FIRST = new Result(null, false);
  }

  /** Computes a value. */
  @FunctionalInterface
  public interface Body {
    @Nullable Object apply(@Nullable Object[] arguments, Env env);
  }
}
