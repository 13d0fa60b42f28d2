package io.keyvalueserve.grid.query;

import io.keyvalueserve.engine.query.JsonText;
import io.keyvalueserve.engine.query.QueryException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Values of fields: their order, their equality, and about how much heap they take. */
final class Values {
  private static final int OBJECT_BYTES = 24;
  private static final int ROW_BYTES = 24;
  private static final int REFERENCE_BYTES = 4;
  private static final int LARGE_OBJECT_BYTES = 256;

  private Values() {}

  /**
   * Compares values that are not null.
   *
   * @throws QueryException if they have no order
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // both are of one class
  static int compare(Object left, Object right) {
    if (left instanceof byte[] a && right instanceof byte[] b) {
      return Arrays.compareUnsigned(a, b);
    }
    if (left instanceof JsonText a && right instanceof JsonText b) {
      return a.text().compareTo(b.text());
    }
    if (left instanceof Number a && right instanceof Number b && a.getClass() != b.getClass()) {
      return decimal(a).compareTo(decimal(b));
    }
    if (left instanceof Comparable a && left.getClass() == right.getClass()) {
      return a.compareTo(right);
    }
    throw new QueryException(
        QueryException.Kind.BAD_VALUE,
        "values of different types, or of a type without an order, cannot be compared: declare the"
            + " column's type in a mapping");
  }

  /** Returns a number as a decimal; a double that is no number counts as larger than all. */
  static BigDecimal decimal(Number number) {
    return switch (number) {
      case BigDecimal it -> it;
      case BigInteger it -> new BigDecimal(it);
      case Double it -> finite(it);
      case Float it -> finite(it);
      default -> BigDecimal.valueOf(number.longValue());
    };
  }

  private static BigDecimal finite(double number) {
    return Double.isFinite(number)
        ? BigDecimal.valueOf(number)
        : new BigDecimal(number < 0 ? "-1e400" : "1e400");
  }

  /** Values that are equal if each of them is, as SQL has it in {@code GROUP BY}. */
  static final class Tuple {
    private final @Nullable Object[] values;
    private final int hash;

    /**
     * @param values not changed afterwards
     */
    Tuple(@Nullable Object[] values) {
      this.values = values;
      int sum = 1;
      for (Object value : values) {
        sum = 31 * sum + hash(value);
      }
      this.hash = sum;
    }

    @Nullable Object[] values() {
      return values;
    }

    private static int hash(@Nullable Object value) {
      return switch (value) {
        case null -> 0;
        case BigDecimal it -> it.stripTrailingZeros().hashCode();
        case Double it -> Double.hashCode(it + 0.0);
        case Float it -> Float.hashCode(it + 0.0f);
        case byte[] it -> Arrays.hashCode(it);
        default -> value.hashCode();
      };
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (!(other instanceof Tuple that) || that.hash != hash) {
        return false;
      }
      for (int i = 0; i < values.length; i++) {
        if (!isEqual(values[i], that.values[i])) {
          return false;
        }
      }
      return true;
    }

    private static boolean isEqual(@Nullable Object left, @Nullable Object right) {
      return switch (left) {
        case BigDecimal a when right instanceof BigDecimal b -> a.compareTo(b) == 0;
        case Double a when right instanceof Double b -> a + 0.0 == b + 0.0 || a.equals(b);
        case Float a when right instanceof Float b -> a + 0.0f == b + 0.0f || a.equals(b);
        case byte[] a when right instanceof byte[] b -> Arrays.equals(a, b);
        case null, default -> Objects.equals(left, right);
      };
    }
  }

  /** Returns about how many bytes of heap a row takes. */
  static long bytes(@Nullable Object[] row) {
    long bytes = ROW_BYTES;
    for (Object value : row) {
      bytes += REFERENCE_BYTES + bytes(value);
    }
    return bytes;
  }

  private static long bytes(@Nullable Object value) {
    return switch (value) {
      case null -> 0;
      case Boolean _ -> 0;
      case String it -> OBJECT_BYTES + 2 * OBJECT_BYTES + it.length();
      case JsonText it -> OBJECT_BYTES + 2 * OBJECT_BYTES + it.text().length();
      case byte[] it -> OBJECT_BYTES + it.length;
      case BigDecimal it -> 4 * OBJECT_BYTES + it.precision() / 2;
      case Number _ -> OBJECT_BYTES;
      case java.time.temporal.Temporal _ -> 3 * OBJECT_BYTES;
      default -> LARGE_OBJECT_BYTES;
    };
  }
}
