package io.keyvalueserve.stores;

import static java.util.stream.Collectors.joining;

import io.keyvalueserve.stores.TableShape.BoundColumn;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The SQL of one kind of database, for any by default. Stateless. */
class Dialect {
  /** The most keys in one list; longer lists take several statements. */
  private static final int LONGEST_LIST = 1024;

  static Dialect of(Connection connection) throws SQLException {
    return switch (connection.getMetaData().getDatabaseProductName()) {
      case "PostgreSQL" -> new PostgresDialect();
      case "H2" -> new H2Dialect();
      default -> new Dialect();
    };
  }

  /** Returns a statement that limits how long others take; empty if there is none. */
  String limit(Duration timeout) {
    return "";
  }

  /** Returns the type of a column; null if it is not supported. */
  @Nullable ColumnType type(String typeName, int jdbcType) {
    return StandardTypes.of(typeName, jdbcType);
  }

  /** Returns the schemas in which a name without a schema is looked for. */
  List<@Nullable String> schemas(Connection connection) throws SQLException {
    return Collections.singletonList(connection.getSchema());
  }

  /** Tells whether a column alone is a primary key or unique. */
  boolean unique(
      Connection connection, @Nullable String schema, String table, String sql, String column)
      throws SQLException {
    DatabaseMetaData database = connection.getMetaData();
    try (ResultSet keys = database.getPrimaryKeys(null, schema, table)) {
      if (alone(keys, "PK_NAME").contains(column)) {
        return true;
      }
    }
    try (ResultSet indexes = database.getIndexInfo(null, schema, table, true, true)) {
      return alone(indexes, "INDEX_NAME").contains(column);
    }
  }

  /** The columns that are the only one of their key or index. */
  private static Set<String> alone(ResultSet rows, String group) throws SQLException {
    Set<String> alone = new TreeSet<>();
    List<String> groups = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    while (rows.next()) {
      String column = rows.getString("COLUMN_NAME");
      if (column != null) {
        groups.add(String.valueOf(rows.getString(group)));
        columns.add(column);
      }
    }
    for (int i = 0; i < groups.size(); i++) {
      if (Collections.frequency(groups, groups.get(i)) == 1) {
        alone.add(columns.get(i));
      }
    }
    return alone;
  }

  String placeholder(BoundColumn column) {
    return "?";
  }

