package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.sql.expr.Env;
import io.keyvalueserve.sql.expr.Expr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a plan, which makes rows. Immutable: many statements may carry it out at once. */
public interface Node {
  /** Begins to make rows. Their arrays are not used again: they may be kept. */
  RowSource open(Execution execution);

  /** Returns the parts whose rows this one takes. */
  List<Node> inputs();

  /**
   * Says in a line what this does, for {@code EXPLAIN}.
   *
   * @param execution to ask tables how they would scan; null if that is not known
   */
  String describe(@Nullable Execution execution);

  /** Returns about how many rows there will be. */
  double estimatedRows();

  /** Returns whether a row passes all tests. */
  static boolean passes(List<Expr> tests, @Nullable Object[] row, Env env) {
    for (Expr test : tests) {
      if (!test.isTrue(row, env)) {
        return false;
      }
    }
    return true;
  }
}
