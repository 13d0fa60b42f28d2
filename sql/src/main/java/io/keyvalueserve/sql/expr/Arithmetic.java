package io.keyvalueserve.sql.expr;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalAmount;
import java.util.Objects;

/** Arithmetic of numbers that are not null. Overflow and division by zero are failures. */
public final class Arithmetic {
  /** Digits that results of decimal arithmetic have at most. */
  static final MathContext DIGITS = new MathContext(76, RoundingMode.HALF_UP);

  private static final int DIVISION_SCALE = 20;
  private static final int MAX_EXPONENT = 1000;

  private Arithmetic() {}

  /** An operation of two numbers. */
  public enum Operation {
    PLUS,
    MINUS,
    TIMES,
    DIVIDE,
    MOD
  }

  /**
   * Computes.
   *
   * @param type of the result; {@link FieldType#OBJECT} for the wider one of both
   */
  public static Object compute(Operation operation, Object a, Object b, FieldType type) {
    if (!(a instanceof Number x) || !(b instanceof Number y)) {
      return ofTimes(operation, a, b);
    }
    FieldType result = type.isNumber() ? type : wider(Casts.typeOf(x), Casts.typeOf(y));
    return switch (result) {
      case TINYINT, SMALLINT, INTEGER, BIGINT ->
          Values.isIntegral(x) && Values.isIntegral(y)
              ? Casts.narrow(ofLongs(operation, x.longValue(), y.longValue()), result)
              : cast(ofDecimals(operation, Values.decimal(x), Values.decimal(y)), result);
      case REAL -> cast(ofDoubles(operation, x.doubleValue(), y.doubleValue()), result);
      case DOUBLE -> ofDoubles(operation, x.doubleValue(), y.doubleValue());
      default -> ofDecimals(operation, Values.decimal(x), Values.decimal(y));
    };
  }

  private static Object cast(Object value, FieldType type) {
    Object result = Casts.cast(value, type, ZoneOffset.UTC);
    return Objects.requireNonNull(result);
  }

  private static FieldType wider(FieldType a, FieldType b) {
    if (a == FieldType.DOUBLE || b == FieldType.DOUBLE) {
      return FieldType.DOUBLE;
    }
    if (a == FieldType.REAL || b == FieldType.REAL) {
      return a == b ? a : FieldType.DOUBLE;
    }
    return a.compareTo(b) > 0 ? a : b;
  }

  private static SqlFailure overflow(FieldType type) {
    return new SqlFailure(SqlState.OUT_OF_RANGE, "a result is out of the range of " + type.name());
  }

  private static SqlFailure byZero() {
    return new SqlFailure(SqlState.DIVISION_BY_ZERO, "division by zero");
  }

  private static long ofLongs(Operation operation, long a, long b) {
    try {
      return switch (operation) {
        case PLUS -> Math.addExact(a, b);
        case MINUS -> Math.subtractExact(a, b);
        case TIMES -> Math.multiplyExact(a, b);
        case DIVIDE -> {
          if (b == 0) {
            throw byZero();
          }
          yield Math.divideExact(a, b);
        }
        case MOD -> {
          if (b == 0) {
            throw byZero();
          }
          yield a % b;
        }
      };
    } catch (ArithmeticException e) {
      throw overflow(FieldType.BIGINT);
    }
  }

  private static double ofDoubles(Operation operation, double a, double b) {
    if (b == 0 && (operation == Operation.DIVIDE || operation == Operation.MOD)) {
      throw byZero();
    }
    double result =
        switch (operation) {
          case PLUS -> a + b;
          case MINUS -> a - b;
          case TIMES -> a * b;
          case DIVIDE -> a / b;
          case MOD -> a % b;
        };
    if (Double.isInfinite(result) && !Double.isInfinite(a) && !Double.isInfinite(b)) {
      throw overflow(FieldType.DOUBLE);
    }
    return result;
  }

