package io.keyvalueserve.billing.pricing;

import java.time.DayOfWeek;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * Peak hours that come back every week, by local time: on some days, from one minute to another.
 * Whole minutes only, so that a minute of usage is never partly in it.
 *
 * @param days on which days; one or more
 * @param fromMinute the first minute of the day that is in it: 0 to 1439
 * @param toMinute the first minute that is not: more than {@code fromMinute}, up to 1440 for the
 *     end of the day
 */
public record PeakWindow(Set<DayOfWeek> days, int fromMinute, int toMinute) {
  static final int MINUTES_A_DAY = 1440;

  /**
   * @throws InvalidRateCardException if a field is out of its range
   */
  public PeakWindow {
    InvalidRateCardException.require(!days.isEmpty(), "days", days, "name at least one day");
    days = Collections.unmodifiableSet(EnumSet.copyOf(days));
    InvalidRateCardException.require(
        fromMinute >= 0 && fromMinute < MINUTES_A_DAY,
        "from",
        text(fromMinute),
        "set 00:00 to 23:59, in whole minutes");
    InvalidRateCardException.require(
        toMinute > fromMinute && toMinute <= MINUTES_A_DAY,
        "to",
        text(toMinute),
        "set a time after "
            + text(fromMinute)
            + ", up to 24:00; make two windows of one that goes past midnight");
  }

  /**
   * Creates a window from texts such as {@code 08:00} and {@code 24:00}.
   *
   * @throws InvalidRateCardException if a text is no time in whole minutes
   */
  public static PeakWindow of(Set<DayOfWeek> days, String from, String to) {
    return new PeakWindow(days, minute("from", from), minute("to", to));
  }

  /** The first minute as a text. */
  public String from() {
    return text(fromMinute);
  }

  /** The end as a text, up to {@code 24:00}. */
  public String to() {
    return text(toMinute);
  }

  private static String text(int minute) {
    return String.format(Locale.ROOT, "%02d:%02d", minute / 60, minute % 60);
  }

  private static int minute(String field, String text) {
    boolean isTime =
        text.length() == 5
            && text.charAt(2) == ':'
            && isDigit(text, 0)
            && isDigit(text, 1)
            && isDigit(text, 3)
            && isDigit(text, 4);
    int hour = isTime ? number(text, 0) : 0;
    int minute = isTime ? number(text, 3) : 0;
    InvalidRateCardException.require(
        isTime && minute < 60 && hour * 60 + minute <= MINUTES_A_DAY,
        field,
        text,
        "write hours and whole minutes, as in 08:00 or 24:00");
    return hour * 60 + minute;
  }

  private static boolean isDigit(String text, int at) {
    return text.charAt(at) >= '0' && text.charAt(at) <= '9';
  }

  private static int number(String text, int at) {
    return (text.charAt(at) - '0') * 10 + text.charAt(at + 1) - '0';
  }
}
