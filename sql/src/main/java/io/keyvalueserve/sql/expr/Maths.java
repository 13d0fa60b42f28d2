package io.keyvalueserve.sql.expr;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Functions of numbers. */
final class Maths {
  private static final int MAX_SCALE = 100;

  private Maths() {}

  static double ln(double value) {
    return Math.log(positive(value));
  }

  static double log10(double value) {
    return Math.log10(positive(value));
  }

  private static double positive(double value) {
    if (value <= 0) {
      throw new SqlFailure("2201E", "there is no logarithm of a number that is not above 0");
    }
    return value;
  }

  static double sqrt(double value) {
    if (value < 0) {
      throw new SqlFailure("2201F", "there is no square root of a negative number");
    }
    return Math.sqrt(value);
  }

  static double power(double base, double exponent) {
    if (base == 0 && exponent < 0) {
      throw new SqlFailure("2201F", "0 has no negative power");
    }
    if (base < 0 && exponent != Math.rint(exponent)) {
      throw new SqlFailure("2201F", "a negative number has only powers of whole numbers");
    }
    return finite(Math.pow(base, exponent));
  }

  static double exp(double value) {
    return finite(Math.exp(value));
  }

  private static double finite(double value) {
    if (Double.isInfinite(value)) {
      throw new SqlFailure(SqlState.OUT_OF_RANGE, "a result is out of the range of DOUBLE");
    }
    return value;
  }

  static BigDecimal truncate(BigDecimal value, long scale) {
    return scaled(value, scale, RoundingMode.DOWN);
  }

  private static BigDecimal scaled(BigDecimal value, long scale, RoundingMode rounding) {
    BigDecimal result = value.setScale(Math.clamp(scale, -MAX_SCALE, MAX_SCALE), rounding);
    return result.scale() < 0 ? result.setScale(0) : result;
  }

  /** Rounds a number: decimal ones half up, others to the nearest even one. */
  static Object round(Object value, long scale) {
    return switch (value) {
      case Double real -> roundReal(real, scale);
      case Float real -> (float) roundReal(real, scale);
      case BigDecimal decimal -> scaled(decimal, scale, RoundingMode.HALF_UP);
      case Number number when scale >= 0 -> number;
      case Number number ->
          Casts.narrow(
              scaled(BigDecimal.valueOf(number.longValue()), scale, RoundingMode.HALF_UP)
                  .longValue(),
              Casts.typeOf(number));
      default -> throw noNumber(value);
    };
  }

  private static double roundReal(double real, long scale) {
    if (Double.isNaN(real) || Double.isInfinite(real)) {
      return real;
    }
    if (scale == 0) {
      return Math.rint(real);
    }
    return scaled(BigDecimal.valueOf(real), scale, RoundingMode.HALF_UP).doubleValue();
  }

  static Object floor(Object value) {
    return switch (value) {
      case Double real -> Math.floor(real);
      case Float real -> (float) Math.floor(real);
      case BigDecimal decimal -> decimal.setScale(0, RoundingMode.FLOOR);
      case Number number -> number;
      default -> throw noNumber(value);
    };
  }

  static Object ceil(Object value) {
    return switch (value) {
      case Double real -> Math.ceil(real);
      case Float real -> (float) Math.ceil(real);
      case BigDecimal decimal -> decimal.setScale(0, RoundingMode.CEILING);
      case Number number -> number;
      default -> throw noNumber(value);
    };
  }

  static Object abs(Object value) {
    return sign(value) < 0 ? Arithmetic.negate(value) : value;
  }

  static int sign(Object value) {
    return switch (value) {
      case Double real -> (int) Math.signum(real);
      case Float real -> (int) Math.signum(real);
      case Number number -> Values.decimal(number).signum();
      default -> throw noNumber(value);
    };
  }

  private static SqlFailure noNumber(Object value) {
    return new SqlFailure(
        SqlState.TYPE_MISMATCH,
        "a number is needed, and this is a value of the type "
            + Casts.typeName(value)
            + ": CAST it to "
            + FieldType.DOUBLE);
  }
}
