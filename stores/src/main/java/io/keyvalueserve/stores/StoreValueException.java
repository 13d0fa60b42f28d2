package io.keyvalueserve.stores;

import java.util.Locale;

/** A value that no database was asked to take, for it cannot be one of its column. */
public final class StoreValueException extends RuntimeException {
  private static final int LONGEST_NAME = 63;
  private final String column;

  private StoreValueException(String column, String message) {
    super(message);
    this.column = column;
  }

  static StoreValueException notFitting(StoreColumn column) {
    return of(
        column,
        "the value is no %s: give %s"
            .formatted(
                column.type().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                column.type().fitting()));
  }

  static StoreValueException of(StoreColumn column, String problem) {
    return new StoreValueException(
        column.name(), "column " + shortened(column.name()) + ": " + problem);
  }

  static StoreValueException unknownField(String field) {
    return new StoreValueException(
        field,
        "field '%s' has no column: remove it, or name its column in the store"
            .formatted(shortened(field)));
  }

  static StoreValueException document(String problem) {
    return new StoreValueException("", "the value is no row: " + problem);
  }

  /** Returns the name of the column or field, or an empty text if the whole row is wrong. */
  public String column() {
    return column;
  }

  private static String shortened(String name) {
    String plain = name.replaceAll("\\p{Cntrl}", "?");
    return plain.length() <= LONGEST_NAME ? plain : plain.substring(0, LONGEST_NAME) + "…";
  }
}
