package io.keyvalueserve.grid.query;

import io.keyvalueserve.engine.query.Aggregate;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.Scan.Grouping;
import io.keyvalueserve.grid.query.Values.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Groups of rows and their aggregates. Used by one thread at a time. */
final class Groups {
  private static final int GROUP_BYTES = 100;
  private static final int ACCUMULATOR_BYTES = 80;

  private final Grouping grouping;
  private final List<FieldType> types;
  private final Map<Tuple, Accumulator[]> groups = new HashMap<>();
  private long bytes;

  Groups(Grouping grouping, List<Field> fields) {
    this.grouping = grouping;
    this.types = fields.stream().map(Field::type).toList();
  }

  /** Returns about how many bytes of heap the groups take. */
  long bytes() {
    return bytes;
  }

  int size() {
    return groups.size();
  }

  /**
   * Takes a row.
   *
   * @param row has the values of the scan's fields
   */
  void add(@Nullable Object[] row) {
    List<Integer> columns = grouping.columns();
    @Nullable Object[] key = new @Nullable Object[columns.size()];
    for (int i = 0; i < key.length; i++) {
      key[i] = row[columns.get(i)];
    }
    Accumulator[] accumulators = group(key);
    List<Aggregate> aggregates = grouping.aggregates();
    for (int i = 0; i < accumulators.length; i++) {
      int column = aggregates.get(i).column();
      bytes += accumulators[i].add(column < 0 ? null : row[column]);
    }
  }

  /** Returns whether the only result is the number of rows. */
  boolean countOnly() {
    return grouping.columns().isEmpty()
        && grouping.aggregates().stream()
            .allMatch(each -> each.function() == Aggregate.Function.COUNT_ALL);
  }

  /** Adds a number of rows to a grouping that {@linkplain #countOnly only counts}. */
  void add(long rows) {
    for (Accumulator each : group(new @Nullable Object[0])) {
      each.merge(rows);
    }
  }

  /**
   * Takes a group that another member has made.
   *
   * @param row the group's columns, then its results
   */
  void merge(@Nullable Object[] row) {
    int columns = grouping.columns().size();
    @Nullable Object[] key = new @Nullable Object[columns];
    System.arraycopy(row, 0, key, 0, columns);
    Accumulator[] accumulators = group(key);
    for (int i = 0; i < accumulators.length; i++) {
      accumulators[i].merge(row[columns + i]);
    }
  }

  private Accumulator[] group(@Nullable Object[] key) {
    Tuple tuple = new Tuple(key);
    Accumulator[] known = groups.get(tuple);
    if (known != null) {
      return known;
    }
    List<Aggregate> aggregates = grouping.aggregates();
    Accumulator[] accumulators = new Accumulator[aggregates.size()];
    for (int i = 0; i < accumulators.length; i++) {
      int column = aggregates.get(i).column();
      accumulators[i] =
          new Accumulator(aggregates.get(i), column < 0 ? FieldType.OBJECT : types.get(column));
    }
    groups.put(tuple, accumulators);
    bytes += GROUP_BYTES + Values.bytes(key) + (long) ACCUMULATOR_BYTES * accumulators.length;
    return accumulators;
  }

  /** Has the one group of a grouping without columns be there, though no row is. */
  void ensureOne() {
    if (grouping.columns().isEmpty()) {
      Accumulator[] _ = group(new @Nullable Object[0]);
    }
  }

  /** Returns a row for each group. */
  List<@Nullable Object[]> rows() {
    List<@Nullable Object[]> rows = new ArrayList<>(groups.size());
    groups.forEach(
        (key, accumulators) -> {
          @Nullable Object[] columns = key.values();
          @Nullable Object[] row = new @Nullable Object[columns.length + accumulators.length];
          System.arraycopy(columns, 0, row, 0, columns.length);
          for (int i = 0; i < accumulators.length; i++) {
            row[columns.length + i] = accumulators[i].result();
          }
          rows.add(row);
        });
    return rows;
  }
}
