package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.sql.expr.Env;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rows that a function makes one by one: of a virtual table, a series, an array. */
public record MadeNode(
    String text, Function<Env, Iterator<@Nullable Object[]>> maker, double estimatedRows)
    implements Node {
  @Override
  public RowSource open(Execution execution) {
    execution.rest();
    Iterator<@Nullable Object[]> rows;
    try {
      rows = maker.apply(execution.env());
    } finally {
      execution.work();
    }
    return new Rows() {
      @Override
      @Nullable Object @Nullable [] make() {
        execution.step();
        return rows.hasNext() ? rows.next() : null;
      }
    };
  }

  @Override
  public List<Node> inputs() {
    return List.of();
  }

  @Override
  public String describe(@Nullable Execution execution) {
    return text;
  }
}
