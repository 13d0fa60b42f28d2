package io.keyvalueserve.sql.expr;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Dates and times: their text, their parts and their arithmetic. */
final class Times {
  private static final Pattern OFFSET =
      Pattern.compile("(.*[0-9])\\s*(Z|z|[+-][0-9]{1,2}(?::?[0-9]{2})?)");

  private static final long NANOS = 1_000_000_000L;

  private Times() {}

  /** Reads a date, with or without a time; null if it is none. */
  static @Nullable LocalDateTime parse(String text) {
    try {
      Matcher offset = OFFSET.matcher(text);
      String local = text.length() > 11 && offset.matches() ? offset.group(1) : text;
      if (local.length() <= 10) {
        return LocalDate.parse(local).atStartOfDay();
      }
      char separator = local.charAt(10);
      if (separator != ' ' && separator != 'T') {
        return null;
      }
      LocalTime time = parseTime(local.substring(11).strip());
      return time == null ? null : LocalDate.parse(local.substring(0, 10)).atTime(time);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Reads a time; null if it is none. */
  static @Nullable LocalTime parseTime(String text) {
    try {
      return LocalTime.parse(text.length() > 1 && text.charAt(1) == ':' ? "0" + text : text);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Reads a timestamp with its offset, or else of a zone; null if it is none. */
  static @Nullable OffsetDateTime parseOffset(String text, ZoneId zone) {
    LocalDateTime time = parse(text);
    if (time == null) {
      return null;
    }
    Matcher offset = OFFSET.matcher(text);
    if (text.length() <= 11 || !offset.matches()) {
      return time.atZone(zone).toOffsetDateTime();
    }
    String id = offset.group(2).toUpperCase(Locale.ROOT);
    try {
      return time.atOffset(
          ZoneOffset.of(
              id.length() == 2 && !id.equals("Z") ? id.charAt(0) + "0" + id.charAt(1) : id));
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Adds an interval to a date, a time or a timestamp; the other order is allowed too. */
  static Object plus(Object value, Object interval, int sign) {
    if (value instanceof Duration || value instanceof Period) {
      if (interval instanceof Duration || interval instanceof Period) {
        return plusInterval(value, interval, sign);
      }
      return plus(interval, value, sign);
    }
    try {
      return switch (interval) {
        case Duration duration -> plusDuration(value, sign < 0 ? duration.negated() : duration);
        case Period period -> plusPeriod(value, sign < 0 ? period.negated() : period);
        case Number days when value instanceof LocalDate date ->
            date.plusDays(sign * days.longValue());
        default -> throw noArithmetic(value, interval);
      };
    } catch (DateTimeException | ArithmeticException e) {
      throw new SqlFailure(SqlState.OUT_OF_RANGE, "a time is out of its range");
    }
  }

  private static SqlFailure noArithmetic(Object a, Object b) {
    return new SqlFailure(
        SqlState.TYPE_MISMATCH,
        "there is no arithmetic of " + Casts.typeName(a) + " and " + Casts.typeName(b));
  }

  private static Object plusInterval(Object a, Object b, int sign) {
    if (a instanceof Duration x && b instanceof Duration y) {
      return sign < 0 ? x.minus(y) : x.plus(y);
    }
    if (a instanceof Period x && b instanceof Period y) {
      return sign < 0 ? x.minus(y) : x.plus(y);
    }
    throw noArithmetic(a, b);
  }

  private static Object plusDuration(Object value, Duration duration) {
    return switch (value) {
      case LocalDate date ->
          duration.toMillis() % Duration.ofDays(1).toMillis() == 0
              ? date.plusDays(duration.toDays())
              : date.atStartOfDay().plus(duration);
      case LocalTime time -> time.plus(duration);
      case LocalDateTime time -> time.plus(duration);
      case OffsetDateTime time -> time.plus(duration);
      default -> throw noArithmetic(value, duration);
    };
  }

  private static Object plusPeriod(Object value, Period period) {
    return switch (value) {
      case LocalDate date -> date.plus(period);
      case LocalDateTime time -> time.plus(period);
      case OffsetDateTime time -> time.plus(period);
      default -> throw noArithmetic(value, period);
    };
  }

  /** Returns the time between two. */
  static Duration between(Object later, Object earlier) {
    if (later instanceof LocalTime a && earlier instanceof LocalTime b) {
      return Duration.between(b, a);
    }
    return Duration.between(
        (LocalDateTime) require(Casts.cast(earlier, FieldType.TIMESTAMP, ZoneOffset.UTC)),
        (LocalDateTime) require(Casts.cast(later, FieldType.TIMESTAMP, ZoneOffset.UTC)));
  }

  private static Object require(@Nullable Object value) {
    return Objects.requireNonNull(value);
  }

  /** Returns a part of a time, as {@code EXTRACT} names it. */
  static Object extract(String unit, Object value, ZoneId zone) {
    String part = unit.toUpperCase(Locale.ROOT);
    switch (value) {
      case Duration duration -> {
        return ofDuration(part, duration);
      }
      case Period period -> {
        return switch (part) {
          case "YEAR" -> period.toTotalMonths() / 12;
          case "MONTH" -> period.toTotalMonths() % 12;
          default -> throw noPart(part);
        };
      }
      case LocalTime time -> {
        return ofTime(part, time);
      }
      default -> {}
    }
    if (part.equals("EPOCH")) {
      OffsetDateTime time =
          value instanceof OffsetDateTime offset
              ? offset
              : local(value, zone).atOffset(ZoneOffset.UTC);
      return seconds(time.toEpochSecond(), time.getNano());
    }
    LocalDateTime time = local(value, zone);
    return switch (part) {
      case "YEAR" -> (long) time.getYear();
      case "ISOYEAR" -> (long) time.get(IsoFields.WEEK_BASED_YEAR);
      case "QUARTER" -> (long) time.get(IsoFields.QUARTER_OF_YEAR);
      case "MONTH" -> (long) time.getMonthValue();
      case "WEEK" -> (long) time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
      case "DAY" -> (long) time.getDayOfMonth();
      case "DOY" -> (long) time.getDayOfYear();
      case "DOW" -> (long) (time.getDayOfWeek().getValue() % 7);
      case "ISODOW" -> (long) time.getDayOfWeek().getValue();
      case "DECADE" -> (long) Math.floorDiv(time.getYear(), 10);
      case "CENTURY" -> (long) Math.floorDiv(time.getYear() + 99, 100);
      case "MILLENNIUM" -> (long) Math.floorDiv(time.getYear() + 999, 1000);
      default -> ofTime(part, time.toLocalTime());
    };
  }

  private static LocalDateTime local(Object value, ZoneId zone) {
    Object time = Casts.cast(value, FieldType.TIMESTAMP, zone);
    return (LocalDateTime) require(time);
  }

  private static SqlFailure noPart(String part) {
    return new SqlFailure(
        SqlState.BAD_ARGUMENT, "a value of this type has no part \"" + part + "\"");
  }

  private static BigDecimal seconds(long seconds, long nanos) {
    BigDecimal exact = BigDecimal.valueOf(seconds).add(BigDecimal.valueOf(nanos, 9));
    return exact.signum() == 0 ? BigDecimal.ZERO : exact.stripTrailingZeros();
  }

  private static Object ofTime(String part, LocalTime time) {
    return switch (part) {
      case "HOUR" -> (long) time.getHour();
      case "MINUTE" -> (long) time.getMinute();
      case "SECOND" -> plain(seconds(time.getSecond(), time.getNano()));
      case "MILLISECOND" -> time.getSecond() * 1000L + time.getNano() / 1_000_000;
      case "MICROSECOND" -> time.getSecond() * 1_000_000L + time.getNano() / 1000;
      case "NANOSECOND" -> time.getSecond() * NANOS + time.getNano();
      case "EPOCH" -> plain(seconds(time.toSecondOfDay(), time.getNano()));
      default -> throw noPart(part);
    };
  }

  private static Object ofDuration(String part, Duration duration) {
    return switch (part) {
      case "DAY" -> duration.toDays();
      case "HOUR" -> (long) duration.toHoursPart();
      case "MINUTE" -> (long) duration.toMinutesPart();
      case "SECOND" -> plain(seconds(duration.toSecondsPart(), duration.toNanosPart()));
      case "EPOCH" -> plain(seconds(duration.getSeconds(), duration.getNano()));
      default -> throw noPart(part);
    };
  }

  private static BigDecimal plain(BigDecimal value) {
    return value.scale() < 0 ? value.setScale(0) : value;
  }

  /** Returns the beginning of the unit that a time lies in. */
  static Object truncate(String unit, Object value, ZoneId zone) {
    if (value instanceof OffsetDateTime time) {
      LocalDateTime local = LocalDateTime.ofInstant(time.toInstant(), zone);
      return truncate(unit, local).atZone(zone).toOffsetDateTime();
    }
    if (value instanceof LocalDate date) {
      return truncate(unit, date.atStartOfDay()).toLocalDate();
    }
    if (value instanceof LocalTime time) {
      return truncate(unit, time.atDate(LocalDate.EPOCH)).toLocalTime();
    }
    return truncate(unit, local(value, zone));
  }

  private static LocalDateTime truncate(String unit, LocalDateTime time) {
    LocalDateTime day = time.truncatedTo(ChronoUnit.DAYS);
    return switch (unit.toUpperCase(Locale.ROOT)) {
      case "MICROSECOND", "MICROSECONDS" -> time.truncatedTo(ChronoUnit.MICROS);
      case "MILLISECOND", "MILLISECONDS" -> time.truncatedTo(ChronoUnit.MILLIS);
      case "SECOND" -> time.truncatedTo(ChronoUnit.SECONDS);
      case "MINUTE" -> time.truncatedTo(ChronoUnit.MINUTES);
      case "HOUR" -> time.truncatedTo(ChronoUnit.HOURS);
      case "DAY" -> day;
      case "WEEK" -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case "MONTH" -> day.withDayOfMonth(1);
      case "QUARTER" -> day.withDayOfMonth(1).withMonth((day.getMonthValue() - 1) / 3 * 3 + 1);
      case "YEAR" -> day.withDayOfYear(1);
      case "DECADE" -> day.withDayOfYear(1).withYear(Math.floorDiv(day.getYear(), 10) * 10);
      case "CENTURY" ->
          day.withDayOfYear(1).withYear(Math.floorDiv(day.getYear() - 1, 100) * 100 + 1);
      default ->
          throw new SqlFailure(SqlState.BAD_ARGUMENT, "there is no unit of time \"" + unit + "\"");
    };
  }

  /** Formats a time by a pattern of {@code TO_CHAR}: YYYY, MM, DD, HH24, MI, SS, MS and others. */
  static String format(Object value, String pattern, ZoneId zone) {
    LocalDateTime time =
        value instanceof LocalTime of ? of.atDate(LocalDate.EPOCH) : local(value, zone);
    StringBuilder java = new StringBuilder();
    Matcher words = FORMAT.matcher(pattern);
    int end = 0;
    while (words.find()) {
      literal(java, pattern.substring(end, words.start()));
      java.append(javaPattern(words.group()));
      end = words.end();
    }
    literal(java, pattern.substring(end));
    return time.format(DateTimeFormatter.ofPattern(java.toString(), Locale.ENGLISH));
  }

  private static final Pattern FORMAT =
      Pattern.compile("YYYY|YY|MM|Month|Mon|DDD|DD|HH24|HH12|HH|MI|SS|MS|US|AM|PM|Day|Dy|Q");

  private static void literal(StringBuilder java, String text) {
    if (!text.isEmpty()) {
      java.append('\'').append(text.replace("'", "''")).append('\'');
    }
  }

  private static String javaPattern(String word) {
    return switch (word) {
      case "YYYY" -> "yyyy";
      case "YY" -> "yy";
      case "MM" -> "MM";
      case "Month" -> "MMMM";
      case "Mon" -> "MMM";
      case "DDD" -> "DDD";
      case "DD" -> "dd";
      case "HH24" -> "HH";
      case "HH12", "HH" -> "hh";
      case "MI" -> "mm";
      case "SS" -> "ss";
      case "MS" -> "SSS";
      case "US" -> "SSSSSS";
      case "AM", "PM" -> "a";
      case "Day" -> "EEEE";
      case "Dy" -> "EEE";
      default -> "Q";
    };
  }
}
