package io.keyvalueserve.stores;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Dates and times of what applications give; null stands for a value that is none of the type. */
final class Temporals {
  private static final DateTimeFormatter WITH_OFFSET =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
          .appendPattern("[XXX][X]")
          .toFormatter();

  private Temporals() {}

  static @Nullable LocalDate date(Object value) {
    return switch (value) {
      case LocalDate date -> date;
      case java.sql.Date date -> date.toLocalDate();
      default -> read(value, LocalDate::parse);
    };
  }

  static @Nullable LocalTime time(Object value) {
    LocalTime time =
        switch (value) {
          case LocalTime local -> local;
          case java.sql.Time local -> local.toLocalTime();
          default -> read(value, LocalTime::parse);
        };
    return time == null ? null : time.truncatedTo(ChronoUnit.MICROS);
  }

  static @Nullable LocalDateTime timestamp(Object value) {
    LocalDateTime time =
        switch (value) {
          case LocalDateTime local -> local;
          case java.sql.Timestamp local -> local.toLocalDateTime();
          default -> read(value, text -> LocalDateTime.parse(joined(text)));
        };
    return time == null || endless(time) ? time : time.truncatedTo(ChronoUnit.MICROS);
  }

  static @Nullable OffsetDateTime instant(Object value) {
    OffsetDateTime time =
        switch (value) {
          case OffsetDateTime zoned -> zoned;
          case ZonedDateTime zoned -> zoned.toOffsetDateTime();
          case Instant instant -> offset(instant);
          case java.sql.Timestamp local -> offset(local.toInstant());
          default -> read(value, text -> OffsetDateTime.parse(joined(text), WITH_OFFSET));
        };
    return time == null ? null : utc(time);
  }

  /** Moves a time to UTC; the first and the last one, which databases call infinite, stay. */
  static @Nullable OffsetDateTime utc(OffsetDateTime time) {
    if (time.equals(OffsetDateTime.MAX) || time.equals(OffsetDateTime.MIN)) {
      return time;
    }
    try {
      return time.withOffsetSameInstant(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static boolean endless(LocalDateTime time) {
    return time.equals(LocalDateTime.MAX) || time.equals(LocalDateTime.MIN);
  }

  private static @Nullable OffsetDateTime offset(Instant instant) {
    try {
      return instant.atOffset(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static <T> @Nullable T read(Object value, Function<String, T> parser) {
    if (!(value instanceof String) && !(value instanceof byte[])) {
      return null;
    }
    String text = Texts.text(value);
    try {
      return text == null ? null : parser.apply(text);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Puts the T between date and time where SQL has a space. */
  private static String joined(String text) {
    return text.replaceFirst(" ", "T");
  }
}
