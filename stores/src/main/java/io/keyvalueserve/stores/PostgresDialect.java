package io.keyvalueserve.stores;

import static java.util.stream.Collectors.joining;

import io.keyvalueserve.stores.TableShape.BoundColumn;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The SQL of PostgreSQL. */
final class PostgresDialect extends Dialect {
  private static final Map<String, ColumnType> TYPES =
      Map.ofEntries(
          Map.entry("text", ColumnType.TEXT),
          Map.entry("varchar", ColumnType.TEXT),
          Map.entry("bpchar", ColumnType.TEXT),
          Map.entry("name", ColumnType.TEXT),
          Map.entry("citext", ColumnType.TEXT),
          Map.entry("bytea", ColumnType.BYTES),
          Map.entry("int2", ColumnType.SMALLINT),
          Map.entry("smallserial", ColumnType.SMALLINT),
          Map.entry("int4", ColumnType.INTEGER),
          Map.entry("serial", ColumnType.INTEGER),
          Map.entry("int8", ColumnType.BIGINT),
          Map.entry("bigserial", ColumnType.BIGINT),
          Map.entry("numeric", ColumnType.NUMERIC),
          Map.entry("float4", ColumnType.REAL),
          Map.entry("float8", ColumnType.DOUBLE),
          Map.entry("bool", ColumnType.BOOLEAN),
          Map.entry("json", ColumnType.JSON),
          Map.entry("jsonb", ColumnType.JSON),
          Map.entry("uuid", ColumnType.UUID),
          Map.entry("date", ColumnType.DATE),
          Map.entry("time", ColumnType.TIME),
          Map.entry("timestamp", ColumnType.TIMESTAMP),
          Map.entry("timestamptz", ColumnType.TIMESTAMP_WITH_ZONE));

  /** An index that ON CONFLICT can use: valid, of one plain column, for all rows, at once. */
  private static final String UNIQUE =
      """
      SELECT 1 FROM pg_catalog.pg_index i
        JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
        WHERE i.indrelid = CAST(? AS pg_catalog.regclass) AND a.attname = ? AND i.indisunique
          AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL AND i.indnkeyatts = 1
      """;

  @Override
  String limit(Duration timeout) {
    return "SET statement_timeout = " + timeout.toMillis();
  }

  @Override
  @Nullable ColumnType type(String typeName, int jdbcType) {
    ColumnType type = TYPES.get(plain(typeName));
    return type == null && jdbcType == Types.VARCHAR ? ColumnType.TEXT : type;
  }

  /** The name of a type without a schema, which the driver adds where it is not in the path. */
  private static String plain(String typeName) {
    return typeName.endsWith("\"citext\"") ? "citext" : typeName;
  }

  private static boolean enumeration(BoundColumn column) {
    return column.column().type() == ColumnType.TEXT
        && !TYPES.containsKey(plain(column.typeName()));
  }

  @Override
  List<@Nullable String> schemas(Connection connection) throws SQLException {
    List<@Nullable String> schemas = new ArrayList<>();
    try (PreparedStatement statement =
            connection.prepareStatement("SELECT unnest(pg_catalog.current_schemas(false))");
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        schemas.add(rows.getString(1));
      }
    }
    return schemas;
  }

  @Override
  boolean unique(
      Connection connection, @Nullable String schema, String table, String sql, String column)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(UNIQUE)) {
      statement.setString(1, sql);
      statement.setString(2, column);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next();
      }
    }
  }

  @Override
  void upsert(Connection connection, TableShape table, List<Change> changes) throws SQLException {
    String sql = insert(table) + " ON CONFLICT (" + table.key().sql() + ") DO " + conflict(table);
    batch(connection, sql, changes, row -> binding(table, row), table);
  }

  private static String conflict(TableShape table) {
    if (table.values().isEmpty()) {
      return "NOTHING";
    }
    return table.values().stream()
        .map(column -> column.sql() + " = EXCLUDED." + column.sql())
        .collect(joining(", ", "UPDATE SET ", ""));
  }

  /**
   * Text goes without a type, so that it becomes JSON, an enumeration or whatever the column is.
   */
  @Override
  void bind(PreparedStatement statement, int index, BoundColumn column, @Nullable Object value)
      throws SQLException {
    switch (value) {
      case null -> statement.setNull(index, Types.NULL);
      case String text -> statement.setObject(index, text, Types.OTHER);
      default -> super.bind(statement, index, column, value);
    }
  }

  /** The database says the position of each row: it alone knows which keys it holds for equal. */
  @Override
  void load(Connection connection, TableShape table, List<Object> keys, @Nullable Row[] rows)
      throws SQLException {
    Array list =
        connection.createArrayOf("text", keys.stream().map(PostgresDialect::text).toArray());
    try (PreparedStatement statement = connection.prepareStatement(load(table))) {
      statement.setArray(1, list);
      try (ResultSet results = statement.executeQuery()) {
        while (results.next()) {
          rows[results.getInt(1) - 1] = row(results, 2, table);
        }
      }
    }
  }

  private static String load(TableShape table) {
    String key = "t." + table.key().sql();
    return "SELECT p.n, "
        + table.names("t.")
        + " FROM unnest("
        + array(table.key())
        + ") WITH ORDINALITY AS p(k, n) JOIN "
        + table.sql()
        + " AS t ON "
        + (enumeration(table.key()) ? "CAST(" + key + " AS text)" : key)
        + " = p.k";
  }

  private static String array(BoundColumn key) {
    String texts = "CAST(? AS text[])";
    return switch (key.column().type()) {
      case TEXT -> enumeration(key) ? texts : textArray(key, texts);
      case BYTES -> cast(texts, "bytea");
      case SMALLINT -> cast(texts, "smallint");
      case INTEGER -> cast(texts, "integer");
      case BIGINT -> cast(texts, "bigint");
      case NUMERIC -> cast(texts, "numeric");
      case REAL -> cast(texts, "real");
      case DOUBLE -> cast(texts, "double precision");
      case BOOLEAN -> cast(texts, "boolean");
      case JSON -> cast(texts, "jsonb");
      case UUID -> cast(texts, "uuid");
      case DATE -> cast(texts, "date");
      case TIME -> cast(texts, "time");
      case TIMESTAMP -> cast(texts, "timestamp");
      case TIMESTAMP_WITH_ZONE -> cast(texts, "timestamptz");
    };
  }

  private static String textArray(BoundColumn key, String texts) {
    return switch (plain(key.typeName())) {
      case "bpchar" -> cast(texts, "bpchar");
      case "citext" -> cast(texts, key.typeName());
      default -> texts;
    };
  }

  private static String cast(String array, String type) {
    return "CAST(" + array + " AS " + type + "[])";
  }

  private static String text(Object key) {
    return key instanceof byte[] bytes
        ? "\\x" + HexFormat.of().formatHex(bytes)
        : ScalarValues.text(key);
  }
}
