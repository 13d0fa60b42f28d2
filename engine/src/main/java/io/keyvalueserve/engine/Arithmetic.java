package io.keyvalueserve.engine;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counting on numbers that are kept as text. */
public final class Arithmetic {
  /** An 80-bit float, which Redis counts with, prints at most this many decimals. */
  private static final int MOST_DECIMALS = 17;

  /** The range of an 80-bit float, which Redis counts with: beyond, a sum is infinite. */
  private static final int MOST_EXPONENT = 4932;

  /** This is zero as an 80-bit float, and what is less: Redis takes none that is not written so. */
  private static final BigDecimal ZERO_FROM = HexFloat.zeroFrom();

  private static final long ZERO_EXPONENT = exponent(ZERO_FROM);

  private static final int MOST_INTEGER_CHARACTERS = 20;
  private static final int MOST_DECIMAL_CHARACTERS = 5000;

  private static final Set<String> INFINITE =
      Set.of("inf", "+inf", "-inf", "infinity", "+infinity", "-infinity");

  private Arithmetic() {}

  /**
   * Reads an integer of 64 bits as Redis does: an optional minus and digits, no leading zeros, no
   * spaces, no plus.
   */
  public static Optional<Long> parseInteger(byte[] text) {
    int length = text.length;
    if (length == 0 || length > MOST_INTEGER_CHARACTERS) {
      return Optional.empty();
    }
    boolean negative = text[0] == '-';
    int first = negative ? 1 : 0;
    if (first == length) {
      return Optional.empty();
    }
    if (text[first] == '0') {
      return length == 1 ? Optional.of(0L) : Optional.empty();
    }
    long value = 0;
    for (int i = first; i < length; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9 || value < (Long.MIN_VALUE + digit) / 10) {
        return Optional.empty();
      }
      value = value * 10 - digit; // counts downwards, as the negative range is the longer one
    }
    if (negative) {
      return Optional.of(value);
    }
    return value == Long.MIN_VALUE ? Optional.empty() : Optional.of(-value);
  }

  /**
   * Reads a finite number in the range of an 80-bit float as Redis does: digits, an optional point,
   * an optional exponent, or hexadecimal digits behind {@code 0x} ({@link HexFloat}).
   */
  public static Optional<BigDecimal> parseDecimal(String text) {
    if (text.isEmpty() || text.length() > MOST_DECIMAL_CHARACTERS) {
      return Optional.empty();
    }
    if (HexFloat.begins(text)) {
      return HexFloat.parse(text);
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean allowed = (c >= '0' && c <= '9') || "+-.eE".indexOf(c) >= 0;
      if (!allowed) {
        return Optional.empty(); // BigDecimal would take the digits of other scripts too
      }
    }
    try {
      BigDecimal number = new BigDecimal(text);
      boolean inRange =
          number.signum() == 0 || (exponent(number) <= MOST_EXPONENT && !isZero(number));
      return inRange ? Optional.of(number) : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns whether a text is one that Redis reads as infinity: {@code inf} or {@code infinity}.
   */
  public static boolean isInfinite(String text) {
    return INFINITE.contains(text.toLowerCase(Locale.ROOT));
  }

  static Transition increment(Current current, long delta) {
    long before = 0;
    if (current.exists()) {
      byte[] text = current.bytes();
      if (text == null) {
        return Transition.nothing(Outcome.Rejected.WRONG_TYPE);
      }
      Optional<Long> parsed = parseInteger(text);
      if (parsed.isEmpty()) {
        return Transition.nothing(Outcome.Rejected.NOT_AN_INTEGER);
      }
      before = parsed.get();
    }
    long after = before + delta;
    if (((before ^ after) & (delta ^ after)) < 0) {
      return Transition.nothing(Outcome.Rejected.OVERFLOW);
    }
    return Transition.put(
        ascii(Long.toString(after)), expiryOf(current), new Outcome.IntegerResult(after));
  }

  static Transition incrementDecimal(Current current, String delta) {
    String before = null;
    if (current.exists()) {
      byte[] text = current.bytes();
      if (text == null) {
        return Transition.nothing(Outcome.Rejected.WRONG_TYPE);
      }
      before = new String(text, StandardCharsets.ISO_8859_1);
    }
    Outcome outcome = addDecimal(before, delta);
    return outcome instanceof Outcome.DecimalResult sum
        ? Transition.put(ascii(sum.value()), expiryOf(current), sum)
        : Transition.nothing(outcome);
  }

  /**
   * Adds two decimal numbers as Redis does.
   *
   * @param before null counts as 0; may be infinite, then the sum is not finite
   * @param delta see {@link #parseDecimal}
   * @return the sum, or a {@link Outcome.Rejected}: {@code NOT_A_DECIMAL}, {@code NOT_FINITE}
   */
  public static Outcome addDecimal(@Nullable String before, String delta) {
    BigDecimal number = BigDecimal.ZERO;
    boolean infinite = false;
    if (before != null) {
      Optional<BigDecimal> parsed = parseDecimal(before);
      infinite = isInfinite(before);
      if (parsed.isEmpty() && !infinite) {
        return Outcome.Rejected.NOT_A_DECIMAL;
      }
      number = parsed.orElse(number);
    }
    Optional<BigDecimal> parsedDelta = parseDecimal(delta);
    if (parsedDelta.isEmpty()) {
      return Outcome.Rejected.NOT_A_DECIMAL;
    }
    if (infinite) {
      return Outcome.Rejected.NOT_FINITE;
    }
    BigDecimal after = tidy(number).add(tidy(parsedDelta.get()));
    return after.signum() != 0 && exponent(after) > MOST_EXPONENT
        ? Outcome.Rejected.NOT_FINITE
        : new Outcome.DecimalResult(format(after));
  }

  /**
   * Drops digits that an 80-bit float could not hold either, so that no sum grows without bound.
   */
  private static BigDecimal tidy(BigDecimal number) {
    return number
        .round(new MathContext(MOST_EXPONENT + MOST_DECIMALS))
        .setScale(Math.min(number.scale(), 2 * MOST_DECIMALS), RoundingMode.HALF_EVEN);
  }

  /**
   * Formats a number as Redis prints a counter: no exponent, no zeros at the end, at most 17
   * decimals.
   */
  private static String format(BigDecimal number) {
    BigDecimal rounded =
        number.scale() > MOST_DECIMALS
            ? number.setScale(MOST_DECIMALS, RoundingMode.HALF_EVEN)
            : number;
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  private static boolean isZero(BigDecimal number) {
    long exponent = exponent(number);
    return exponent < ZERO_EXPONENT
        || (exponent == ZERO_EXPONENT && number.abs().compareTo(ZERO_FROM) <= 0);
  }

  private static long exponent(BigDecimal number) {
    return (long) number.precision() - number.scale() - 1;
  }

  private static long expiryOf(Current current) {
    return current.exists() ? current.expireAtMillis() : Expiry.NONE;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
