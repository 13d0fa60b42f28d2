package io.keyvalueserve.lua;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;

/** Numbers to text and back, as C does it. */
final class Numbers {
  private static final double EXACT = 1e14;

  /** Results of operations are {@code -nan}, as on x86-64; this is the one that is read as nan. */
  private static final long POSITIVE_NAN_BITS = 0x7FF8_0000_0000_0001L;

  static final double POSITIVE_NAN = Double.longBitsToDouble(POSITIVE_NAN_BITS);

  private Numbers() {}

  /** Returns a number as {@code %.14g} writes it. */
  static String format(double d) {
    if (d == (long) d && Math.abs(d) < EXACT) {
      return d == 0 && 1 / d < 0 ? "-0" : Long.toString((long) d);
    }
    return general(d, 14, false, false);
  }

  /** Returns inf or nan as C writes them; the empty string for other numbers. */
  static String special(double d) {
    if (Double.isNaN(d)) {
      return Double.doubleToRawLongBits(d) == POSITIVE_NAN_BITS ? "nan" : "-nan";
    }
    return d == Double.POSITIVE_INFINITY ? "inf" : d == Double.NEGATIVE_INFINITY ? "-inf" : "";
  }

  /** Returns {@code %.<precision>g}; {@code alternative} keeps trailing zeros. */
  static String general(double d, int precision, boolean alternative, boolean upper) {
    String special = special(d);
    if (!special.isEmpty()) {
      return special;
    }
    int digits = precision == 0 ? 1 : precision;
    boolean negative = Double.doubleToRawLongBits(d) < 0;
    String unscaled;
    int exponent;
    if (d == 0) {
      unscaled = "0".repeat(digits);
      exponent = 0;
    } else {
      BigDecimal rounded =
          new BigDecimal(Math.abs(d)).round(new MathContext(digits, RoundingMode.HALF_EVEN));
      unscaled = rounded.unscaledValue().toString();
      exponent = unscaled.length() - 1 - rounded.scale();
      if (unscaled.length() < digits) {
        unscaled += "0".repeat(digits - unscaled.length());
      } else if (unscaled.length() > digits) {
        unscaled = unscaled.substring(0, digits);
      }
    }
    StringBuilder out = new StringBuilder(digits + 8);
    if (negative) {
      out.append('-');
    }
    boolean scientific = exponent < -4 || exponent >= digits;
    if (scientific) {
      fraction(out, unscaled.substring(0, 1), unscaled.substring(1), alternative);
      exponent(out, exponent, upper);
    } else if (exponent < 0) {
      fraction(out, "0", "0".repeat(-exponent - 1) + unscaled, alternative);
    } else {
      fraction(
          out, unscaled.substring(0, exponent + 1), unscaled.substring(exponent + 1), alternative);
    }
    return out.toString();
  }

  private static void fraction(
      StringBuilder out, String whole, String fraction, boolean alternative) {
    out.append(whole);
    String kept = fraction;
    if (!alternative) {
      int end = fraction.length();
      while (end > 0 && fraction.charAt(end - 1) == '0') {
        end--;
      }
      kept = fraction.substring(0, end);
    }
    if (!kept.isEmpty() || alternative) {
      out.append('.').append(kept);
    }
  }

  private static void exponent(StringBuilder out, int exponent, boolean upper) {
    out.append(upper ? 'E' : 'e').append(exponent < 0 ? '-' : '+');
    int e = Math.abs(exponent);
    if (e < 10) {
      out.append('0');
    }
    out.append(e);
  }

  /** Returns {@code %.<precision>f}. */
  static String fixed(double d, int precision, boolean alternative) {
    String special = special(d);
    if (!special.isEmpty()) {
      return special;
    }
    String text =
        new BigDecimal(Math.abs(d)).setScale(precision, RoundingMode.HALF_EVEN).toPlainString();
    if (alternative && precision == 0) {
      text += ".";
    }
    return Double.doubleToRawLongBits(d) < 0 ? "-" + text : text;
  }

  /** Returns {@code %.<precision>e}. */
  static String scientific(double d, int precision, boolean alternative, boolean upper) {
    String special = special(d);
    if (!special.isEmpty()) {
      return special;
    }
    StringBuilder out = new StringBuilder(precision + 10);
    if (Double.doubleToRawLongBits(d) < 0) {
      out.append('-');
    }
    String digits;
    int exponent = 0;
    if (d == 0) {
      digits = "0".repeat(precision + 1);
    } else {
      BigDecimal rounded =
          new BigDecimal(Math.abs(d)).round(new MathContext(precision + 1, RoundingMode.HALF_EVEN));
      digits = rounded.unscaledValue().toString();
      exponent = digits.length() - 1 - rounded.scale();
      if (digits.length() < precision + 1) {
        digits += "0".repeat(precision + 1 - digits.length());
      } else if (digits.length() > precision + 1) {
        digits = digits.substring(0, precision + 1);
      }
    }
    out.append(digits.charAt(0));
    if (precision > 0 || alternative) {
      out.append('.').append(digits, 1, digits.length());
    }
    exponent(out, exponent, upper);
    return out.toString();
  }

  private static boolean space(int c) {
    return c == ' ' || (c >= 9 && c <= 13);
  }

  static boolean isNan(byte[] text) {
    return text.length > 2
        && new String(text, StandardCharsets.ISO_8859_1).strip().matches("[+-]?[nN][aA][nN]");
  }

