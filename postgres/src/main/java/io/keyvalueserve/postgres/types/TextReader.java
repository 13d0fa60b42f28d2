package io.keyvalueserve.postgres.types;

import io.keyvalueserve.engine.query.JsonText;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads values from text, as PostgreSQL's clients write them. Thread-safe. */
public final class TextReader {
  private static final int MOST_NUMBER_CHARACTERS = 2000;
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d{1,3})?");
  private static final Pattern MOMENT =
      Pattern.compile(
          "(\\d{4,6})-(\\d{1,2})-(\\d{1,2})"
              + "(?:[T ](\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?)?"
              + "\\s*(Z|[+-]\\d{2}(?::?\\d{2}(?::?\\d{2})?)?)?(\\s+BC)?");
  private static final Pattern TIME =
      Pattern.compile("(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?(?:Z|[+-].*)?");

  private TextReader() {}

  /**
   * Reads a value.
   *
   * @param zone the session's, of points in time that name none
   * @throws PostgresException {@code 22P02} or {@code 22007} if the text is no value of the type
   */
  public static Object read(PgType type, String text, ZoneId zone) {
    try {
      return switch (type) {
        case BOOL -> bool(text);
        case INT2 -> Short.valueOf(whole(text));
        case INT4 -> Integer.valueOf(whole(text));
        case INT8, OID, XID, REGCLASS, REGTYPE, REGPROC, REGNAMESPACE -> Long.valueOf(whole(text));
        case FLOAT4 -> Float.valueOf(floating(text));
        case FLOAT8 -> Double.valueOf(floating(text));
        case NUMERIC -> number(text.strip());
        case BYTEA -> bytes(text);
        case DATE -> moment(text).toLocalDate();
        case TIME -> time(text);
        case TIMESTAMP -> moment(text);
        case TIMESTAMPTZ -> point(text, zone);
        case JSON, JSONB -> new JsonText(text);
        default -> {
          PgType element = type.element();
          yield element == null ? text : list(element, text, zone);
        }
      };
    } catch (NumberFormatException e) {
      throw wrong("22P02", type, text);
    } catch (DateTimeException e) {
      throw wrong("22007", type, text);
    }
  }

  private static PostgresException wrong(String state, PgType type, String text) {
    String shown = text.length() <= 40 ? text : text.substring(0, 40) + "...";
    return new PostgresException(
        state, "invalid input syntax for type " + type.sqlName() + ": \"" + shown + "\"");
  }

  private static Boolean bool(String text) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    return switch (word) {
      case "t", "tr", "tru", "true", "y", "ye", "yes", "on", "1" -> true;
      case "f", "fa", "fal", "fals", "false", "n", "no", "of", "off", "0" -> false;
      default -> throw wrong("22P02", PgType.BOOL, text);
    };
  }

  private static String whole(String text) {
    String number = text.strip();
    return number.startsWith("+") ? number.substring(1) : number;
  }

  private static String floating(String text) {
    String number = text.strip();
    String lower = number.toLowerCase(Locale.ROOT);
    return switch (lower) {
      case "nan" -> "NaN";
      case "inf", "infinity", "+inf", "+infinity" -> "Infinity";
      case "-inf", "-infinity" -> "-Infinity";
      default -> {
        if (!NUMBER.matcher(number).matches()) {
          throw new NumberFormatException();
        }
        yield number;
      }
    };
  }

  private static BigDecimal number(String text) {
    if (text.length() > MOST_NUMBER_CHARACTERS || !NUMBER.matcher(text).matches()) {
      throw new NumberFormatException();
    }
    BigDecimal number = new BigDecimal(text);
    return number.scale() < 0 ? number.setScale(0) : number;
  }

  private static byte[] bytes(String text) {
    if (text.startsWith("\\x")) {
      try {
        return HexFormat.of().parseHex(text.substring(2));
      } catch (IllegalArgumentException e) {
        throw wrong("22P02", PgType.BYTEA, text);
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c != '\\') {
        out.writeBytes(String.valueOf(c).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        i++;
      } else if (text.startsWith("\\\\", i)) {
        out.write('\\');
        i += 2;
      } else if (i + 4 <= text.length()) {
        out.write(Integer.parseInt(text.substring(i + 1, i + 4), 8));
        i += 4;
      } else {
        throw wrong("22P02", PgType.BYTEA, text);
      }
    }
    return out.toByteArray();
  }

  private static LocalTime time(String text) {
    Matcher parts = TIME.matcher(text.strip());
    if (!parts.matches()) {
      throw new DateTimeException("no time");
    }
    return time(parts, 1);
  }

  private static LocalTime time(Matcher parts, int first) {
    return LocalTime.of(
        part(parts, first),
        part(parts, first + 1),
        part(parts, first + 2),
        nanos(parts.group(first + 3)));
  }

  private static int part(Matcher parts, int group) {
    String digits = parts.group(group);
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  private static int nanos(@Nullable String digits) {
    return digits == null ? 0 : Integer.parseInt((digits + "00000000").substring(0, 9));
  }

  private static LocalDateTime moment(String text) {
    Matcher parts = MOMENT.matcher(text.strip());
    if (!parts.matches()) {
      throw new DateTimeException("no date");
    }
    return moment(parts);
  }

  private static LocalDateTime moment(Matcher parts) {
    int year = part(parts, 1);
    LocalDate date =
        LocalDate.of(parts.group(9) == null ? year : 1 - year, part(parts, 2), part(parts, 3));
    return LocalDateTime.of(date, time(parts, 4));
  }

  private static OffsetDateTime point(String text, ZoneId zone) {
    Matcher parts = MOMENT.matcher(text.strip());
    if (!parts.matches()) {
      throw new DateTimeException("no moment");
    }
    String offset = parts.group(8);
    LocalDateTime local = moment(parts);
    return offset == null
        ? local.atZone(zone).toOffsetDateTime()
        : local.atOffset(ZoneOffset.of(offset));
  }

  /** Reads an array: one dimension, with quotes. */
  private static List<@Nullable Object> list(PgType element, String text, ZoneId zone) {
    String inner = text.strip();
    if (!inner.startsWith("{") || !inner.endsWith("}") || inner.length() < 2) {
      throw wrong("22P02", element.array(), text);
    }
    List<@Nullable Object> values = new ArrayList<>();
    int i = 1;
    int end = inner.length() - 1;
    while (i < end) {
      StringBuilder value = new StringBuilder();
      boolean quoted = inner.charAt(i) == '"';
      if (quoted) {
        i++;
        while (i < end && inner.charAt(i) != '"') {
          if (inner.charAt(i) == '\\' && i + 1 < end) {
            i++;
          }
          value.append(inner.charAt(i++));
        }
        i++;
      } else {
        while (i < end && inner.charAt(i) != ',') {
          value.append(inner.charAt(i++));
        }
      }
      boolean isNull = !quoted && value.toString().equalsIgnoreCase("null");
      values.add(isNull ? null : read(element, value.toString(), zone));
      if (i < end && inner.charAt(i) != ',') {
        throw wrong("22P02", element.array(), text);
      }
      i++;
    }
    return values;
  }
}
