package io.keyvalueserve.postgres.system;

import org.jspecify.annotations.Nullable;

/** Computes an expression for a row. */
@FunctionalInterface
interface Eval {
  @Nullable Object of(Env env);
}
