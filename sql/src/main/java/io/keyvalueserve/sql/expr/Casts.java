package io.keyvalueserve.sql.expr;

import io.keyvalueserve.engine.query.Decimals;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.JsonText;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Converts values to other types, by the rules of PostgreSQL. */
public final class Casts {
  private static final Map<FieldType, long[]> RANGES =
      Map.of(
          FieldType.TINYINT, new long[] {Byte.MIN_VALUE, Byte.MAX_VALUE},
          FieldType.SMALLINT, new long[] {Short.MIN_VALUE, Short.MAX_VALUE},
          FieldType.INTEGER, new long[] {Integer.MIN_VALUE, Integer.MAX_VALUE},
          FieldType.BIGINT, new long[] {Long.MIN_VALUE, Long.MAX_VALUE});

  private static final int MAX_DIGITS = 1000;
  private static final double PLAIN_LIMIT = 1e15;

  private Casts() {}

  /**
   * Converts a value.
   *
   * @param zone between timestamps with and without a zone
   * @return of the class of the type
   * @throws SqlFailure if it has no value of the type
   */
  public static @Nullable Object cast(@Nullable Object value, FieldType type, ZoneId zone) {
    if (value instanceof BigDecimal decimal && !Decimals.isBounded(decimal)) {
      throw outOfRange(value, FieldType.DECIMAL);
    }
    if (value == null || (type != FieldType.OBJECT && type.javaClass().isInstance(value))) {
      return value;
    }
    return switch (type) {
      case OBJECT -> value;
      case BOOLEAN -> toBoolean(value);
      case TINYINT, SMALLINT, INTEGER, BIGINT -> toInteger(value, type);
      case DECIMAL -> toDecimal(value);
      case REAL -> toReal(value);
      case DOUBLE -> toDouble(value);
      case VARCHAR -> toText(value);
      case VARBINARY -> toBytes(value);
      case DATE -> toDateTime(value, type, zone).toLocalDate();
      case TIME -> toTime(value, zone);
      case TIMESTAMP -> toDateTime(value, type, zone);
      case TIMESTAMP_WITH_TIME_ZONE -> toOffset(value, zone);
      case JSON -> toJson(value);
    };
  }

  /** Returns the name of a value's type, for people. */
  static String typeName(Object value) {
    return typeOf(value).name().replace('_', ' ');
  }

  /** Returns the type that a value is of. */
  public static FieldType typeOf(Object value) {
    return switch (value) {
      case Boolean _ -> FieldType.BOOLEAN;
      case Byte _ -> FieldType.TINYINT;
      case Short _ -> FieldType.SMALLINT;
      case Integer _ -> FieldType.INTEGER;
      case Long _ -> FieldType.BIGINT;
      case BigDecimal _, BigInteger _ -> FieldType.DECIMAL;
      case Float _ -> FieldType.REAL;
      case Double _ -> FieldType.DOUBLE;
      case String _, Character _, UUID _ -> FieldType.VARCHAR;
      case byte[] _ -> FieldType.VARBINARY;
      case LocalDate _ -> FieldType.DATE;
      case LocalTime _ -> FieldType.TIME;
      case LocalDateTime _ -> FieldType.TIMESTAMP;
      case OffsetDateTime _, ZonedDateTime _, Instant _, Date _ ->
          FieldType.TIMESTAMP_WITH_TIME_ZONE;
      case JsonText _ -> FieldType.JSON;
      default -> FieldType.OBJECT;
    };
  }

  private static SqlFailure noCast(Object value, FieldType type) {
    return new SqlFailure(
        SqlState.BAD_CAST,
        "a value of the type "
            + typeName(value)
            + " cannot be converted to "
            + type.name().replace('_', ' '));
  }

  private static SqlFailure badText(String text, FieldType type) {
    String shown = text.length() > 80 ? text.substring(0, 80) + "..." : text;
    return new SqlFailure(
        type == FieldType.DATE
                || type == FieldType.TIME
                || type == FieldType.TIMESTAMP
                || type == FieldType.TIMESTAMP_WITH_TIME_ZONE
            ? SqlState.BAD_TIME
            : SqlState.BAD_TEXT,
        "this text is no " + type.name().replace('_', ' ') + ": \"" + shown + "\"");
  }

