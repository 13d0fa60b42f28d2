package io.keyvalueserve.sql.expr;

import io.keyvalueserve.engine.query.JsonText;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Compares values, and estimates their size. */
public final class Values {
  private static final int OBJECT_BYTES = 24;
  private static final int ARRAY_BYTES = 16;
  private static final int REFERENCE_BYTES = 8;
  private static final double LONG_LIMIT = 0x1p63;

  private Values() {}

  /** Returns whether a number has no fraction by its class. */
  static boolean isIntegral(Object value) {
    return value instanceof Integer
        || value instanceof Long
        || value instanceof Short
        || value instanceof Byte;
  }

  private static boolean isFloating(Object value) {
    return value instanceof Double || value instanceof Float;
  }

  /** Returns a number as a decimal one. */
  static BigDecimal decimal(Number number) {
    return switch (number) {
      case BigDecimal decimal -> decimal;
      case BigInteger integer -> new BigDecimal(integer);
      case Double real when real.isNaN() || real.isInfinite() ->
          throw new SqlFailure(SqlState.OUT_OF_RANGE, real + " is no decimal number");
      case Float real when real.isNaN() || real.isInfinite() ->
          throw new SqlFailure(SqlState.OUT_OF_RANGE, real + " is no decimal number");
      case Double real -> BigDecimal.valueOf(real);
      case Float real -> new BigDecimal(real.toString());
      default -> BigDecimal.valueOf(number.longValue());
    };
  }

  /**
   * Compares two values that are not null: numbers by value, NaN above all others.
   *
   * @throws SqlFailure if one cannot be compared with the other
   */
  public static int compare(Object a, Object b) {
    if (a instanceof Number x && b instanceof Number y) {
      return compareNumbers(x, y);
    }
    if (a instanceof String x && b instanceof String y) {
      return x.compareTo(y);
    }
    return compareOthers(a, b);
  }

  private static int compareNumbers(Number a, Number b) {
    if (isIntegral(a) && isIntegral(b)) {
      return Long.compare(a.longValue(), b.longValue());
    }
    if (isFloating(a) || isFloating(b)) {
      double x = a.doubleValue();
      double y = b.doubleValue();
      return x == y ? 0 : Double.compare(x, y);
    }
    return decimal(a).compareTo(decimal(b));
  }

  private static int compareOthers(Object a, Object b) {
    Object x = comparable(a);
    Object y = comparable(b);
    if (x instanceof LocalDate date && y instanceof LocalDateTime time) {
      return date.atStartOfDay().compareTo(time);
    }
    if (x instanceof LocalDateTime time && y instanceof LocalDate date) {
      return time.compareTo(date.atStartOfDay());
    }
    if (x instanceof byte[] left && y instanceof byte[] right) {
      return Arrays.compareUnsigned(left, right);
    }
    if (x instanceof List<?> left && y instanceof List<?> right) {
      return compareLists(left, right);
    }
    if (x.getClass() == y.getClass() && x instanceof Comparable<?>) {
      @SuppressWarnings("unchecked")
      Comparable<Object> left = (Comparable<Object>) x;
      return left.compareTo(y);
    }
    throw new SqlFailure(
        SqlState.TYPE_MISMATCH,
        "values of the types "
            + Casts.typeName(a)
            + " and "
            + Casts.typeName(b)
            + " cannot be compared",
        0,
        "CAST one of them to the type of the other");
  }

  private static int compareLists(List<?> a, List<?> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      int order = compareNullable(a.get(i), b.get(i), false);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  private static Object comparable(Object value) {
    return switch (value) {
      case JsonText json -> json.text();
      case Character c -> c.toString();
      case OffsetDateTime time -> time.toInstant();
      case Period period -> period.toTotalMonths();
      default -> value;
    };
  }

  /** Compares two values of which each may be null. */
  public static int compareNullable(@Nullable Object a, @Nullable Object b, boolean nullsFirst) {
    if (a == null || b == null) {
      if (a == null && b == null) {
        return 0;
      }
      return (a == null) == nullsFirst ? -1 : 1;
    }
    return compare(a, b);
  }

  /**
   * Returns a value that is equal to another's, by {@link Object#equals}, if and only if the two
   * are equal in SQL. All values are of one type.
   */
  public static @Nullable Object keyOf(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case String text -> text;
      case Long number -> number;
      case Integer number -> (long) number;
      case Short number -> (long) number;
      case Byte number -> (long) number;
      case BigDecimal decimal -> keyOf(decimal);
      case BigInteger integer -> keyOf(new BigDecimal(integer));
      case Double real -> keyOf((double) real);
      case Float real -> keyOf((double) real);
      case byte[] bytes -> ByteBuffer.wrap(bytes);
      case OffsetDateTime time -> time.toInstant();
      case JsonText json -> json.text();
      case List<?> list -> keysOf(list);
      default -> value;
    };
  }

  private static List<@Nullable Object> keysOf(List<?> list) {
    @Nullable Object[] keys = new @Nullable Object[list.size()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = keyOf(list.get(i));
    }
    return Arrays.asList(keys);
  }

  private static Object keyOf(double real) {
    if (real == Math.rint(real) && real >= -LONG_LIMIT && real < LONG_LIMIT) {
      return (long) real;
    }
    return real;
  }

  private static Object keyOf(BigDecimal decimal) {
    BigDecimal stripped = decimal.stripTrailingZeros();
    if (stripped.scale() <= 0 && stripped.precision() - stripped.scale() <= 18) {
      return stripped.longValue();
    }
    return stripped;
  }

  /** Returns about how many bytes of heap a row takes. */
  public static long sizeOf(@Nullable Object[] row) {
    long bytes = ARRAY_BYTES + (long) REFERENCE_BYTES * row.length;
    for (Object value : row) {
      bytes += sizeOf(value);
    }
    return bytes;
  }

  /** Returns about how many bytes of heap a value takes. */
  public static long sizeOf(@Nullable Object value) {
    return switch (value) {
      case null -> 0;
      case Boolean _ -> 0;
      case String text -> 2 * OBJECT_BYTES + 2L * text.length();
      case JsonText json -> 3 * OBJECT_BYTES + 2L * json.text().length();
      case byte[] bytes -> ARRAY_BYTES + bytes.length;
      case BigDecimal decimal -> 2 * OBJECT_BYTES + decimal.precision() / 2;
      case LocalDateTime _, OffsetDateTime _ -> 4 * OBJECT_BYTES;
      case List<?> list -> sizeOf(list.toArray()) + OBJECT_BYTES;
      case Number _, LocalDate _, UUID _, Duration _ -> OBJECT_BYTES;
      default -> 256;
    };
  }
}
