package io.keyvalueserve.postgres.system;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query whose names were found. */
abstract class CompiledQuery {
  private final List<Relation.Column> columns;
  private final boolean usesOuter;

  CompiledQuery(List<Relation.Column> columns, boolean usesOuter) {
    this.columns = columns;
    this.usesOuter = usesOuter;
  }

  /** Returns the columns of its rows. */
  final List<Relation.Column> columns() {
    return columns;
  }

  /** Returns whether its rows depend on the row of a query around. */
  final boolean usesOuter() {
    return usesOuter;
  }

  /** Returns the rows, which are the same ones if they depend on nothing. */
  final List<@Nullable Object[]> rows(Run run, @Nullable Env outer) {
    return usesOuter ? compute(run, outer) : run.once(this, () -> compute(run, outer));
  }

  abstract List<@Nullable Object[]> compute(Run run, @Nullable Env outer);
}