  /** Returns the text of a value that may be text of some class; null if it is not. */
  static @Nullable String textIn(Object value) {
    return switch (value) {
      case String text -> text;
      case JsonText json -> json.text();
      case Character c -> c.toString();
      default -> null;
    };
  }

  private static Boolean toBoolean(Object value) {
    String text = textIn(value);
    if (text != null) {
      return switch (text.strip().toLowerCase(Locale.ROOT)) {
        case "true", "t", "yes", "y", "on", "1" -> true;
        case "false", "f", "no", "n", "off", "0" -> false;
        default -> throw badText(text, FieldType.BOOLEAN);
      };
    }
    if (value instanceof Number number) {
      return Values.decimal(number).signum() != 0;
    }
    throw noCast(value, FieldType.BOOLEAN);
  }

  private static Number number(Object value, FieldType type) {
    if (value instanceof Number number) {
      return number;
    }
    if (value instanceof Boolean flag) {
      return flag ? 1 : 0;
    }
    if (value instanceof Duration duration) {
      return duration.toMillis();
    }
    if (value instanceof Period period) {
      return period.toTotalMonths();
    }
    String text = textIn(value);
    if (text == null) {
      throw noCast(value, type);
    }
    String plain = text.strip();
    try {
      if (type == FieldType.DOUBLE || type == FieldType.REAL) {
        return realOf(plain);
      }
      BigDecimal decimal = new BigDecimal(plain);
      if (Math.abs((long) decimal.scale()) > MAX_DIGITS) {
        throw outOfRange(plain, type);
      }
      return decimal;
    } catch (NumberFormatException e) {
      throw badText(text, type);
    }
  }

