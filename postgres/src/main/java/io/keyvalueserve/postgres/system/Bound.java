package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.types.PgType;
import org.jspecify.annotations.Nullable;

/**
 * An expression whose names were found.
 *
 * @param type its type; {@link PgType#UNKNOWN} if it follows from where it stands
 * @param slot the place of the column in the row, if it is a column of this query; else -1
 * @param text its text if it is a string without a type; else null
 * @param parameter its index if it is a parameter without a type; else -1
 * @param fields the names and types of its fields if it is a row; else null
 */
record Bound(
    PgType type,
    Eval eval,
    int slot,
    @Nullable String text,
    int parameter,
    @Nullable Fields fields) {
  /** The fields of a row. */
  record Fields(java.util.List<String> names, java.util.List<PgType> types) {}

  static Bound of(PgType type, Eval eval) {
    return new Bound(type, eval, -1, null, -1, null);
  }

  static Bound constant(PgType type, @Nullable Object value) {
    return of(type, _ -> value);
  }

  boolean isOpen() {
    return type == PgType.UNKNOWN;
  }
}
