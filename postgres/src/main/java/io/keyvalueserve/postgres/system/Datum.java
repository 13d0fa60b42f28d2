package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.types.TextValues;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values in queries on the system catalogues: Boolean, Long, BigDecimal, Double, String, List,
 * {@link RegName}, {@link Composite} and dates.
 */
final class Datum {
  private Datum() {}

  /** Returns a value as one of the classes that are used here. */
  static @Nullable Object normal(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Integer number -> number.longValue();
      case Short number -> number.longValue();
      case Byte number -> number.longValue();
      case Float number -> number.doubleValue();
      default -> value;
    };
  }

  static boolean isTrue(@Nullable Object value) {
    return Boolean.TRUE.equals(value);
  }

  static String text(Object value) {
    return value instanceof Boolean truth
        ? (truth ? "true" : "false")
        : TextValues.of(value, ZoneOffset.UTC);
  }

  /** Returns what equal values have in common, as the key of a map. */
  static Object key(Object value) {
    return switch (value) {
      case RegName name -> name.longValue();
      case Long number -> number;
      case BigDecimal number -> {
        BigDecimal plain = number.stripTrailingZeros();
        yield plain.scale() <= 0 && plain.precision() - plain.scale() <= 18
            ? (Object) plain.longValue()
            : plain;
      }
      case Double number ->
          number == Math.rint(number) && Math.abs(number) < 1e15
              ? (Object) number.longValue()
              : number;
      case List<?> list -> keys(list);
      case Composite row -> keys(row.values());
      default -> value;
    };
  }

  static List<Object> keys(List<?> values) {
    List<Object> keys = new ArrayList<>(values.size());
    for (Object value : values) {
      keys.add(value == null ? Null.VALUE : key(value));
    }
    return keys;
  }

  /** Stands for null where that cannot be. */
  enum Null {
    VALUE
  }

  static boolean equal(Object one, Object other) {
    if (one instanceof Number != other instanceof Number) {
      return text(one).equals(text(other));
    }
    return key(one).equals(key(other));
  }

  /** Compares two values that are not null. Text compares by its characters. */
  static int compare(Object one, Object other) {
    if (one instanceof Number a && other instanceof Number b) {
      return whole(a) && whole(b)
          ? Long.compare(a.longValue(), b.longValue())
          : decimal(a).compareTo(decimal(b));
    }
    if (one instanceof Boolean a && other instanceof Boolean b) {
      return Boolean.compare(a, b);
    }
    if (one instanceof List<?> a && other instanceof List<?> b) {
      return compareLists(a, b);
    }
    if (one instanceof Composite a && other instanceof Composite b) {
      return compareLists(a.values(), b.values());
    }
    return text(one).compareTo(text(other));
  }

  private static int compareLists(List<?> a, List<?> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      int order = compareNulls(a.get(i), b.get(i), false);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  /** Compares two values of which some may be null. */
  static int compareNulls(@Nullable Object one, @Nullable Object other, boolean isNullsFirst) {
    if (one == null || other == null) {
      int order = Boolean.compare(one == null, other == null);
      return isNullsFirst ? -order : order;
    }
    return compare(one, other);
  }

  private static boolean whole(Number number) {
    return number instanceof Long || number instanceof RegName;
  }

  static BigDecimal decimal(Number number) {
    return switch (number) {
      case BigDecimal exact -> exact;
      case Double floating when Double.isFinite(floating) -> BigDecimal.valueOf(floating);
      case Double floating -> BigDecimal.valueOf(Math.copySign(Double.MAX_VALUE, floating));
      default -> BigDecimal.valueOf(number.longValue());
    };
  }
}
