package io.keyvalueserve.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tables that a tenant can name, with their columns.
 *
 * @param columns the names of columns by the name of their table, as statements have it
 */
record SqlNames(Map<String, List<String>> columns) {
  static final SqlNames NONE = new SqlNames(Map.of());

  private static final Set<String> OWN_SCHEMAS = Set.of("public", "partitioned", "");
  private static final String QUERY =
      "SELECT table_schema, table_name, column_name FROM information_schema.columns";

  /** Asks the server for them. */
  static SqlNames ask(SqlClient client) {
    Map<String, List<String>> columns = new LinkedHashMap<>();
    try (SqlResult result = client.run(QUERY, List.of())) {
      for (List<SqlCell> row = result.next(); !row.isEmpty(); row = result.next()) {
        if (row.size() == 3) {
          columns
              .computeIfAbsent(
                  tableOf(row.get(0).text(), row.get(1).text()), _ -> new ArrayList<>())
              .add(row.get(2).text());
        }
      }
    }
    return new SqlNames(columns);
  }

  private static String tableOf(String schema, String table) {
    return OWN_SCHEMAS.contains(schema)
        ? SqlName.quoted(table)
        : SqlName.quoted(schema) + "." + SqlName.quoted(table);
  }

  /** Returns the columns of a table, if there is one of the name in upper or lower case. */
  Optional<List<String>> columnsOf(String table) {
    List<String> exact = columns.get(table);
    if (exact != null) {
      return Optional.of(exact);
    }
    String wanted = table.toLowerCase(Locale.ROOT);
    return columns.entrySet().stream()
        .filter(each -> each.getKey().toLowerCase(Locale.ROOT).equals(wanted))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
