package io.keyvalueserve.stores;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Makes canonical values of the texts in which a PostgreSQL server sends changes, as they come with
 * dates in ISO 8601, times in UTC and bytes in hexadecimal digits.
 */
final class PgTexts {
  /** The longest number that is worth to be read. */
  private static final int LONGEST_NUMBER = 20_000;

  private static final String BYTES = "\\x";
  private static final String LAST = "infinity";
  private static final String FIRST = "-infinity";

  private PgTexts() {}

  /** Returns the value; null if it has none here, such as a date before Christ. */
  static @Nullable Object value(ColumnType type, String text) {
    try {
      return read(type, text);
    } catch (IllegalArgumentException | DateTimeException e) {
      return null;
    }
  }

  private static @Nullable Object read(ColumnType type, String text) {
    return switch (type) {
      case TEXT, JSON -> text;
      case BYTES -> bytes(text);
      case NUMERIC -> text.length() > LONGEST_NUMBER ? null : new BigDecimal(text);
      case DATE -> edge(text, LocalDate.MIN, LocalDate.MAX, type);
      case TIMESTAMP -> edge(text, LocalDateTime.MIN, LocalDateTime.MAX, type);
      case TIMESTAMP_WITH_ZONE -> edge(text, OffsetDateTime.MIN, OffsetDateTime.MAX, type);
      case SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, BOOLEAN, UUID, TIME ->
          Coercion.coerce(type, text);
    };
  }

  private static byte @Nullable [] bytes(String text) {
    return text.startsWith(BYTES) ? HexFormat.of().parseHex(text, 2, text.length()) : null;
  }

  private static @Nullable Object edge(String text, Object first, Object last, ColumnType type) {
    return switch (text) {
      case FIRST -> first;
      case LAST -> last;
      default -> Coercion.coerce(type, text);
    };
  }
}
