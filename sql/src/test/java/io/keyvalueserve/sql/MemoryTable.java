package io.keyvalueserve.sql;

import io.keyvalueserve.engine.query.Aggregate;
import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.Order;
import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.engine.query.TableIndex;
import io.keyvalueserve.sql.expr.Casts;
import io.keyvalueserve.sql.expr.Values;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A table whose entries are in a map of this process. Thread-safe. */
public final class MemoryTable implements QueryTable {
  private final Mapping mapping;
  private final List<Column> columns;
  private final List<TableIndex> indexes = new CopyOnWriteArrayList<>();
  private final Map<Object, @Nullable Object[]> entries = new LinkedHashMap<>();
  private final List<Scan> scans = new CopyOnWriteArrayList<>();
  private volatile Runnable beforeWrite = () -> {};
  private volatile Runnable onNext = () -> {};
  private volatile long estimated = -1;

  /**
   * @param columns one of them is the whole key
   */
  public MemoryTable(Mapping mapping, List<Column> columns) {
    this.mapping = mapping;
    this.columns = List.copyOf(columns);
  }

  /**
   * Returns a table of columns with their types: {@code "__key INTEGER", "name VARCHAR"}; one
   * behind a {@code -} is hidden.
   */
  public static MemoryTable of(String name, String... definitions) {
    List<Column> columns = new ArrayList<>();
    List<Mapping.MappingColumn> declared = new ArrayList<>();
    for (String definition : definitions) {
      String[] parts = definition.replace("-", "").split(" ", 2);
      FieldType type = FieldType.valueOf(parts[1]);
      boolean isKey = parts[0].equals("__key") || parts[0].endsWith("_key");
      boolean isWhole = isKey || parts[0].equals("this");
      Field field = new Field(isKey, isWhole ? "" : parts[0], type);
      columns.add(new Column(parts[0], field, definition.startsWith("-")));
      declared.add(new Mapping.MappingColumn(parts[0], type, ""));
    }
    return new MemoryTable(new Mapping(name, name, declared, Map.of(), false), columns);
  }

  /** Adds an entry, with a value for each column. */
  public MemoryTable add(@Nullable Object... values) {
    @Nullable Object[] row = new @Nullable Object[columns.size()];
    for (int i = 0; i < row.length; i++) {
      row[i] = Casts.cast(values[i], columns.get(i).type(), ZoneOffset.UTC);
    }
    synchronized (entries) {
      entries.put(key(row), row);
    }
    return this;
  }

  /** Runs something before each write of an entry. */
  public void beforeWrite(Runnable body) {
    this.beforeWrite = body;
  }

  /** Runs something before each row that is read. */
  public void onNext(Runnable body) {
    this.onNext = body;
  }

  /** Has the table say how many rows it has. */
  public MemoryTable estimate(long rows) {
    this.estimated = rows;
    return this;
  }

  /** Returns the scans so far. */
  public List<Scan> scans() {
    return scans;
  }

  public int size() {
    synchronized (entries) {
      return entries.size();
    }
  }

  void add(TableIndex index) {
    indexes.add(index);
  }

  boolean drop(String index) {
    return indexes.removeIf(one -> one.name().equals(index));
  }

