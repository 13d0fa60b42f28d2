package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of several inputs, one after the other. */
public record UnionNode(List<Node> inputs) implements Node {
  public UnionNode {
    inputs = List.copyOf(inputs);
  }

  @Override
  public RowSource open(Execution execution) {
    return new Rows() {
      private int at;
      private @Nullable RowSource rows;

      @Override
      @Nullable Object @Nullable [] make() {
        while (rows != null || at < inputs.size()) {
          if (rows == null) {
            rows = execution.open(inputs.get(at++));
          }
          if (rows.next()) {
            return rows.row();
          }
          release();
        }
        return null;
      }

      @Override
      void release() {
        RowSource open = rows;
        rows = null;
        if (open != null) {
          open.close();
        }
      }
    };
  }

  @Override
  public String describe(@Nullable Execution execution) {
    return "Union";
  }

  @Override
  public double estimatedRows() {
    return inputs.stream().mapToDouble(Node::estimatedRows).sum();
  }
}