  private static BigDecimal ofDecimals(Operation operation, BigDecimal a, BigDecimal b) {
    if (b.signum() == 0 && (operation == Operation.DIVIDE || operation == Operation.MOD)) {
      throw byZero();
    }
    requireExponents(a, b);
    BigDecimal result =
        switch (operation) {
          case PLUS -> a.add(b);
          case MINUS -> a.subtract(b);
          case TIMES -> a.multiply(b);
          case DIVIDE -> divide(a, b);
          case MOD -> a.remainder(b);
        };
    return bounded(result);
  }

  private static void requireExponents(BigDecimal a, BigDecimal b) {
    if (Math.abs((long) a.scale()) > MAX_EXPONENT || Math.abs((long) b.scale()) > MAX_EXPONENT) {
      throw overflow(FieldType.DECIMAL);
    }
  }

  /** Returns a result with as many digits as are kept. */
  static BigDecimal bounded(BigDecimal value) {
    if (value.precision() <= DIGITS.getPrecision()) {
      return value;
    }
    if (value.precision() - value.scale() > DIGITS.getPrecision()) {
      throw overflow(FieldType.DECIMAL);
    }
    return value.round(DIGITS);
  }

  /** Divides, to at least 20 digits behind the point. */
  static BigDecimal divide(BigDecimal a, BigDecimal b) {
    int scale = Math.max(DIVISION_SCALE, Math.max(a.scale(), b.scale()));
    BigDecimal exact = a.divide(b, scale, RoundingMode.HALF_UP);
    BigDecimal stripped = exact.stripTrailingZeros();
    int least = Math.max(0, Math.max(a.scale(), b.scale()));
    return stripped.scale() < least ? stripped.setScale(least) : stripped;
  }

  private static Object ofTimes(Operation operation, Object a, Object b) {
    return switch (operation) {
      case PLUS -> Times.plus(a, b, 1);
      case MINUS ->
          a instanceof Temporal && b instanceof Temporal
              ? Times.between(a, b)
              : Times.plus(a, b, -1);
      case TIMES -> a instanceof TemporalAmount ? scaled(a, b, false) : scaled(b, a, false);
      case DIVIDE -> scaled(a, b, true);
      case MOD -> throw noArithmetic(a, b);
    };
  }

  private static SqlFailure noArithmetic(Object a, Object b) {
    return new SqlFailure(
        SqlState.TYPE_MISMATCH,
        "there is no arithmetic of " + Casts.typeName(a) + " and " + Casts.typeName(b));
  }

  private static Object scaled(Object interval, Object factor, boolean divides) {
    if (!(factor instanceof Number number)) {
      throw noArithmetic(interval, factor);
    }
    BigDecimal by = Values.decimal(number);
    if (divides && by.signum() == 0) {
      throw byZero();
    }
    try {
      return switch (interval) {
        case Duration duration -> Duration.ofMillis(scaled(duration.toMillis(), by, divides));
        case Period period ->
            Period.ofMonths(Math.toIntExact(scaled(period.toTotalMonths(), by, divides)));
        default -> throw noArithmetic(interval, factor);
      };
    } catch (ArithmeticException e) {
      throw new SqlFailure(SqlState.OUT_OF_RANGE, "an interval is out of its range");
    }
  }

  private static long scaled(long units, BigDecimal by, boolean divides) {
    BigDecimal value = BigDecimal.valueOf(units);
    BigDecimal result = divides ? value.divide(by, 0, RoundingMode.HALF_UP) : value.multiply(by);
    return result.setScale(0, RoundingMode.HALF_UP).longValueExact();
  }

  /** Returns a number with the other sign. */
  public static Object negate(Object value) {
    return switch (value) {
      case BigDecimal decimal -> decimal.negate();
      case Double real -> -real;
      case Float real -> -real;
      case Duration duration -> duration.negated();
      case Period period -> period.negated();
      case Number number ->
          compute(Operation.MINUS, narrowZero(number), number, Casts.typeOf(number));
      default ->
          throw new SqlFailure(
              SqlState.TYPE_MISMATCH,
              "a value of the type " + Casts.typeName(value) + " has no sign");
    };
  }

  private static Object narrowZero(Number number) {
    return Casts.narrow(0, Casts.typeOf(number));
  }
}
