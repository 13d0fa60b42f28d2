package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.sql.expr.Env;
import io.keyvalueserve.sql.expr.Expr;
import io.keyvalueserve.sql.expr.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Sorts rows, all of them or the first ones. Equal rows keep their order. */
public record SortNode(Node input, RowOrder order, @Nullable Expr offset, @Nullable Expr fetch)
    implements Node {
  private static final int USUAL = 100;

  /** A row and its place among those of the input. */
  private record Placed(@Nullable Object[] row, long place) {}

  @Override
  public RowSource open(Execution execution) {
    Env env = execution.env();
    long skipped = LimitNode.count(offset, env, "OFFSET", 0);
    long fetched = LimitNode.count(fetch, env, "LIMIT", Long.MAX_VALUE);
    long most = fetched > Long.MAX_VALUE - skipped ? Long.MAX_VALUE : fetched + skipped;
    RowSource rows = execution.open(input);
    Held held = new Held(execution);
    return new Rows(rows) {
      private @Nullable Object @Nullable [][] sorted;
      private int at;

      @Override
      @Nullable Object @Nullable [] make() {
        @Nullable Object[][] all = sorted;
        if (all == null) {
          all =
              most == Long.MAX_VALUE
                  ? all(rows, held, execution)
                  : top(rows, most, held, execution);
          sorted = all;
          at = (int) Math.min(skipped, all.length);
        }
        execution.step();
        return at < all.length ? all[at++] : null;
      }

      @Override
      void release() {
        sorted = new @Nullable Object[0][];
        held.release();
      }
    };
  }

  private @Nullable Object[][] all(RowSource rows, Held held, Execution execution) {
    List<@Nullable Object[]> kept = new ArrayList<>();
    while (rows.next()) {
      execution.step();
      held.add(rows.row());
      kept.add(rows.row());
    }
    @Nullable Object[][] all = kept.toArray(new @Nullable Object[0][]);
    Arrays.sort(
        all,
        (a, b) -> {
          execution.step();
          return order.compare(a, b);
        });
    return all;
  }

  private @Nullable Object[][] top(RowSource rows, long most, Held held, Execution execution) {
    Comparator<Placed> byOrder =
        (a, b) -> {
          int compared = order.compare(a.row, b.row);
          return compared != 0 ? compared : Long.compare(a.place, b.place);
        };
    PriorityQueue<Placed> worstFirst = new PriorityQueue<>(byOrder.reversed());
    long place = 0;
    while (most > 0 && rows.next()) {
      execution.step();
      Placed placed = new Placed(rows.row(), place++);
      if (worstFirst.size() >= most) {
        Placed worst = worstFirst.peek();
        if (worst != null && byOrder.compare(placed, worst) >= 0) {
          continue;
        }
        worstFirst.poll();
        if (worst != null) {
          held.remove(Values.sizeOf(worst.row) + Long.BYTES);
        }
      }
      held.add(placed.row);
      worstFirst.add(placed);
    }
    List<Placed> kept = new ArrayList<>(worstFirst);
    kept.sort(byOrder);
    return kept.stream().map(Placed::row).toArray(n -> new @Nullable Object[n][]);
  }

  @Override
  public List<Node> inputs() {
    return List.of(input);
  }

  @Override
  public String describe(@Nullable Execution execution) {
    return (fetch == null ? "Sort by " : "Top " + fetch + " by ")
        + order
        + (offset == null ? "" : " offset " + offset);
  }

  @Override
  public double estimatedRows() {
    return fetch == null ? input.estimatedRows() : Math.min(USUAL, input.estimatedRows());
  }
}
