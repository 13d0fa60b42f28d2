package io.keyvalueserve.stores;

import static java.util.stream.Collectors.joining;

import io.keyvalueserve.stores.TableShape.BoundColumn;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds a table and its columns in a database, and checks that a map can have them. */
final class TableReader {
  private final Connection connection;
  private final DatabaseMetaData database;
  private final Dialect dialect;
  private final TableSpec spec;

  TableReader(Connection connection, Dialect dialect, TableSpec spec) throws SQLException {
    this.connection = connection;
    this.database = connection.getMetaData();
    this.dialect = dialect;
    this.spec = spec;
  }

  /** A table that is there, and whether each of its columns may be NULL. */
  private record Found(@Nullable String schema, String table, Map<String, Boolean> columns) {}

  TableShape read() throws SQLException {
    Found found = find();
    List<String> names = new ArrayList<>();
    names.add(column(found, spec.keyColumn()));
    for (String value : spec.hasAllColumns() ? List.<String>of() : spec.valueColumns()) {
      names.add(distinct(names, value, column(found, value)));
    }
    if (spec.hasAllColumns()) {
      found.columns().keySet().stream()
          .filter(name -> !name.equals(names.getFirst()))
          .forEach(names::add);
    }
    Quoting quoting = new Quoting(database.getIdentifierQuoteString());
    String sql = quoting.quoted(found.schema(), found.table());
    List<BoundColumn> columns = columns(found, names, sql, quoting);
    if (!dialect.unique(connection, found.schema(), found.table(), sql, names.getFirst())) {
      throw wrong(
          "column "
              + spec.keyColumn()
              + " is neither a primary key nor unique; a map needs a key column with exactly one"
              + " row for each key");
    }
    return new TableShape(
        spec.table(), sql, columns.getFirst(), List.copyOf(columns.subList(1, columns.size())));
  }

  private Found find() throws SQLException {
    List<@Nullable String> path = dialect.schemas(connection);
    for (@Nullable String schema : path) {
      Found found = found(schema, spec.table());
      if (found != null) {
        return found;
      }
    }
    Found qualified = qualified();
    if (qualified == null) {
      throw wrong(
          "there is no such table in schema "
              + path.stream().map(String::valueOf).collect(joining(" or "))
              + ": check the name, or write schema.table, and grant the user the right to read it");
    }
    return qualified;
  }

  private @Nullable Found qualified() throws SQLException {
    String name = spec.table();
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      for (String schema : spellings(name.substring(0, dot))) {
        Found found = found(schema, name.substring(dot + 1));
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private @Nullable Found found(@Nullable String schema, String table) throws SQLException {
    for (String spelling : spellings(table)) {
      Map<String, Boolean> columns = columnsOf(schema, spelling);
      if (!columns.isEmpty()) {
        return new Found(schema, spelling, columns);
      }
    }
    return null;
  }

  /** A name as it is, then as the database folds it without quotes. */
  private Set<String> spellings(String name) throws SQLException {
    Set<String> spellings = new LinkedHashSet<>();
    spellings.add(name);
    if (database.storesLowerCaseIdentifiers()) {
      spellings.add(name.toLowerCase(Locale.ROOT));
    }
    if (database.storesUpperCaseIdentifiers()) {
      spellings.add(name.toUpperCase(Locale.ROOT));
    }
    return spellings;
  }

  private Map<String, Boolean> columnsOf(@Nullable String schema, String table)
      throws SQLException {
    Map<String, Boolean> columns = new LinkedHashMap<>();
    try (ResultSet rows = database.getColumns(null, pattern(schema), pattern(table), null)) {
      while (rows.next()) {
        columns.put(
            rows.getString("COLUMN_NAME"),
            rows.getInt("NULLABLE") != DatabaseMetaData.columnNoNulls);
      }
    }
    return columns;
  }

  /** A name as a pattern that only this name matches. */
  private @Nullable String pattern(@Nullable String name) throws SQLException {
    if (name == null) {
      return null;
    }
    String escape = database.getSearchStringEscape();
    return name.replace(escape, escape + escape)
        .replace("_", escape + "_")
        .replace("%", escape + "%");
  }

  private String column(Found found, String name) throws SQLException {
    for (String spelling : spellings(name)) {
      if (found.columns().containsKey(spelling)) {
        return spelling;
      }
    }
    throw wrong(
        "there is no column "
            + name
            + ": the columns are "
            + String.join(", ", found.columns().keySet()));
  }

  private String distinct(List<String> names, String given, String name) {
    if (names.contains(name)) {
      throw wrong("column " + given + " is named twice: name each column once");
    }
    return name;
  }

  private List<BoundColumn> columns(Found found, List<String> names, String table, Quoting quoting)
      throws SQLException {
    List<String> quoted = names.stream().map(quoting::quoted).toList();
    String query = "SELECT " + String.join(", ", quoted) + " FROM " + table + " WHERE 1 = 0";
    List<BoundColumn> columns = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(query);
        ResultSet rows = statement.executeQuery()) {
      ResultSetMetaData types = rows.getMetaData();
      for (int i = 0; i < names.size(); i++) {
        String given = i == 0 ? spec.keyColumn() : given(names, i);
        boolean nullable = Boolean.TRUE.equals(found.columns().get(names.get(i)));
        String typeName = types.getColumnTypeName(i + 1);
        int jdbcType = types.getColumnType(i + 1);
        StoreColumn column = new StoreColumn(given, type(given, typeName, jdbcType), nullable);
        columns.add(new BoundColumn(column, quoted.get(i), typeName, jdbcType));
      }
    }
    return columns;
  }

  private String given(List<String> names, int i) {
    return spec.hasAllColumns() ? names.get(i) : spec.valueColumns().get(i - 1);
  }

  private ColumnType type(String column, String typeName, int jdbcType) {
    ColumnType type = dialect.type(typeName, jdbcType);
    if (type == null) {
      throw wrong(
          "column "
              + column
              + " is of type "
              + typeName
              + ", which is not supported: leave the column out");
    }
    return type;
  }

  private StoreException wrong(String problem) {
    return StoreException.misconfigured("table " + spec.table() + ": " + problem);
  }
}
