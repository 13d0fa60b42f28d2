package io.keyvalueserve.stores;

import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes canonical values of what applications give; null stands for a value that does not fit. */
final class Coercion {
  private static final int UUID_LENGTH = 36;

  private Coercion() {}

  static @Nullable Object coerce(ColumnType type, Object value) {
    return switch (type) {
      case TEXT -> Texts.text(value);
      case BYTES -> Texts.bytes(value);
      case SMALLINT -> Numbers.small(value);
      case INTEGER -> Numbers.integer(value);
      case BIGINT -> Numbers.big(value);
      case NUMERIC -> Numbers.decimal(value);
      case REAL -> Numbers.real(value);
      case DOUBLE -> Numbers.twice(value);
      case BOOLEAN -> truth(value);
      case JSON -> JsonText.checked(value);
      case UUID -> uuid(value);
      case DATE -> Temporals.date(value);
      case TIME -> Temporals.time(value);
      case TIMESTAMP -> Temporals.timestamp(value);
      case TIMESTAMP_WITH_ZONE -> Temporals.instant(value);
    };
  }

  private static @Nullable Boolean truth(Object value) {
    if (value instanceof Boolean truth) {
      return truth;
    }
    String text = Texts.text(value);
    if (text == null) {
      return null;
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "t", "1" -> Boolean.TRUE;
      case "false", "f", "0" -> Boolean.FALSE;
      default -> null;
    };
  }

  private static @Nullable UUID uuid(Object value) {
    if (value instanceof UUID uuid) {
      return uuid;
    }
    String text = Texts.text(value);
    if (text == null || text.length() != UUID_LENGTH) {
      return null;
    }
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
