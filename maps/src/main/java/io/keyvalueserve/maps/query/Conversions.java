package io.keyvalueserve.maps.query;

import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.internal.json.JsonValue;
import com.hazelcast.internal.json.NonTerminalJsonValue;
import com.hazelcast.query.impl.getters.MultiResult;
import io.keyvalueserve.engine.query.Decimals;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.JsonText;
import io.keyvalueserve.engine.query.QueryException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Date;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Converts values as they are stored to the types of fields. */
final class Conversions {
  private static final int MOST_SHOWN = 40;

  private Conversions() {}

  /**
   * Converts a value.
   *
   * @throws QueryException if it cannot be converted
   */
  static @Nullable Object to(Field field, @Nullable Object value) {
    FieldType type = field.type();
    if (value == null
        || type == FieldType.OBJECT
        || (type.javaClass() == value.getClass() && type != FieldType.DECIMAL)) {
      return value;
    }
    Object converted;
    try {
      converted = convert(type, value);
    } catch (ArithmeticException | IllegalArgumentException | DateTimeException e) {
      throw impossible(field, value, e);
    }
    if (converted == null) {
      throw impossible(field, value, null);
    }
    return converted;
  }

  private static QueryException impossible(
      Field field, Object value, @Nullable RuntimeException cause) {
    String message =
        "a value cannot be converted to the type of its field: field="
            + field
            + " type="
            + field.type()
            + " value="
            + shown(value);
    return cause == null
        ? new QueryException(QueryException.Kind.BAD_VALUE, message)
        : new QueryException(QueryException.Kind.BAD_VALUE, message, cause);
  }

  private static String shown(Object value) {
    if (!(value instanceof Comparable<?>) || value instanceof JsonValue) {
      return "(not a scalar)";
    }
    String text = value.toString();
    return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
  }

  private static @Nullable Object convert(FieldType type, Object value) {
    return switch (type) {
      case BOOLEAN -> toBoolean(value);
      case TINYINT -> whole(value).byteValueExact();
      case SMALLINT -> whole(value).shortValueExact();
      case INTEGER -> whole(value).intValueExact();
      case BIGINT -> toLong(value);
      case DECIMAL -> bounded(decimal(value));
      case REAL -> value instanceof Number n ? n.floatValue() : parsedFloat(value);
      case DOUBLE -> value instanceof Number n ? n.doubleValue() : parsedDouble(value);
      case VARCHAR -> toText(value);
      case VARBINARY -> null;
      case DATE -> toDate(value);
      case TIME -> toTime(value);
      case TIMESTAMP -> toTimestamp(value);
      case TIMESTAMP_WITH_TIME_ZONE -> toZoned(value);
      case JSON -> toJson(value);
      case OBJECT -> value;
    };
  }

  private static @Nullable Boolean toBoolean(Object value) {
    if (value instanceof String text) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "true" -> true;
        case "false" -> false;
        default -> null;
      };
    }
    return null;
  }

  private static Long toLong(Object value) {
    return switch (value) {
      case Integer n -> n.longValue();
      case Short n -> n.longValue();
      case Byte n -> n.longValue();
      default -> whole(value).longValueExact();
    };
  }

  /** Returns a whole number; what is behind the point of a fraction is cut off. */
  private static BigDecimal whole(Object value) {
    BigDecimal decimal = decimal(value);
    if (decimal == null) {
      throw new IllegalArgumentException("not a number");
    }
    if (decimal.scale() <= 0) {
      return decimal;
    }
    return decimal.precision() <= decimal.scale() // else a small exponent would take all memory
        ? BigDecimal.ZERO
        : new BigDecimal(decimal.toBigInteger());
  }

  private static @Nullable BigDecimal bounded(@Nullable BigDecimal value) {
    return value == null ? null : Decimals.bounded(value);
  }

  private static @Nullable BigDecimal decimal(Object value) {
    return switch (value) {
      case BigDecimal n -> n;
      case BigInteger n -> new BigDecimal(n);
      case Double n -> BigDecimal.valueOf(n);
      case Float n -> new BigDecimal(n.toString());
      case Number n -> BigDecimal.valueOf(n.longValue());
      case String text -> new BigDecimal(text.strip());
      default -> null;
    };
  }

  private static @Nullable Float parsedFloat(Object value) {
    return value instanceof String text ? (Float) Float.parseFloat(text) : null;
  }

  private static @Nullable Double parsedDouble(Object value) {
    return value instanceof String text ? (Double) Double.parseDouble(text) : null;
  }

  private static @Nullable String toText(Object value) {
    return switch (value) {
      case NonTerminalJsonValue _, MultiResult<?> _ -> null;
      case BigDecimal n -> Decimals.text(n);
      case Enum<?> constant -> constant.name();
      case Number _,
          Boolean _,
          Character _,
          UUID _,
          LocalDate _,
          LocalTime _,
          LocalDateTime _,
          OffsetDateTime _,
          Instant _,
          JsonText _,
          HazelcastJsonValue _,
          JsonValue _ ->
          value.toString();
      case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
      default -> null;
    };
  }

  private static @Nullable JsonText toJson(Object value) {
    return switch (value) {
      case NonTerminalJsonValue _ -> null;
      case HazelcastJsonValue json -> new JsonText(json.getValue());
      case JsonValue json -> new JsonText(json.toString());
      case String text -> new JsonText(text);
      case byte[] bytes -> new JsonText(new String(bytes, StandardCharsets.UTF_8));
      default -> null;
    };
  }

  // ---- times

  private static @Nullable LocalDate toDate(Object value) {
    if (value instanceof java.sql.Date date) {
      return date.toLocalDate();
    }
    if (value instanceof String text) {
      return LocalDate.parse(text);
    }
    LocalDateTime time = toTimestamp(value);
    return time == null ? null : time.toLocalDate();
  }

  private static @Nullable LocalTime toTime(Object value) {
    if (value instanceof java.sql.Time time) {
      return time.toLocalTime();
    }
    if (value instanceof String text) {
      return LocalTime.parse(text);
    }
    LocalDateTime time = toTimestamp(value);
    return time == null ? null : time.toLocalTime();
  }

  private static @Nullable LocalDateTime toTimestamp(Object value) {
    return switch (value) {
      case LocalDateTime time -> time;
      case LocalDate date -> date.atStartOfDay();
      case String text -> LocalDateTime.parse(text.replace(' ', 'T'));
      default -> {
        OffsetDateTime zoned = toZoned(value);
        yield zoned == null ? null : zoned.toLocalDateTime();
      }
    };
  }

  @SuppressWarnings("JavaUtilDate") // users' values
  private static @Nullable OffsetDateTime toZoned(Object value) {
    return switch (value) {
      case OffsetDateTime time -> time;
      case ZonedDateTime time -> time.toOffsetDateTime();
      case Instant time -> local(time);
      case java.sql.Date date -> local(Instant.ofEpochMilli(date.getTime()));
      case java.sql.Time time -> local(Instant.ofEpochMilli(time.getTime()));
      case Date date -> local(date.toInstant());
      case Calendar calendar ->
          calendar.toInstant().atZone(calendar.getTimeZone().toZoneId()).toOffsetDateTime();
      case LocalDateTime time -> time.atZone(ZoneId.systemDefault()).toOffsetDateTime();
      case LocalDate date -> date.atStartOfDay(ZoneId.systemDefault()).toOffsetDateTime();
      case String text -> OffsetDateTime.parse(text.replace(' ', 'T'));
      default -> null;
    };
  }

  private static OffsetDateTime local(Instant instant) {
    return instant.atZone(ZoneId.systemDefault()).toOffsetDateTime();
  }
}
