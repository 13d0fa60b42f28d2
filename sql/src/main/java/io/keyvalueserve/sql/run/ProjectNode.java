package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.sql.expr.Expr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes each row anew, of expressions.
 *
 * @param text of the expressions, for people
 */
public record ProjectNode(Node input, List<Expr> values, String text) implements Node {
  @Override
  public RowSource open(Execution execution) {
    RowSource rows = execution.open(input);
    Expr[] exprs = values.toArray(new Expr[0]);
    return new Rows(rows) {
      @Override
      @Nullable Object @Nullable [] make() {
        if (!rows.next()) {
          return null;
        }
        execution.step();
        @Nullable Object[] from = rows.row();
        @Nullable Object[] row = new @Nullable Object[exprs.length];
        for (int i = 0; i < row.length; i++) {
          row[i] = exprs[i].eval(from, execution.env());
        }
        return row;
      }
    };
  }

  @Override
  public List<Node> inputs() {
    return List.of(input);
  }

  @Override
  public String describe(@Nullable Execution execution) {
    return "Project " + text;
  }

  @Override
  public double estimatedRows() {
    return input.estimatedRows();
  }
}
