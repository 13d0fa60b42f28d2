package io.keyvalueserve.postgres.system;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The row that expressions are computed for, within the rows of the queries around. */
final class Env {
  final Run run;
  final @Nullable Env outer;
  @Nullable Object[] row;

  /** The rows of the group, if rows are grouped. */
  @Nullable List<@Nullable Object[]> group;

  /** The values of the window functions. */
  @Nullable Object[] windows = new Object[0];

  Env(Run run, @Nullable Env outer, @Nullable Object[] row) {
    this.run = run;
    this.outer = outer;
    this.row = row;
  }

  /** Returns the environment of the query that is so many levels up. */
  Env up(int levels) {
    Env env = this;
    for (int i = 0; i < levels; i++) {
      Env next = env.outer;
      if (next == null) {
        throw new IllegalStateException("a name was bound to a query that is not there");
      }
      env = next;
    }
    return env;
  }
}
