package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes one array of all rows: {@code ARRAY(SELECT ...)}. */
public record CollectNode(Node input) implements Node {
  @Override
  public RowSource open(Execution execution) {
    Held held = new Held(execution);
    RowSource rows = execution.open(input);
    return new Rows(rows) {
      private boolean isDone;

      @Override
      @Nullable Object @Nullable [] make() {
        if (isDone) {
          return null;
        }
        isDone = true;
        List<@Nullable Object> items = new ArrayList<>();
        while (rows.next()) {
          execution.step();
          held.add(rows.row());
          @Nullable Object[] row = rows.row();
          items.add(row.length == 1 ? row[0] : Arrays.asList(row));
        }
        return new @Nullable Object[] {items};
      }

      @Override
      void release() {
        held.release();
      }
    };
  }

  @Override
  public List<Node> inputs() {
    return List.of(input);
  }

  @Override
  public String describe(@Nullable Execution execution) {
    return "Collect";
  }

  @Override
  public double estimatedRows() {
    return 1;
  }
}
