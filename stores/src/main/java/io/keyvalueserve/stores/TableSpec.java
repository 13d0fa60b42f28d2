package io.keyvalueserve.stores;

import static java.util.Objects.requireNonNull;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The table and the columns that lie behind a map.
 *
 * @param table the name of a table, or {@code schema.table}; names are taken as they are, or in the
 *     case to which the database folds names without quotes
 * @param keyColumn the column with the key, which must be unique
 * @param valueColumns the columns with the values, none of them twice; may be empty
 */
public record TableSpec(String table, String keyColumn, List<String> valueColumns) {
  /** Stands, as the only value column, for all columns but the key's, in the table's order. */
  public static final String ALL_COLUMNS = "*";

  /**
   * Checks the names.
   *
   * @throws IllegalArgumentException if a name is blank or comes twice
   */
  public TableSpec {
    named("table", table);
    named("keyColumn", keyColumn);
    valueColumns = List.copyOf(valueColumns);
    Set<String> seen = new HashSet<>(Set.of(keyColumn));
    for (String column : valueColumns) {
      named("valueColumns", column);
      if (!seen.add(column)) {
        throw new IllegalArgumentException(
            "valueColumns: '" + column + "' is there twice: name each column once");
      }
    }
  }

  /** Returns the spec of a table whose columns are all values but for the key's. */
  public static TableSpec ofAllColumns(String table, String keyColumn) {
    return new TableSpec(table, keyColumn, List.of(ALL_COLUMNS));
  }

  /** Returns whether the value columns are all but the key's. */
  boolean hasAllColumns() {
    return valueColumns.equals(List.of(ALL_COLUMNS));
  }

  private static void named(String field, String name) {
    if (requireNonNull(name, field).isBlank()) {
      throw new IllegalArgumentException(field + ": is empty: give a name");
    }
  }
}
