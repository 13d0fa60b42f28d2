package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.Order;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.sql.expr.Env;
import io.keyvalueserve.sql.expr.Expr;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table; the engine does as much as it can.
 *
 * @param table its number in the plan
 * @param columns what rows are made of
 * @param keys the values of the keys, if only these are read
 * @param keyType the type of the key, if {@code keys} is there
 * @param limit the most rows; null for all
 * @param name for people
 * @param estimatedRows about how many rows there will be
 */
public record ScanNode(
    int table,
    String name,
    List<Column> columns,
    ConditionPlan condition,
    @Nullable List<Expr> keys,
    FieldType keyType,
    Scan.@Nullable Grouping grouping,
    List<Order> order,
    @Nullable Expr limit,
    double estimatedRows)
    implements Node {

  public ScanNode {
    columns = List.copyOf(columns);
    keys = keys == null ? null : List.copyOf(keys);
    order = List.copyOf(order);
  }

  /** Returns the scan with its values. */
  Scan bind(Env env) {
    return bind(env, keysOf(env), condition.bind(env));
  }

  private Scan bind(Env env, @Nullable List<Object> keyValues, Condition bound) {
    List<Field> fields = columns.stream().map(Column::field).toList();
    long most = limit == null ? Scan.ALL : LimitNode.count(limit, env, "LIMIT", Scan.ALL);
    return new Scan(fields, bound, keyValues, grouping, most == Scan.ALL ? List.of() : order, most);
  }

  private @Nullable List<Object> keysOf(Env env) {
    if (keys == null) {
      return null;
    }
    Set<Object> values = new LinkedHashSet<>();
    for (Expr key : keys) {
      Object value = KeyValues.of(key.eval(NO_ROW, env), keyType, env.zone());
      if (value != null) {
        values.add(value);
      }
    }
    return new ArrayList<>(values);
  }

  /** A row without values, for expressions that need none. */
  public static final @Nullable Object[] NO_ROW = new @Nullable Object[0];

  @Override
  public RowSource open(Execution execution) {
    return open(execution, bind(execution.env()));
  }

  /** Reads entries of some keys, which meet the condition. */
  RowSource open(Execution execution, List<Object> keyValues) {
    Env env = execution.env();
    return open(execution, bind(env, keyValues, condition.bind(env)));
  }

  private RowSource open(Execution execution, Scan scan) {
    QueryTable source = execution.table(table);
    execution.rest();
    try {
      return new ScannedRows(source.scan(scan, execution.control()), execution);
    } finally {
      execution.work();
    }
  }

  @Override
  public List<Node> inputs() {
    return List.of();
  }

  @Override
  public String describe(@Nullable Execution execution) {
    StringBuilder text = new StringBuilder("Scan ").append(name);
    if (execution != null) {
      String engine = execution.table(table).explain(bind(execution.env()));
      text.append(engine.isEmpty() ? "" : ": " + engine);
    }
    if (keys != null) {
      text.append("; keys ").append(keys.size());
    }
    if (!condition.equals(ConditionPlan.ALL)) {
      text.append("; condition ").append(condition);
    }
    text.append("; fields ")
        .append(columns.stream().map(Column::name).collect(Collectors.joining(", ", "[", "]")));
    if (grouping != null) {
      text.append("; groups by ")
          .append(names(grouping.columns()))
          .append(" of ")
          .append(
              grouping.aggregates().stream()
                  .map(
                      a ->
                          a.function()
                              + (a.column() < 0
                                  ? ""
                                  : "("
                                      + (a.distinct() ? "DISTINCT " : "")
                                      + columns.get(a.column()).name()
                                      + ")"))
                  .collect(Collectors.joining(", ", "[", "]")));
    }
    if (!order.isEmpty()) {
      text.append("; order ")
          .append(
              order.stream()
                  .map(o -> columns.get(o.column()).name() + (o.descending() ? " DESC" : ""))
                  .collect(Collectors.joining(", ", "[", "]")));
    }
    return text.append(limit == null ? "" : "; limit " + limit).toString();
  }

  private String names(List<Integer> numbers) {
    return numbers.stream()
        .map(n -> columns.get(n).name())
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
