package io.keyvalueserve.engine.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question about the rows of a table. The engine does as much of it as it can where the entries
 * are.
 *
 * <p>Rows have the values of {@link #fields}, in their order. With {@link #grouping}, rows have the
 * values of the group's columns, and then the results of the aggregates. Rows come in any order
 * unless {@link #order} says one. An entry that changes meanwhile is seen before or after its
 * change; no entry comes twice.
 *
 * @param fields what rows are made of; may be empty, if only the number of rows matters
 * @param condition which entries become rows
 * @param keys if present, only the entries of these keys: objects of the classes of the key field's
 *     type
 * @param grouping if present, rows are groups
 * @param order by which rows are sorted, the most significant first; only together with a limit.
 *     Empty for any order
 * @param limit the most rows; {@link #ALL} for all of them
 */
public record Scan(
    List<Field> fields,
    Condition condition,
    @Nullable List<Object> keys,
    @Nullable Grouping grouping,
    List<Order> order,
    long limit) {
  /** No limit. */
  public static final long ALL = Long.MAX_VALUE;

  public Scan {
    fields = List.copyOf(fields);
    order = List.copyOf(order);
    keys = keys == null ? null : List.copyOf(keys);
    if (limit < 0) {
      throw new IllegalArgumentException("the limit of a scan is 0 or more: limit=" + limit);
    }
  }

  /**
   * How entries become groups.
   *
   * @param columns indexes of fields whose values are the same in a group; empty for one group,
   *     which is there even if no entry is
   */
  public record Grouping(List<Integer> columns, List<Aggregate> aggregates) {
    public Grouping {
      columns = List.copyOf(columns);
      aggregates = List.copyOf(aggregates);
    }
  }

  /** Returns a scan of all entries. */
  public static Scan of(List<Field> fields, Condition condition) {
    return new Scan(fields, condition, null, null, List.of(), ALL);
  }
}