  /** Writes rows, new ones and such as are there. */
  void upsert(Connection connection, TableShape table, List<Change> changes) throws SQLException {
    int[] counts = batch(connection, update(table), changes, row -> reordered(table, row), table);
    List<Change> missing = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] == 0) {
        missing.add(changes.get(i));
      }
    }
    batch(connection, insert(table), missing, row -> binding(table, row), table);
  }

  private String update(TableShape table) {
    List<BoundColumn> set = table.values().isEmpty() ? List.of(table.key()) : table.values();
    return "UPDATE "
        + table.sql()
        + set.stream()
            .map(c -> c.sql() + " = " + placeholder(c))
            .collect(joining(", ", " SET ", ""))
        + " WHERE "
        + table.key().sql()
        + " = "
        + placeholder(table.key());
  }

  String insert(TableShape table) {
    return "INSERT INTO " + table.sql() + " (" + table.names("") + ") VALUES " + tuple(table);
  }

  String tuple(TableShape table) {
    return table.all().stream().map(this::placeholder).collect(joining(", ", "(", ")"));
  }

  /** A value for a parameter of a statement, with its column. */
  record Bound(BoundColumn column, @Nullable Object value) {}

  /** The parameters of a row in the order of its columns. */
  static List<Bound> binding(TableShape table, Change row) {
    List<Bound> bound = new ArrayList<>();
    bound.add(new Bound(table.key(), row.key()));
    bound.addAll(values(table, row));
    return bound;
  }

  private static List<Bound> reordered(TableShape table, Change row) {
    Bound key = new Bound(table.key(), row.key());
    List<Bound> bound =
        table.values().isEmpty() ? new ArrayList<>(List.of(key)) : values(table, row);
    bound.add(key);
    return bound;
  }

  private static List<Bound> values(TableShape table, Change row) {
    @Nullable Object[] values = row.values();
    List<Bound> bound = new ArrayList<>();
    for (int i = 0; values != null && i < values.length; i++) {
      bound.add(new Bound(table.values().get(i), values[i]));
    }
    return bound;
  }

  /** Gives the parameters of a change. */
  interface Binding {
    List<Bound> of(Change row);
  }

  final int[] batch(
      Connection connection, String sql, List<Change> rows, Binding binding, TableShape table)
      throws SQLException {
    if (rows.isEmpty()) {
      return new int[0];
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Change row : rows) {
        List<Bound> bound = binding.of(row);
        for (int i = 0; i < bound.size(); i++) {
          bind(statement, i + 1, bound.get(i).column(), bound.get(i).value());
        }
        statement.addBatch();
      }
      return execute(statement);
    }
  }

  /** The driver of PostgreSQL throws an error of Java's if the connection breaks in a batch. */
  private static int[] execute(PreparedStatement statement) throws SQLException {
    try {
      return statement.executeBatch();
    } catch (AssertionError e) {
      throw new SQLException("the connection broke", "08006", e);
    }
  }

  final void delete(Connection connection, TableShape table, List<Change> changes)
      throws SQLException {
    String sql = table.delete(placeholder(table.key()));
    batch(connection, sql, changes, row -> List.of(new Bound(table.key(), row.key())), table);
  }

  void bind(PreparedStatement statement, int index, BoundColumn column, @Nullable Object value)
      throws SQLException {
    switch (value) {
      case null -> statement.setNull(index, column.jdbcType());
      case byte[] bytes -> statement.setBytes(index, bytes);
      case String text -> statement.setString(index, text);
      default -> statement.setObject(index, value);
    }
  }

  /** Puts the row of each key at the key's position; keys are canonical. */
  void load(Connection connection, TableShape table, List<Object> keys, @Nullable Row[] rows)
      throws SQLException {
    KeyPositions positions = new KeyPositions(table.key(), keys);
    List<Object> distinct = positions.distinct();
    for (int from = 0; from < distinct.size(); from += LONGEST_LIST) {
      int to = Math.min(distinct.size(), from + LONGEST_LIST);
      loadList(connection, table, distinct.subList(from, to), positions, rows);
    }
  }

  private void loadList(
      Connection connection,
      TableShape table,
      List<Object> keys,
      KeyPositions positions,
      @Nullable Row[] rows)
      throws SQLException {
    int places = Math.max(1, Integer.highestOneBit(keys.size() * 2 - 1));
    String list = String.join(", ", Collections.nCopies(places, placeholder(table.key())));
    String sql =
        "SELECT "
            + table.names("")
            + " FROM "
            + table.sql()
            + " WHERE "
            + table.key().sql()
            + " IN ("
            + list
            + ")";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < places; i++) {
        Object key = keys.get(Math.min(i, keys.size() - 1));
        bind(statement, i + 1, table.key(), key);
      }
      try (ResultSet results = statement.executeQuery()) {
        while (results.next()) {
          Row row = row(results, 1, table);
          positions.of(row.key()).forEach(position -> rows[position] = row);
        }
      }
    }
  }

  /** Reads a row from the columns that begin at an index. */
  final Row row(ResultSet results, int first, TableShape table) throws SQLException {
    Object key = read(results, first, table, table.key());
    if (key == null) {
      throw new SQLException("a key is NULL", "42000");
    }
    @Nullable Object[] values = new Object[table.values().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = read(results, first + 1 + i, table, table.values().get(i));
    }
    return new Row(key, values);
  }

  private @Nullable Object read(ResultSet results, int index, TableShape table, BoundColumn column)
      throws SQLException {
    return switch (column.column().type()) {
      case TEXT, JSON -> results.getString(index);
      case BYTES -> results.getBytes(index);
      case SMALLINT -> results.getObject(index, Short.class);
      case INTEGER -> results.getObject(index, Integer.class);
      case BIGINT -> results.getObject(index, Long.class);
      case NUMERIC -> decimal(results.getString(index), table, column);
      case REAL -> results.getObject(index, Float.class);
      case DOUBLE -> results.getObject(index, Double.class);
      case BOOLEAN -> results.getObject(index, Boolean.class);
      case UUID -> results.getObject(index, UUID.class);
      case DATE -> results.getObject(index, LocalDate.class);
      case TIME -> results.getObject(index, LocalTime.class);
      case TIMESTAMP -> results.getObject(index, LocalDateTime.class);
      case TIMESTAMP_WITH_ZONE -> inUtc(results.getObject(index, OffsetDateTime.class));
    };
  }

  private static @Nullable OffsetDateTime inUtc(@Nullable OffsetDateTime time) {
    return time == null ? null : Temporals.utc(time);
  }

  private static @Nullable BigDecimal decimal(
      @Nullable String text, TableShape table, BoundColumn column) {
    try {
      return text == null ? null : new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw StoreException.misconfigured(
          table.subject()
              + ": column "
              + column.column().name()
              + " holds NaN or an infinity, which is no decimal number: make it double precision");
    }
  }
}
