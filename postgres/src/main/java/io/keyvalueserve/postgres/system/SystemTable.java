package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.types.PgType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A table of the system catalogues. Immutable. */
final class SystemTable {
  /** Makes the rows. */
  @FunctionalInterface
  interface Maker {
    /**
     * Makes rows.
     *
     * @param key if present, only those that have this value of the table's key column are needed
     */
    void make(Snapshot snapshot, @Nullable Object key, Rows rows);
  }

  /** Adds rows to a table. */
  final class Rows {
    private final List<@Nullable Object[]> made = new ArrayList<>();

    /**
     * Adds a row.
     *
     * @param namesAndValues names of columns, each followed by its value; the others have the value
     *     that stands for nothing: false, 0, or null for texts and arrays
     */
    void add(@Nullable Object... namesAndValues) {
      @Nullable Object[] row = defaults.clone();
      for (int i = 0; i < namesAndValues.length; i += 2) {
        Integer index = places.get(String.valueOf(namesAndValues[i]));
        if (index == null) {
          throw new IllegalArgumentException(name + " has no column " + namesAndValues[i]);
        }
        row[index] = namesAndValues[i + 1];
      }
      made.add(row);
    }
  }

  private final String schema;
  private final String name;
  private final List<Relation.Column> columns = new ArrayList<>();
  private final Map<String, Integer> places = new HashMap<>();
  private final @Nullable Object[] defaults;
  private final int keyColumn;
  private final Maker maker;

  /**
   * @param columns names and types: {@code "oid:oid relname:name"}
   * @param key the column by which some rows can be made without the others; empty if none
   */
  SystemTable(String schema, String name, String columns, String key, Maker maker) {
    this.schema = schema;
    this.name = name;
    this.maker = maker;
    for (String column : columns.strip().split("\\s+", -1)) {
      String[] parts = column.split(":", -1);
      PgType type = PgType.named(parts.length > 1 ? parts[1] : "text");
      if (type == null) {
        throw new IllegalArgumentException("no type of column " + column);
      }
      add(new Relation.Column(parts[0], type, false, Relation.Column.NO_FIELDS));
    }
    for (String hidden : List.of("tableoid", "xmin", "ctid")) {
      PgType type = hidden.equals("ctid") ? PgType.TEXT : PgType.OID;
      add(new Relation.Column(hidden, type, true, Relation.Column.NO_FIELDS));
    }
    this.defaults = new @Nullable Object[this.columns.size()];
    for (int i = 0; i < defaults.length; i++) {
      PgType type = this.columns.get(i).type();
      defaults[i] = type == PgType.BOOL ? (Object) false : type.isNumber() ? 0L : null;
    }
    this.keyColumn = key.isEmpty() ? -1 : place(key);
  }

  private void add(Relation.Column column) {
    places.put(column.name(), columns.size());
    columns.add(column);
  }

  private int place(String column) {
    Integer place = places.get(column);
    if (place == null) {
      throw new IllegalArgumentException(name + " has no column " + column);
    }
    return place;
  }

  String schema() {
    return schema;
  }

  String name() {
    return name;
  }

  List<Relation.Column> columns() {
    return columns;
  }

  /** Returns all rows; the same ones for the whole of a run. */
  List<@Nullable Object[]> rows(Run run) {
    return run.once(this, () -> make(run, null));
  }

  /** Returns the rows that have a value of a column. */
  List<@Nullable Object[]> rows(Run run, int column, Object key) {
    if (column == keyColumn) {
      return make(run, key);
    }
    return run.lookUp(this, rows(run), column, key);
  }

  private List<@Nullable Object[]> make(Run run, @Nullable Object key) {
    Rows rows = new Rows();
    maker.make(run.snapshot(), key, rows);
    run.keeps((long) rows.made.size() * columns.size() / 4);
    return rows.made;
  }
}
