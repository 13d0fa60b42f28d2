package io.keyvalueserve.stores;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table as statements need it.
 *
 * @param name the name as the user gave it, for messages
 * @param sql the quoted name with its schema
 * @param key the key column
 * @param values the value columns
 */
record TableShape(String name, String sql, BoundColumn key, List<BoundColumn> values) {
  /**
   * A column as statements need it.
   *
   * @param column the column for the caller
   * @param sql the quoted name
   * @param typeName the database's name of the type
   * @param jdbcType of {@link java.sql.Types}
   */
  record BoundColumn(StoreColumn column, String sql, String typeName, int jdbcType) {}

  String subject() {
    return "table " + name;
  }

  /** The key column, then the value columns. */
  List<BoundColumn> all() {
    List<BoundColumn> all = new ArrayList<>();
    all.add(key);
    all.addAll(values);
    return all;
  }

  /** The quoted names of all columns, the key's first. */
  String names(String prefix) {
    return all().stream().map(column -> prefix + column.sql()).collect(Collectors.joining(", "));
  }

  String delete(String placeholder) {
    return "DELETE FROM " + sql + " WHERE " + key.sql() + " = " + placeholder;
  }

  String scan() {
    return "SELECT " + names("") + " FROM " + sql + " WHERE " + key.sql() + " IS NOT NULL";
  }
}