  /**
   * Returns the number that a text is, with spaces around; NaN if it is none. A zero byte ends the
   * text, as in C.
   */
  static double parse(byte[] text) {
    int start = 0;
    int end = 0;
    while (end < text.length && text[end] != 0) {
      end++;
    }
    while (start < end && space(text[start])) {
      start++;
    }
    while (end > start && space(text[end - 1])) {
      end--;
    }
    if (start == end) {
      return Double.NaN;
    }
    int length = prefix(text, start, end);
    return length == end - start ? prefixValue(text, start, length) : Double.NaN;
  }

  /** Returns how many bytes from a place on are a number, as strtod reads them; 0 if none are. */
  static int prefix(byte[] s, int from, int end) {
    int p = from;
    if (p < end && (s[p] == '+' || s[p] == '-')) {
      p++;
    }
    if (word(s, p, end, "infinity")) {
      return p + 8 - from;
    }
    if (word(s, p, end, "inf") || word(s, p, end, "nan")) {
      return p + 3 - from;
    }
    boolean hex = p + 1 < end && s[p] == '0' && (s[p + 1] == 'x' || s[p + 1] == 'X');
    if (hex) {
      int length = hexPrefix(s, p + 2, end);
      return length == 0 ? p + 1 - from : p + 2 + length - from;
    }
    int digits = 0;
    while (p < end && s[p] >= '0' && s[p] <= '9') {
      p++;
      digits++;
    }
    if (p < end && s[p] == '.') {
      int q = p + 1;
      while (q < end && s[q] >= '0' && s[q] <= '9') {
        q++;
        digits++;
      }
      if (digits > 0) {
        p = q;
      }
    }
    if (digits == 0) {
      return 0;
    }
    if (p < end && (s[p] == 'e' || s[p] == 'E')) {
      p = exponentEnd(s, p, end);
    }
    return p - from;
  }

  private static int exponentEnd(byte[] s, int at, int end) {
    int q = at + 1;
    if (q < end && (s[q] == '+' || s[q] == '-')) {
      q++;
    }
    if (q >= end || s[q] < '0' || s[q] > '9') {
      return at;
    }
    while (q < end && s[q] >= '0' && s[q] <= '9') {
      q++;
    }
    return q;
  }

  private static int hexPrefix(byte[] s, int from, int end) {
    int p = from;
    int digits = 0;
    while (p < end && Character.digit(s[p], 16) >= 0) {
      p++;
      digits++;
    }
    if (p < end && s[p] == '.') {
      p++;
      while (p < end && Character.digit(s[p], 16) >= 0) {
        p++;
        digits++;
      }
    }
    if (digits == 0) {
      return 0;
    }
    if (p < end && (s[p] == 'p' || s[p] == 'P')) {
      p = exponentEnd(s, p, end);
    }
    return p - from;
  }

  private static boolean word(byte[] s, int at, int end, String word) {
    if (end - at < word.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if ((s[at + i] | 0x20) != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the value of bytes of which {@link #prefix} says that all are a number. */
  static double prefixValue(byte[] s, int from, int length) {
    boolean negative = s[from] == '-';
    int skip = negative || s[from] == '+' ? 1 : 0;
    int at = from + skip;
    int end = from + length;
    double value;
    int c = s[at] | 0x20;
    if (c == 'i') {
      value = Double.POSITIVE_INFINITY;
    } else if (c == 'n') {
      return negative ? Double.NaN : POSITIVE_NAN;
    } else if (length - skip > 2 && s[at] == '0' && (s[at + 1] | 0x20) == 'x') {
      String text = new String(s, at, end - at, StandardCharsets.ISO_8859_1);
      boolean hasExponent = text.indexOf('p') >= 0 || text.indexOf('P') >= 0;
      value = Double.parseDouble(hasExponent ? text : text + "p0");
    } else {
      value = decimal(s, at, end);
    }
    return negative ? -value : value;
  }

  private static double decimal(byte[] s, int from, int end) {
    if (end - from <= 15) {
      long value = 0;
      int p = from;
      while (p < end && s[p] >= '0' && s[p] <= '9') {
        value = value * 10 + (s[p] - '0');
        p++;
      }
      if (p == end) {
        return value;
      }
    }
    return Double.parseDouble(new String(s, from, end - from, StandardCharsets.ISO_8859_1));
  }

  /** Returns the number with the other sign, for NaN too. */
  static double negate(double d) {
    if (Double.isNaN(d)) {
      return Double.doubleToRawLongBits(d) == POSITIVE_NAN_BITS ? Double.NaN : POSITIVE_NAN;
    }
    return -d;
  }

  /** Returns a number that was read from bits; it keeps the sign of NaN. */
  static double fromBits(double d) {
    if (Double.isNaN(d)) {
      return Double.doubleToRawLongBits(d) < 0 ? Double.NaN : POSITIVE_NAN;
    }
    return d;
  }

  /** Returns the bits of a number as C has them: NaN is negative unless it was read as nan. */
  static long toBits(double d) {
    if (Double.isNaN(d)) {
      return POSITIVE_NAN_BITS - 1 | (special(d).equals("nan") ? 0 : Long.MIN_VALUE);
    }
    return Double.doubleToRawLongBits(d);
  }

  /** Returns the bits of a number as a C float. */
  static int toFloatBits(double d) {
    if (Double.isNaN(d)) {
      return Float.floatToIntBits(Float.NaN) | (special(d).equals("nan") ? 0 : Integer.MIN_VALUE);
    }
    return Float.floatToRawIntBits((float) d);
  }

  /** Returns a number without its fraction; NaN and numbers out of range as on x86-64. */
  static long toInteger(double d) {
    if (d >= -0x1p63 && d < 0x1p63) {
      return (long) d;
    }
    return Long.MIN_VALUE;
  }
}