  private static Number realOf(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "nan" -> Double.NaN;
      case "infinity", "inf", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-infinity", "-inf" -> Double.NEGATIVE_INFINITY;
      default -> {
        if (text.isEmpty() || Character.isLetter(text.charAt(text.length() - 1))) {
          throw new NumberFormatException(text);
        }
        yield Double.parseDouble(text);
      }
    };
  }

  private static SqlFailure outOfRange(Object value, FieldType type) {
    return new SqlFailure(
        SqlState.OUT_OF_RANGE, value + " is out of the range of " + type.name().replace('_', ' '));
  }

  private static Object toInteger(Object value, FieldType type) {
    Number number = number(value, type);
    long wide;
    if (Values.isIntegral(number)) {
      wide = number.longValue();
    } else {
      if (value instanceof String text
          && number instanceof BigDecimal decimal
          && decimal.stripTrailingZeros().scale() > 0) {
        throw badText(text, type);
      }
      RoundingMode rounding =
          number instanceof BigDecimal ? RoundingMode.HALF_UP : RoundingMode.HALF_EVEN;
      BigDecimal rounded = Values.decimal(number).setScale(0, rounding);
      try {
        wide = rounded.longValueExact();
      } catch (ArithmeticException e) {
        throw outOfRange(value, type);
      }
    }
    return narrow(wide, type);
  }

  /** Returns an integer as the class of its type. */
  static Object narrow(long value, FieldType type) {
    long[] range = RANGES.get(type);
    if (range == null) {
      throw new IllegalArgumentException("no type of integers: " + type);
    }
    if (value < range[0] || value > range[1]) {
      throw outOfRange(value, type);
    }
    return switch (type) {
      case TINYINT -> (byte) value;
      case SMALLINT -> (short) value;
      case INTEGER -> (int) value;
      default -> value;
    };
  }

  private static BigDecimal toDecimal(Object value) {
    return Values.decimal(number(value, FieldType.DECIMAL));
  }

  private static Double toDouble(Object value) {
    Number number = number(value, FieldType.DOUBLE);
    double real = number.doubleValue();
    if (Double.isInfinite(real) && !(number instanceof Double) && !(number instanceof Float)) {
      throw outOfRange(value, FieldType.DOUBLE);
    }
    return real;
  }

  private static Float toReal(Object value) {
    double wide = toDouble(value);
    float real = (float) wide;
    if (Float.isInfinite(real) && !Double.isInfinite(wide)) {
      throw outOfRange(value, FieldType.REAL);
    }
    return real;
  }

  /** Returns a value as text. */
  public static String toText(Object value) {
    return switch (value) {
      case String text -> text;
      case JsonText json -> json.text();
      case BigDecimal decimal -> Decimals.text(decimal);
      case Double real -> realText(real, real.toString());
      case Float real -> realText(real, real.toString());
      case byte[] bytes -> "\\x" + HexFormat.of().formatHex(bytes);
      case LocalTime time -> timeText(time);
      case LocalDateTime time -> time.toLocalDate() + " " + timeText(time.toLocalTime());
      case OffsetDateTime time ->
          toText(time.toLocalDateTime()) + time.getOffset().getId().replace("Z", "+00:00");
      case ZonedDateTime time -> toText(time.toOffsetDateTime());
      case List<?> list -> arrayText(list);
      default -> String.valueOf(value);
    };
  }

  private static String realText(double real, String exact) {
    if (real == Math.rint(real) && Math.abs(real) < PLAIN_LIMIT) {
      return (real == 0 && 1 / real < 0 ? "-" : "") + (long) real;
    }
    return exact;
  }

  private static String timeText(LocalTime time) {
    String text =
        String.format(
            Locale.ROOT, "%02d:%02d:%02d", time.getHour(), time.getMinute(), time.getSecond());
    if (time.getNano() == 0) {
      return text;
    }
    String fraction = String.format(Locale.ROOT, "%09d", time.getNano());
    return text + "." + fraction.replaceAll("0+$", "");
  }

  private static String arrayText(List<?> list) {
    StringBuilder text = new StringBuilder("{");
    for (Object item : list) {
      text.append(text.length() > 1 ? "," : "").append(item == null ? "NULL" : toText(item));
    }
    return text.append('}').toString();
  }

  private static byte[] toBytes(Object value) {
    String text = textIn(value);
    if (text == null) {
      throw noCast(value, FieldType.VARBINARY);
    }
    if (!text.startsWith("\\x")) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    try {
      return HexFormat.of().parseHex(text.substring(2));
    } catch (IllegalArgumentException e) {
      throw badText(text, FieldType.VARBINARY);
    }
  }

  private static JsonText toJson(Object value) {
    String text = textIn(value);
    return new JsonText(text != null ? text : JsonValues.write(value));
  }

  private static LocalDateTime toDateTime(Object value, FieldType type, ZoneId zone) {
    return switch (value) {
      case LocalDateTime time -> time;
      case LocalDate date -> date.atStartOfDay();
      case OffsetDateTime time -> LocalDateTime.ofInstant(time.toInstant(), zone);
      case ZonedDateTime time -> LocalDateTime.ofInstant(time.toInstant(), zone);
      case Instant time -> LocalDateTime.ofInstant(time, zone);
      case Date time -> LocalDateTime.ofInstant(time.toInstant(), zone);
      default -> {
        String text = textIn(value);
        if (text == null) {
          throw noCast(value, type);
        }
        LocalDateTime time = Times.parse(text.strip());
        if (time == null) {
          throw badText(text, type);
        }
        yield time;
      }
    };
  }

  private static LocalTime toTime(Object value, ZoneId zone) {
    String text = textIn(value);
    if (text == null) {
      if (value instanceof LocalDate) {
        throw noCast(value, FieldType.TIME);
      }
      return toDateTime(value, FieldType.TIME, zone).toLocalTime();
    }
    LocalTime time = Times.parseTime(text.strip());
    if (time == null) {
      throw badText(text, FieldType.TIME);
    }
    return time;
  }

  private static OffsetDateTime toOffset(Object value, ZoneId zone) {
    return switch (value) {
      case ZonedDateTime time -> time.toOffsetDateTime();
      case Instant time -> time.atZone(zone).toOffsetDateTime();
      case LocalDateTime time -> time.atZone(zone).toOffsetDateTime();
      case LocalDate date -> date.atStartOfDay(zone).toOffsetDateTime();
      case Date time -> time.toInstant().atZone(zone).toOffsetDateTime();
      default -> {
        String text = textIn(value);
        if (text == null) {
          throw noCast(value, FieldType.TIMESTAMP_WITH_TIME_ZONE);
        }
        OffsetDateTime time = Times.parseOffset(text.strip(), zone);
        if (time == null) {
          throw badText(text, FieldType.TIMESTAMP_WITH_TIME_ZONE);
        }
        yield time;
      }
    };
  }
}