  private int keyColumn() {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).field().ofKey() && columns.get(i).field().isWhole()) {
        return i;
      }
    }
    throw new IllegalStateException("no key");
  }

  private Object key(@Nullable Object[] row) {
    Object key = row[keyColumn()];
    if (key == null) {
      throw new QueryException(QueryException.Kind.BAD_VALUE, "the key is null");
    }
    return Objects.requireNonNull(Values.keyOf(key));
  }

  private Function<Field, @Nullable Object> entry(@Nullable Object[] row) {
    return field -> {
      for (int i = 0; i < columns.size(); i++) {
        Field of = columns.get(i).field();
        if (of.ofKey() == field.ofKey() && of.path().equals(field.path())) {
          return row[i];
        }
      }
      throw new AssertionError("no field " + field);
    };
  }

  @Override
  public Mapping mapping() {
    return mapping;
  }

  @Override
  public List<Column> columns() {
    return columns;
  }

  @Override
  public List<TableIndex> indexes() {
    return List.copyOf(indexes);
  }

  @Override
  public long estimatedRows() {
    return estimated >= 0 ? estimated : size();
  }

  @Override
  public boolean isWritable() {
    return true;
  }

  @Override
  public RowSource scan(Scan scan, QueryControl control) {
    scans.add(scan);
    if (!scan.order().isEmpty() && scan.limit() == Scan.ALL) {
      throw new AssertionError("an order without a limit");
    }
    List<@Nullable Object[]> found = new ArrayList<>();
    synchronized (entries) {
      if (scan.keys() == null) {
        control.examined(entries.size());
        entries.values().forEach(found::add);
      } else {
        if (new HashSet<>(scan.keys()).size() != scan.keys().size()) {
          throw new AssertionError("a key twice");
        }
        for (Object key : scan.keys()) {
          if (!columns.get(keyColumn()).type().javaClass().isInstance(key)) {
            throw new AssertionError("a key of another class: " + key.getClass());
          }
          control.examined(1);
          @Nullable Object[] row = entries.get(Objects.requireNonNull(Values.keyOf(key)));
          if (row != null) {
            found.add(row);
          }
        }
      }
    }
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (@Nullable Object[] row : found) {
      Function<Field, @Nullable Object> entry = entry(row);
      if (MemoryConditions.test(scan.condition(), entry)) {
        rows.add(scan.fields().stream().map(entry).toArray());
      }
    }
    if (scan.grouping() != null) {
      rows = groups(rows, scan.grouping(), scan.fields());
    }
    if (!scan.order().isEmpty()) {
      rows.sort(order(scan.order()));
    }
    if (rows.size() > scan.limit()) {
      rows = rows.subList(0, (int) scan.limit());
    }
    return new Found(rows.iterator(), control);
  }

  private static Comparator<@Nullable Object[]> order(List<Order> orders) {
    return (a, b) -> {
      for (Order order : orders) {
        Object x = a[order.column()];
        Object y = b[order.column()];
        boolean hasNull = x == null || y == null;
        int compared = Values.compareNullable(x, y, order.nullsFirst());
        if (compared != 0) {
          return order.descending() && !hasNull ? -compared : compared;
        }
      }
      return 0;
    };
  }

  private static List<@Nullable Object[]> groups(
      List<@Nullable Object[]> rows, Scan.Grouping grouping, List<Field> fields) {
    Map<List<@Nullable Object>, List<@Nullable Object[]>> groups = new LinkedHashMap<>();
    if (grouping.columns().isEmpty()) {
      groups.put(List.of(), new ArrayList<>());
    }
    for (@Nullable Object[] row : rows) {
      List<@Nullable Object> key = new ArrayList<>();
      grouping.columns().forEach(column -> key.add(Values.keyOf(row[column])));
      groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(row);
    }
    List<@Nullable Object[]> result = new ArrayList<>();
    for (List<@Nullable Object[]> group : groups.values()) {
      List<@Nullable Object> values = new ArrayList<>();
      grouping.columns().forEach(column -> values.add(group.getFirst()[column]));
      for (Aggregate aggregate : grouping.aggregates()) {
        values.add(aggregate(aggregate, group, fields));
      }
      result.add(values.toArray());
    }
    return result;
  }

  private static @Nullable Object aggregate(
      Aggregate aggregate, List<@Nullable Object[]> group, List<Field> fields) {
    if (aggregate.function() == Aggregate.Function.COUNT_ALL) {
      return (long) group.size();
    }
    List<Object> values = new ArrayList<>();
    Set<Object> seen = new HashSet<>();
    for (@Nullable Object[] row : group) {
      Object value = row[aggregate.column()];
      if (value != null
          && (!aggregate.distinct() || seen.add(Objects.requireNonNull(Values.keyOf(value))))) {
        values.add(value);
      }
    }
    if (aggregate.function() == Aggregate.Function.COUNT) {
      return (long) values.size();
    }
    if (values.isEmpty()) {
      return null;
    }
    return switch (aggregate.function()) {
      case SUM -> sum(values, fields.get(aggregate.column()).type());
      case MIN -> values.stream().min(Values::compare).orElseThrow();
      case MAX -> values.stream().max(Values::compare).orElseThrow();
      default -> values.getFirst();
    };
  }

  private static Object sum(List<Object> values, FieldType type) {
    return switch (type) {
      case TINYINT, SMALLINT, INTEGER ->
          values.stream().mapToLong(value -> ((Number) value).longValue()).sum();
      case BIGINT, DECIMAL ->
          values.stream()
              .map(value -> new BigDecimal(value.toString()))
              .reduce(BigDecimal.ZERO, BigDecimal::add);
      default -> values.stream().mapToDouble(value -> ((Number) value).doubleValue()).sum();
    };
  }

  /** Rows that were found; the array is reused, as the contract allows. */
  private final class Found implements RowSource {
    private final Iterator<@Nullable Object[]> rows;
    private final QueryControl control;
    private @Nullable Object[] row = new @Nullable Object[0];
    private @Nullable Object[] last = new @Nullable Object[0];

    Found(Iterator<@Nullable Object[]> rows, QueryControl control) {
      this.rows = rows;
      this.control = control;
    }

    @Override
    public boolean next() {
      control.checkpoint();
      onNext.run();
      Arrays.fill(last, "reused");
      if (!rows.hasNext()) {
        return false;
      }
      row = rows.next().clone();
      last = row;
      return true;
    }

    @Override
    public @Nullable Object[] row() {
      return row;
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  @Override
  public String explain(Scan scan) {
    return scan.keys() != null ? "by keys" : indexes.isEmpty() ? "all entries" : "perhaps an index";
  }

  @Override
  public long put(
      List<Integer> given, List<@Nullable Object[]> rows, boolean replaces, QueryControl control) {
    synchronized (entries) {
      for (@Nullable Object[] values : rows) {
        @Nullable Object[] row = new @Nullable Object[columns.size()];
        for (int i = 0; i < given.size(); i++) {
          row[given.get(i)] = checked(values[i], columns.get(given.get(i)));
        }
        if (replaces) {
          entries.put(key(row), row);
        } else if (entries.putIfAbsent(key(row), row) != null) {
          throw new QueryException(
              QueryException.Kind.BAD_VALUE, "an entry of this key exists already");
        }
      }
    }
    return rows.size();
  }

  private static @Nullable Object checked(@Nullable Object value, Column column) {
    if (value != null && !column.type().javaClass().isInstance(value)) {
      throw new AssertionError("a value of another class for " + column);
    }
    return value;
  }

  @Override
  public long update(
      List<Object> keys,
      List<Integer> changed,
      List<@Nullable Object[]> rows,
      Condition stillTrue,
      QueryControl control) {
    beforeWrite.run();
    long count = 0;
    synchronized (entries) {
      for (int k = 0; k < keys.size(); k++) {
        @Nullable Object[] row = entries.get(Objects.requireNonNull(Values.keyOf(keys.get(k))));
        if (row != null && MemoryConditions.test(stillTrue, entry(row))) {
          @Nullable Object[] next = row.clone();
          for (int i = 0; i < changed.size(); i++) {
            next[changed.get(i)] = checked(rows.get(k)[i], columns.get(changed.get(i)));
          }
          entries.put(key(next), next);
          count++;
        }
      }
    }
    return count;
  }

  @Override
  public long remove(List<Object> keys, Condition stillTrue, QueryControl control) {
    beforeWrite.run();
    long count = 0;
    synchronized (entries) {
      for (Object key : keys) {
        Object of = Objects.requireNonNull(Values.keyOf(key));
        @Nullable Object[] row = entries.get(of);
        if (row != null && MemoryConditions.test(stillTrue, entry(row))) {
          entries.remove(of);
          count++;
        }
      }
    }
    return count;
  }
}
