package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.sql.expr.Values;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Groups rows by some of their columns.
 *
 * @param columns that are in a group's row, in their order
 * @param sets for each grouping set, its columns; mostly one set of all columns
 */
public record AggregateNode(
    Node input, List<Integer> columns, List<List<Integer>> sets, List<AggregateCall> calls)
    implements Node {
  private static final double GROUPED = 0.1;

  /** A group: its values and what is computed of its rows. */
  private record Group(@Nullable Object[] values, int set, Accumulator[] accumulators) {}

  /** The values of a group's columns, and the number of its grouping set. */
  private record GroupKey(int set, RowKey key) {}

  @Override
  public RowSource open(Execution execution) {
    RowSource rows = execution.open(input);
    Held held = new Held(execution);
    return new Rows(rows) {
      private @Nullable Iterator<Group> groups;

      @Override
      @Nullable Object @Nullable [] make() {
        if (groups == null) {
          groups = groups(rows, held, execution).values().iterator();
        }
        execution.step();
        return groups.hasNext() ? rowOf(groups.next()) : null;
      }

      @Override
      void release() {
        groups = null;
        held.release();
      }
    };
  }

  private Map<GroupKey, Group> groups(RowSource rows, Held held, Execution execution) {
    Map<GroupKey, Group> groups = new LinkedHashMap<>();
    for (int set = 0; set < sets.size(); set++) {
      if (sets.get(set).isEmpty()) {
        @Nullable Object[] none = new @Nullable Object[0];
        groups.put(new GroupKey(set, RowKey.of(none)), group(none, set, held));
      }
    }
    while (rows.next()) {
      execution.step();
      @Nullable Object[] row = rows.row();
      for (int set = 0; set < sets.size(); set++) {
        GroupKey key = new GroupKey(set, RowKey.of(row, sets.get(set)));
        Group group = groups.get(key);
        if (group == null) {
          held.add(RowKey.BYTES + Values.sizeOf(key.key().values()));
          group = group(row, set, held);
          groups.put(key, group);
        }
        accept(group, row);
      }
    }
    return groups;
  }

  private Group group(@Nullable Object[] row, int set, Held held) {
    @Nullable Object[] values = new @Nullable Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      if (sets.get(set).contains(columns.get(i))) {
        values[i] = row[columns.get(i)];
      }
    }
    Accumulator[] accumulators = new Accumulator[calls.size()];
    for (int i = 0; i < accumulators.length; i++) {
      if (calls.get(i).function() != AggregateCall.Function.GROUPING) {
        accumulators[i] = Accumulator.of(calls.get(i), held);
      }
    }
    held.add(Values.sizeOf(values) + (long) Accumulator.BYTES * accumulators.length);
    return new Group(values, set, accumulators);
  }

  private void accept(Group group, @Nullable Object[] row) {
    for (int i = 0; i < calls.size(); i++) {
      AggregateCall call = calls.get(i);
      if (call.function() != AggregateCall.Function.GROUPING) {
        Accumulator.accept(group.accumulators[i], call, row);
      }
    }
  }

  private @Nullable Object[] rowOf(Group group) {
    @Nullable Object[] row = new @Nullable Object[columns.size() + calls.size()];
    System.arraycopy(group.values, 0, row, 0, group.values.length);
    for (int i = 0; i < calls.size(); i++) {
      AggregateCall call = calls.get(i);
      row[columns.size() + i] =
          call.function() == AggregateCall.Function.GROUPING
              ? grouping(call, group.set)
              : group.accumulators[i].result();
    }
    return row;
  }

  private Object grouping(AggregateCall call, int set) {
    long bits = 0;
    for (int column : call.columns()) {
      bits = bits * 2 + (sets.get(set).contains(column) ? 0 : 1);
    }
    return bits;
  }

  @Override
  public List<Node> inputs() {
    return List.of(input);
  }

  @Override
  public String describe(@Nullable Execution execution) {
    return "Aggregate by " + (sets.size() == 1 ? columns : sets) + " of " + calls;
  }

  @Override
  public double estimatedRows() {
    return columns.isEmpty() ? 1 : Math.max(1, input.estimatedRows() * GROUPED);
  }
}
