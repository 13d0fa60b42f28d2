package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.types.PgType;
import java.util.List;

/**
 * A source of rows, as names find it.
 *
 * @param base the place of its first column in the row
 */
record Relation(String alias, List<Column> columns, int base) {
  /**
   * @param isHidden whether {@code *} leaves it out
   * @param fields if it is a row; may be empty
   */
  record Column(String name, PgType type, boolean isHidden, Bound.Fields fields) {
    static final Bound.Fields NO_FIELDS = new Bound.Fields(List.of(), List.of());

    static Column of(String name, PgType type) {
      return new Column(name, type, false, NO_FIELDS);
    }
  }

  /** Returns the index of a column; -1 if there is none of the name. */
  int find(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }
}
