package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.sql.expr.Values;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code INTERSECT} and {@code EXCEPT} of two inputs: the rows of the right one are kept.
 *
 * @param isAll whether equal rows count as often as they are there
 */
public record SetNode(Node left, Node right, boolean intersects, boolean isAll) implements Node {
  @Override
  public RowSource open(Execution execution) {
    Held held = new Held(execution);
    RowSource rows = execution.open(left);
    return new Rows(rows) {
      private @Nullable Map<RowKey, Integer> counts;

      @Override
      @Nullable Object @Nullable [] make() {
        if (counts == null) {
          counts = counts(held, execution);
        }
        while (rows.next()) {
          execution.step();
          if (isWanted(counts, RowKey.of(rows.row()), held)) {
            return rows.row();
          }
        }
        return null;
      }

      @Override
      void release() {
        counts = null;
        held.release();
      }
    };
  }

  private boolean isWanted(Map<RowKey, Integer> counts, RowKey key, Held held) {
    int count = counts.getOrDefault(key, 0);
    if (intersects) {
      if (count == 0) {
        return false;
      }
      counts.put(key, isAll ? count - 1 : 0);
      return true;
    }
    if (isAll) {
      if (count > 0) {
        counts.put(key, count - 1);
      }
      return count == 0;
    }
    if (count > 0) {
      return false;
    }
    held.add(RowKey.BYTES + Values.sizeOf(key.values()));
    counts.put(key, 1);
    return true;
  }

  private Map<RowKey, Integer> counts(Held held, Execution execution) {
    Map<RowKey, Integer> counts = new HashMap<>();
    try (RowSource rows = execution.open(right)) {
      while (rows.next()) {
        execution.step();
        RowKey key = RowKey.of(rows.row());
        if (counts.merge(key, 1, Integer::sum) == 1) {
          held.add(RowKey.BYTES + Values.sizeOf(key.values()));
        }
      }
    }
    return counts;
  }

  @Override
  public List<Node> inputs() {
    return List.of(left, right);
  }

  @Override
  public String describe(@Nullable Execution execution) {
    return (intersects ? "Intersect" : "Except") + (isAll ? " all" : "");
  }

  @Override
  public double estimatedRows() {
    return left.estimatedRows();
  }
}
