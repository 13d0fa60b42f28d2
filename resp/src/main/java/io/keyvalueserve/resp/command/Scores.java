package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.SortedSetOperation.Limits;
import io.keyvalueserve.engine.collection.SortedSetOperation.Range;
import io.keyvalueserve.resp.protocol.Request;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Optional;

/** The scores and limits of ranges that a request names. */
final class Scores {
  private static final String NOT_LIMITS = "ERR min or max is not a float";
  private static final String NOT_MEMBERS = "ERR min or max not valid string range item";

  private static final String SPACES = " \t\n\u000b\f\r";
  private static final String DECIMAL = "[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?";
  private static final int MOST_LENIENT = 256;

  private Scores() {}

  /** A score: a number, or an infinite one. */
  static double score(Request request, int index) {
    return parse(request.latin(index)).orElseThrow(() -> new CommandException(Errors.NOT_A_FLOAT));
  }

  /** A number as C's strtod reads it: nothing before or behind it, not NaN, no overflow. */
  static Optional<Double> parse(String text) {
    if (Arithmetic.isInfinite(text)) {
      return Optional.of(
          text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
    }
    Optional<BigDecimal> number = Arithmetic.parseDecimal(text);
    if (number.isEmpty()) {
      return Optional.empty();
    }
    double value = number.get().doubleValue();
    boolean lost = Double.isInfinite(value) || (value == 0 && number.get().signum() != 0);
    return lost ? Optional.empty() : Optional.of(value);
  }

  /**
   * The arguments of an operation on a range, whose limits are two arguments.
   *
   * @param first the index of the first limit: the lower one, or, of a range that is reversed and
   *     not by ranks, the higher one
   */
  static Arguments range(
      Request request, int first, Limits by, boolean reverse, long offset, long count) {
    if (by == Limits.RANKS) {
      long start = Parsing.integer(request, first);
      long stop = Parsing.integer(request, first + 1);
      return Arguments.NONE.with(
          new Range(by, start, stop, 0, 0, reverse, offset, count).numbers());
    }
    int low = reverse ? first + 1 : first;
    int high = reverse ? first : first + 1;
    if (by == Limits.SCORES) {
      return Arguments.NONE.with(
          new Range(
                  by,
                  Double.doubleToRawLongBits(limit(request, low)),
                  Double.doubleToRawLongBits(limit(request, high)),
                  isOpen(request, low),
                  isOpen(request, high),
                  reverse,
                  offset,
                  count)
              .numbers());
    }
    int lowFlags = flags(request.argument(low));
    int highFlags = flags(request.argument(high));
    return Arguments.of(member(request.argument(low)), member(request.argument(high)))
        .with(new Range(by, 0, 0, lowFlags, highFlags, reverse, offset, count).numbers());
  }

  private static int isOpen(Request request, int index) {
    return request.latin(index).startsWith("(") ? Range.OPEN : 0;
  }

  private static double limit(Request request, int index) {
    String text = request.latin(index);
    return lenient(text.startsWith("(") ? text.substring(1) : text)
        .orElseThrow(() -> new CommandException(NOT_LIMITS));
  }

  /** Limits may have spaces before them, may be empty for 0, and beyond a double's range. */
  private static Optional<Double> lenient(String text) {
    int first = 0;
    while (first < text.length() && SPACES.indexOf(text.charAt(first)) >= 0) {
      first++;
    }
    if (text.isEmpty()) {
      return Optional.of(0.0);
    }
    String rest = text.substring(first);
    Optional<Double> exact = parse(rest);
    return exact.isPresent() || rest.length() > MOST_LENIENT || !rest.matches(DECIMAL)
        ? exact
        : Optional.of(Double.parseDouble(rest));
  }

  /**
   * A number that SORT sorts by, as C's strtod reads it: spaces may be before it, and nothing is 0.
   * Not NaN, and nothing that a double holds with less than its precision.
   */
  static Optional<Double> sorted(String text) {
    if (text.isEmpty()) {
      return Optional.of(0.0);
    }
    int first = 0;
    while (first < text.length() && SPACES.indexOf(text.charAt(first)) >= 0) {
      first++;
    }
    return parse(text.substring(first))
        .filter(value -> value == 0 || Math.abs(value) >= Double.MIN_NORMAL);
  }

  private static int flags(byte[] limit) {
    if (limit.length == 1 && limit[0] == '-') {
      return Range.LEAST;
    }
    if (limit.length == 1 && limit[0] == '+') {
      return Range.GREATEST;
    }
    if (limit.length > 0 && limit[0] == '(') {
      return Range.OPEN;
    }
    if (limit.length > 0 && limit[0] == '[') {
      return 0;
    }
    throw new CommandException(NOT_MEMBERS);
  }

  private static byte[] member(byte[] limit) {
    return Arrays.copyOfRange(limit, 1, limit.length);
  }
}
