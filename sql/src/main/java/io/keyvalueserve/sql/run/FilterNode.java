package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.sql.expr.Expr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets rows through that pass all tests.
 *
 * @param text of the tests, for people
 */
public record FilterNode(Node input, List<Expr> tests, String text) implements Node {
  private static final double SELECTED = 0.25;

  @Override
  public RowSource open(Execution execution) {
    RowSource rows = execution.open(input);
    return new Rows(rows) {
      @Override
      @Nullable Object @Nullable [] make() {
        while (rows.next()) {
          execution.step();
          if (Node.passes(tests, rows.row(), execution.env())) {
            return rows.row();
          }
        }
        return null;
      }
    };
  }

  @Override
  public List<Node> inputs() {
    return List.of(input);
  }

  @Override
  public String describe(@Nullable Execution execution) {
    return "Filter " + text;
  }

  @Override
  public double estimatedRows() {
    return input.estimatedRows() * SELECTED;
  }
}
