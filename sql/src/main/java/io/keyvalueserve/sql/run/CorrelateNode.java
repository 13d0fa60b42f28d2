package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.sql.run.Joining.BuiltRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Carries the right input out for each row of the left one, which it refers to. */
public record CorrelateNode(
    Node left, Node right, JoinKind kind, int leftWidth, int rightWidth, int id) implements Node {
  @Override
  public RowSource open(Execution execution) {
    Held held = new Held(execution);
    RowSource rows = execution.open(left);
    return new Joining(rows, kind, List.of(), leftWidth, rightWidth, execution, rows) {
      @Override
      List<BuiltRow> candidates(@Nullable Object[] row) {
        held.release();
        execution.env().setOuterRow(id, row);
        List<BuiltRow> found = new ArrayList<>();
        try (RowSource inner = execution.open(right)) {
          while (inner.next()) {
            execution.step();
            held.add(inner.row());
            found.add(new BuiltRow(inner.row()));
          }
        }
        return found;
      }

      @Override
      List<BuiltRow> all() {
        return List.of();
      }

      @Override
      void release() {
        held.release();
      }
    };
  }

  @Override
  public List<Node> inputs() {
    return List.of(left, right);
  }

  @Override
  public String describe(@Nullable Execution execution) {
    return "For each row " + kind;
  }

  @Override
  public double estimatedRows() {
    return left.estimatedRows() * right.estimatedRows();
  }
}
