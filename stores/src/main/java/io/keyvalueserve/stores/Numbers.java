package io.keyvalueserve.stores;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.function.LongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Numbers of what applications give; null stands for a value that is no number of the type. */
final class Numbers {
  static final int MOST_DIGITS = 1000;
  private static final int LONGEST_TEXT = 2 * MOST_DIGITS + 20;
  private static final int LONGEST_EXPONENT = 9;
  private static final Pattern DECIMAL =
      Pattern.compile(
          "[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]{1," + LONGEST_EXPONENT + "})?");

  private Numbers() {}

  static @Nullable Short small(Object value) {
    return value instanceof Short number
        ? number
        : (Short) whole(value, Short.MIN_VALUE, Short.MAX_VALUE, number -> (short) number);
  }

  static @Nullable Integer integer(Object value) {
    return value instanceof Integer number
        ? number
        : (Integer) whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE, number -> (int) number);
  }

  static @Nullable Long big(Object value) {
    return value instanceof Long number
        ? number
        : (Long) whole(value, Long.MIN_VALUE, Long.MAX_VALUE, number -> number);
  }

  private static @Nullable Object whole(
      Object value, long least, long most, LongFunction<Object> narrowed) {
    BigDecimal number = decimal(value);
    if (number == null) {
      return null;
    }
    try {
      long exact = number.longValueExact();
      return exact < least || exact > most ? null : narrowed.apply(exact);
    } catch (ArithmeticException e) {
      return null;
    }
  }

  static @Nullable BigDecimal decimal(Object value) {
    return switch (value) {
      case BigDecimal number -> bounded(number);
      case BigInteger number -> bounded(new BigDecimal(number));
      case Byte _, Short _, Integer _, Long _ -> BigDecimal.valueOf(((Number) value).longValue());
      case Float _, Double _, String _, byte[] _ -> parsed(value);
      default -> null;
    };
  }

  private static @Nullable BigDecimal parsed(Object value) {
    String text = number(value);
    return text == null ? null : bounded(new BigDecimal(text));
  }

  /** Returns the number itself, without a negative scale, if its size is no danger. */
  static @Nullable BigDecimal bounded(BigDecimal number) {
    if (number.precision() > MOST_DIGITS || Math.abs((long) number.scale()) > MOST_DIGITS) {
      return null;
    }
    return number.scale() < 0 ? number.setScale(0) : number;
  }

  static @Nullable Float real(Object value) {
    if (value instanceof Float number) {
      return number;
    }
    if (value instanceof Double number && !Double.isFinite(number)) {
      return number.floatValue();
    }
    String text = Texts.text(value);
    if (text == null || endless(text)) {
      return text == null ? null : Float.valueOf(text);
    }
    String decimal = number(text);
    return decimal == null ? null : finite(Float.parseFloat(decimal));
  }

  private static @Nullable Float finite(float number) {
    return Float.isFinite(number) ? number : null;
  }

  static @Nullable Double twice(Object value) {
    if (value instanceof Double number) {
      return number;
    }
    String text = Texts.text(value);
    if (text == null || endless(text)) {
      return text == null ? null : Double.valueOf(text);
    }
    String decimal = number(text);
    return decimal == null ? null : finite(Double.parseDouble(decimal));
  }

  private static @Nullable Double finite(double number) {
    return Double.isFinite(number) ? number : null;
  }

  private static boolean endless(String text) {
    return switch (text) {
      case "NaN", "Infinity", "-Infinity" -> true;
      default -> false;
    };
  }

  private static @Nullable String number(Object value) {
    String text = Texts.text(value);
    if (text == null || text.length() > LONGEST_TEXT || !DECIMAL.matcher(text).matches()) {
      return null;
    }
    return text;
  }
}
