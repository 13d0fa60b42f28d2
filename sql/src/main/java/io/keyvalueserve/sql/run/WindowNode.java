package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.Order;
import io.keyvalueserve.engine.query.RowSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds to each row what functions of windows say of it. All rows are kept.
 *
 * @param width of the input's rows
 */
public record WindowNode(Node input, int width, List<WindowFrame> frames) implements Node {
  @Override
  public RowSource open(Execution execution) {
    RowSource rows = execution.open(input);
    Held held = new Held(execution);
    return new Rows(rows) {
      private @Nullable Object @Nullable [][] all;
      private int at;

      @Override
      @Nullable Object @Nullable [] make() {
        @Nullable Object[][] made = all;
        if (made == null) {
          made = compute(rows, held, execution);
          all = made;
        }
        execution.step();
        return at < made.length ? made[at++] : null;
      }

      @Override
      void release() {
        all = new @Nullable Object[0][];
        held.release();
      }
    };
  }

  private @Nullable Object[][] compute(RowSource rows, Held held, Execution execution) {
    int added = frames.stream().mapToInt(frame -> frame.calls().size()).sum();
    List<@Nullable Object[]> kept = new ArrayList<>();
    while (rows.next()) {
      execution.step();
      @Nullable Object[] row = Arrays.copyOf(rows.row(), width + added);
      held.add(row);
      kept.add(row);
    }
    @Nullable Object[][] all = kept.toArray(new @Nullable Object[0][]);
    int place = width;
    for (WindowFrame frame : frames) {
      sort(all, frame, execution);
      int begin = 0;
      while (begin < all.length) {
        int end = begin + 1;
        RowKey key = RowKey.of(all[begin], frame.partition());
        while (end < all.length && key.equals(RowKey.of(all[end], frame.partition()))) {
          execution.step();
          end++;
        }
        new WindowPart(all, begin, end, frame, execution, held).fill(place);
        begin = end;
      }
      place += frame.calls().size();
    }
    return all;
  }

  private static void sort(@Nullable Object[][] all, WindowFrame frame, Execution execution) {
    List<Order> keys = new ArrayList<>();
    frame.partition().forEach(column -> keys.add(new Order(column, false, false)));
    keys.addAll(frame.order().keys());
    RowOrder order = new RowOrder(keys);
    Arrays.sort(
        all,
        (a, b) -> {
          execution.step();
          return order.compare(a, b);
        });
  }

  @Override
  public List<Node> inputs() {
    return List.of(input);
  }

  @Override
  public String describe(@Nullable Execution execution) {
    StringBuilder text = new StringBuilder("Window");
    for (WindowFrame frame : frames) {
      text.append(" partition by ").append(frame.partition());
      text.append(" order by ").append(frame.order());
      for (WindowCall call : frame.calls()) {
        text.append(' ').append(call.aggregate() == null ? call.name() : call.aggregate());
      }
    }
    return text.toString();
  }

  @Override
  public double estimatedRows() {
    return input.estimatedRows();
  }
}
