package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a row of each item of an array. */
public record UncollectNode(Node input, boolean isNumbered) implements Node {
  private static final double ITEMS = 10;

  @Override
  public RowSource open(Execution execution) {
    RowSource rows = execution.open(input);
    return new Rows(rows) {
      private Iterator<?> items = List.of().iterator();
      private int number;

      @Override
      @Nullable Object @Nullable [] make() {
        while (!items.hasNext()) {
          if (!rows.next()) {
            return null;
          }
          number = 0;
          items = rows.row()[0] instanceof List<?> list ? list.iterator() : List.of().iterator();
        }
        execution.step();
        List<@Nullable Object> row = new ArrayList<>();
        Object item = items.next();
        if (item instanceof List<?> fields) {
          row.addAll(fields);
        } else {
          row.add(item);
        }
        if (isNumbered) {
          row.add(++number);
        }
        return row.toArray();
      }
    };
  }

  @Override
  public List<Node> inputs() {
    return List.of(input);
  }

  @Override
  public String describe(@Nullable Execution execution) {
    return "Unnest";
  }

  @Override
  public double estimatedRows() {
    return input.estimatedRows() * ITEMS;
  }
}
