package io.keyvalueserve.sql.service;

import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Condition.Comparison;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.sql.expr.Casts;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.plan.Plan;
import io.keyvalueserve.sql.run.ConditionPlan;
import io.keyvalueserve.sql.run.Execution;
import io.keyvalueserve.sql.run.LookupNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Writes what a plan makes, in slices. Used by the statement's thread. */
final class Writer {
  private static final int SLICE = 256;
  private static final int MAX_TRIES = 100;

  private final Plan plan;
  private final Execution execution;

  Writer(Plan plan, Execution execution) {
    this.plan = plan;
    this.execution = execution;
  }

  /** Writes all rows; returns how many entries were written. */
  long write(Plan.Write write) {
    execution.work();
    long written = 0;
    try (RowSource rows = execution.open(plan.node())) {
      List<@Nullable Object[]> slice = new ArrayList<>(SLICE);
      while (rows.next()) {
        execution.step();
        slice.add(rows.row());
        if (slice.size() == SLICE) {
          written += write(write, slice);
          slice.clear();
        }
      }
      return slice.isEmpty() ? written : written + write(write, slice);
    } finally {
      execution.rest();
    }
  }

  private long write(Plan.Write write, List<@Nullable Object[]> rows) {
    QueryTable table = execution.table(write.table());
    return switch (write) {
      case Plan.Insert insert -> insert(insert, table, rows);
      case Plan.Update update ->
          update.compared().isEmpty()
              ? updateAll(update, table, rows)
              : eachUnchanged(update.again(), rows, row -> updateOne(update, table, row));
      case Plan.Delete delete ->
          delete.compared().isEmpty()
              ? removeAll(delete, table, rows)
              : eachUnchanged(delete.again(), rows, row -> removeOne(delete, table, row));
    };
  }

  /** Calls an engine, without a turn: it may wait. */
  private long call(LongSupplier body) {
    execution.rest();
    try {
      return body.getAsLong();
    } finally {
      execution.work();
    }
  }

  private @Nullable Object[] cast(
      QueryTable table, List<Integer> columns, @Nullable Object[] row, int from) {
    @Nullable Object[] values = new @Nullable Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      Column column = table.columns().get(columns.get(i));
      try {
        values[i] = Casts.cast(row[from + i], column.type(), execution.env().zone());
      } catch (SqlFailure e) {
        throw new SqlFailure(
            e.state(), "column \"" + column.name() + "\": " + e.getMessage(), 0, e.hint());
      }
    }
    return values;
  }

  private long insert(Plan.Insert insert, QueryTable table, List<@Nullable Object[]> rows) {
    List<@Nullable Object[]> values = new ArrayList<>(rows.size());
    for (@Nullable Object[] row : rows) {
      values.add(cast(table, insert.columns(), row, 0));
    }
    return call(() -> table.put(insert.columns(), values, insert.replaces(), execution.control()));
  }

  private static Object key(@Nullable Object[] row) {
    return Objects.requireNonNull(row[0]);
  }

  private Condition condition(ConditionPlan stillTrue) {
    return stillTrue.bind(execution.env());
  }

  private long updateAll(Plan.Update update, QueryTable table, List<@Nullable Object[]> rows) {
    List<Object> keys = rows.stream().map(Writer::key).toList();
    List<@Nullable Object[]> values = new ArrayList<>(rows.size());
    for (@Nullable Object[] row : rows) {
      values.add(cast(table, update.columns(), row, 1));
    }
    Condition stillTrue = condition(update.stillTrue());
    return call(() -> table.update(keys, update.columns(), values, stillTrue, execution.control()));
  }

  private long removeAll(Plan.Delete delete, QueryTable table, List<@Nullable Object[]> rows) {
    List<Object> keys = rows.stream().map(Writer::key).toList();
    Condition stillTrue = condition(delete.stillTrue());
    return call(() -> table.remove(keys, stillTrue, execution.control()));
  }

  private long updateOne(Plan.Update update, QueryTable table, @Nullable Object[] row) {
    @Nullable Object[] values = cast(table, update.columns(), row, 1);
    Condition same =
        unchanged(update.stillTrue(), table, update.compared(), row, 1 + update.columns().size());
    List<@Nullable Object[]> one = new ArrayList<>();
    one.add(values);
    return call(
        () -> table.update(List.of(key(row)), update.columns(), one, same, execution.control()));
  }

  private long removeOne(Plan.Delete delete, QueryTable table, @Nullable Object[] row) {
    Condition same = unchanged(delete.stillTrue(), table, delete.compared(), row, 1);
    return call(() -> table.remove(List.of(key(row)), same, execution.control()));
  }

  /** Returns the condition that an entry has the values that its new ones were made of. */
  private Condition unchanged(
      ConditionPlan stillTrue,
      QueryTable table,
      List<Integer> compared,
      @Nullable Object[] row,
      int from) {
    List<Condition> parts = new ArrayList<>();
    parts.add(condition(stillTrue));
    for (int i = 0; i < compared.size(); i++) {
      Column column = table.columns().get(compared.get(i));
      Object value = row[from + i];
      parts.add(
          value == null
              ? new Condition.IsNull(column.field())
              : new Condition.Compare(column.field(), Comparison.EQUAL, value));
    }
    return new Condition.And(parts);
  }

  /** Writes one entry; returns 1 if it was as it had been read. */
  @FunctionalInterface
  private interface OneWrite {
    long write(@Nullable Object[] row);
  }

  /** Writes entries one by one. An entry that has changed meanwhile is read and tested again. */
  private long eachUnchanged(
      @Nullable LookupNode again, List<@Nullable Object[]> rows, OneWrite write) {
    long written = 0;
    for (@Nullable Object[] first : rows) {
      execution.step();
      @Nullable Object[] row = first;
      for (int tries = 1; row != null; tries++) {
        if (write.write(row) > 0) {
          written++;
          break;
        }
        if (tries >= MAX_TRIES) {
          throw new SqlFailure(
              "40001", "an entry changed again and again meanwhile", 0, "try the statement again");
        }
        @Nullable Object[] now = again == null ? null : read(again, key(row));
        if (now != null && Arrays.deepEquals(now, row) && tries > 2) {
          break;
        }
        row = now;
      }
    }
    return written;
  }

  private @Nullable Object @Nullable [] read(LookupNode again, Object key) {
    try (RowSource found = again.open(execution, List.of(key))) {
      return found.next() ? found.row() : null;
    }
  }
}
