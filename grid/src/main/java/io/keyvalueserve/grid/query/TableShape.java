package io.keyvalueserve.grid.query;

import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.Mapping.MappingColumn;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.grid.query.EntryFormat.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How the entries of a map are rows: the formats of keys and values, and the columns.
 *
 * @param columns in their order; those of the whole key and value are always among them, hidden if
 *     they were not declared
 */
record TableShape(EntryFormat key, EntryFormat value, List<Column> columns) {
  static final String KEY_COLUMN = "__key";
  static final String VALUE_COLUMN = "this";

  /** The beginning of the path of a field of a JSON text. */
  static final String JSON_PATH = "$.";

  /** The beginning of the path of a field of a hash. */
  static final String HASH_PATH = "#";

  /**
   * Reads the shape that a mapping declares.
   *
   * @throws QueryException if it is not valid
   */
  static TableShape of(Mapping mapping) {
    EntryFormat key = EntryFormat.of(true, mapping.options());
    EntryFormat value = EntryFormat.of(false, mapping.options());
    if (key.kind() == Kind.HASH || key.kind() == Kind.TEXT || key.kind() == Kind.JSON_TEXT) {
      throw bad("the option 'keyFormat': keys of Redis clients are 'varchar'");
    }
    List<Column> columns = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (MappingColumn each : mapping.columns()) {
      if (!names.add(each.name())) {
        throw bad("the column '" + each.name() + "' is declared twice");
      }
      columns.add(new Column(each.name(), field(each, key, value), false));
    }
    addWhole(columns, true, key);
    addWhole(columns, false, value);
    return new TableShape(key, value, List.copyOf(columns));
  }

  private static Field field(MappingColumn column, EntryFormat key, EntryFormat value) {
    String external = column.externalName();
    if (external.isEmpty()) {
      external =
          column.name().equals(KEY_COLUMN) || column.name().equals(VALUE_COLUMN)
              ? column.name()
              : VALUE_COLUMN + "." + column.name();
    }
    boolean ofKey = external.equals(KEY_COLUMN) || external.startsWith(KEY_COLUMN + ".");
    String root = ofKey ? KEY_COLUMN : VALUE_COLUMN;
    if (!ofKey && !external.equals(root) && !external.startsWith(root + ".")) {
      throw bad(
          "the external name '"
              + external
              + "' of the column '"
              + column.name()
              + "' is to begin with __key or this");
    }
    EntryFormat format = ofKey ? key : value;
    String path = external.equals(root) ? "" : external.substring(root.length() + 1);
    if (path.isEmpty() && format.kind() == Kind.SCALAR && format.scalar() != column.type()) {
      throw bad(
          "the column '"
              + column.name()
              + "' has the type "
              + column.type()
              + ", but the mapping's format is "
              + format.scalar());
    }
    if (!path.isEmpty() && !format.kind().hasFields()) {
      throw bad(
          "the column '"
              + column.name()
              + "' is a field, but the format of the "
              + (ofKey ? "key" : "value")
              + " has none: give it the external name "
              + root
              + ", or use a format with fields, such as json-flat or compact");
    }
    return new Field(ofKey, pathIn(format, path), column.type());
  }

  /** Returns the external name of the column of a field. */
  static String externalName(Field field) {
    String root = field.ofKey() ? KEY_COLUMN : VALUE_COLUMN;
    String path = field.path();
    if (path.startsWith(JSON_PATH)) {
      path = path.substring(JSON_PATH.length());
    } else if (path.startsWith(HASH_PATH)) {
      path = path.substring(HASH_PATH.length());
    }
    return path.isEmpty() ? root : root + "." + path;
  }

  static String pathIn(EntryFormat format, String path) {
    return path.isEmpty()
        ? path
        : switch (format.kind()) {
          case JSON_TEXT -> JSON_PATH + path;
          case HASH -> HASH_PATH + path;
          default -> path;
        };
  }

  private static void addWhole(List<Column> columns, boolean ofKey, EntryFormat format) {
    if (columns.stream().noneMatch(each -> isWhole(each, ofKey))) {
      columns.add(whole(ofKey, format, true));
    }
  }

  static boolean isWhole(Column column, boolean ofKey) {
    return column.field().ofKey() == ofKey && column.field().isWhole();
  }

  /** Returns the column of the whole key or value. */
  static Column whole(boolean ofKey, EntryFormat format, boolean isHidden) {
    FieldType type =
        switch (format.kind()) {
          case SCALAR -> format.scalar();
          case TEXT -> FieldType.VARCHAR;
          case JSON, JSON_FLAT, JSON_TEXT -> FieldType.JSON;
          default -> FieldType.OBJECT;
        };
    return new Column(ofKey ? KEY_COLUMN : VALUE_COLUMN, new Field(ofKey, "", type), isHidden);
  }

  /** Returns the index of the column of the whole key. */
  int keyColumn() {
    for (int i = 0; i < columns.size(); i++) {
      if (isWhole(columns.get(i), true)) {
        return i;
      }
    }
    throw new IllegalStateException("a shape has a column of the key");
  }

  /** Returns whether rows can be written. */
  boolean isWritable() {
    return key.kind() != Kind.JAVA && value.kind() != Kind.JAVA;
  }

  private static QueryException bad(String what) {
    return new QueryException(QueryException.Kind.BAD_VALUE, what);
  }
}
