package io.keyvalueserve.stores;

import static java.util.Objects.requireNonNull;

/**
 * A column of a table.
 *
 * @param name the name as the {@link TableSpec} has it
 * @param type the type of its values
 * @param nullable whether it may hold NULL
 */
public record StoreColumn(String name, ColumnType type, boolean nullable) {
  /** Checks that nothing is null. */
  public StoreColumn {
    requireNonNull(name, "name");
    requireNonNull(type, "type");
  }

  /**
   * Converts a value that an application gives into the canonical object of this column's type.
   * Digits become numbers, ISO 8601 texts become dates and times, bytes are taken as UTF-8 text.
   *
   * @throws StoreValueException if the value does not fit the type; the message names the column
   *     and says what fits, without the value
   */
  public Object coerce(Object value) {
    Object fitting = Coercion.coerce(type, requireNonNull(value, "value"));
    if (fitting == null) {
      throw StoreValueException.notFitting(this);
    }
    return fitting;
  }
}
