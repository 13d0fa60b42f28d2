package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.sql.expr.Expr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows that stand in the statement. */
public record ValuesNode(List<List<Expr>> rows) implements Node {
  @Override
  public RowSource open(Execution execution) {
    return new Rows() {
      private int at;

      @Override
      @Nullable Object @Nullable [] make() {
        if (at >= rows.size()) {
          return null;
        }
        execution.step();
        List<Expr> exprs = rows.get(at++);
        @Nullable Object[] row = new @Nullable Object[exprs.size()];
        for (int i = 0; i < row.length; i++) {
          row[i] = exprs.get(i).eval(ScanNode.NO_ROW, execution.env());
        }
        return row;
      }
    };
  }

  @Override
  public List<Node> inputs() {
    return List.of();
  }

  @Override
  public String describe(@Nullable Execution execution) {
    return "Values " + rows.size();
  }

  @Override
  public double estimatedRows() {
    return rows.size();
  }
}
