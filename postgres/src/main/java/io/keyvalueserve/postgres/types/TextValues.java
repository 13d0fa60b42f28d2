package io.keyvalueserve.postgres.types;

import io.keyvalueserve.engine.query.Decimals;
import io.keyvalueserve.engine.query.JsonText;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.HexFormat;
import java.util.List;

/** Values as text, as PostgreSQL writes them. Thread-safe. */
public final class TextValues {
  private TextValues() {}

  /**
   * Writes a value.
   *
   * @param value of a class of a {@link io.keyvalueserve.engine.query.FieldType}, a list, or any
   *     other object, which is written as it says itself
   * @param zone the session's, in which points in time are written
   */
  public static String of(Object value, ZoneId zone) {
    return switch (value) {
      case String text -> text;
      case Boolean truth -> truth ? "t" : "f";
      case Double number -> ofDouble(number);
      case Float number -> ofFloat(number);
      case BigDecimal number -> Decimals.text(number);
      case byte[] bytes -> "\\x" + HexFormat.of().formatHex(bytes);
      case LocalDate date -> ofDate(date);
      case LocalTime time -> ofTime(time);
      case LocalDateTime moment -> ofDateTime(moment);
      case OffsetDateTime moment -> ofOffset(moment, zone);
      case JsonText json -> json.text();
      case PgVector vector -> vector.toString();
      case List<?> list -> ofList(list, zone);
      default -> value.toString();
    };
  }

  private static String ofDouble(double number) {
    return Double.isInfinite(number)
        ? (number > 0 ? "Infinity" : "-Infinity")
        : shortened(Double.toString(number));
  }

  private static String ofFloat(float number) {
    return Float.isInfinite(number)
        ? (number > 0 ? "Infinity" : "-Infinity")
        : shortened(Float.toString(number));
  }

  /** Makes {@code 1.0E20} and {@code 1.0} of Java {@code 1e+20} and {@code 1}. */
  private static String shortened(String java) {
    int at = java.indexOf('E');
    String digits = at < 0 ? java : java.substring(0, at);
    if (digits.endsWith(".0")) {
      digits = digits.substring(0, digits.length() - 2);
    }
    if (at < 0) {
      return digits;
    }
    int exponent = Integer.parseInt(java.substring(at + 1));
    if (exponent >= -4 && exponent < 15) {
      return plain(java);
    }
    return digits
        + (exponent < 0 ? "e-" : "e+")
        + (Math.abs(exponent) < 10 ? "0" : "")
        + Math.abs(exponent);
  }

  private static String plain(String java) {
    BigDecimal exact = new BigDecimal(java).stripTrailingZeros();
    return exact.scale() < 0 ? exact.setScale(0).toPlainString() : exact.toPlainString();
  }

  static String ofDate(LocalDate date) {
    return dateDigits(date) + era(date);
  }

  private static String dateDigits(LocalDate date) {
    int year = date.getYear() > 0 ? date.getYear() : 1 - date.getYear();
    return "%04d-%02d-%02d".formatted(year, date.getMonthValue(), date.getDayOfMonth());
  }

  private static String era(LocalDate date) {
    return date.getYear() > 0 ? "" : " BC";
  }

  static String ofTime(LocalTime time) {
    StringBuilder text = new StringBuilder(15);
    two(text, time.getHour()).append(':');
    two(text, time.getMinute()).append(':');
    two(text, time.getSecond());
    int micros = time.getNano() / 1000;
    if (micros > 0) {
      String digits = Integer.toString(1_000_000 + micros).substring(1);
      int end = digits.length();
      while (digits.charAt(end - 1) == '0') {
        end--;
      }
      text.append('.').append(digits, 0, end);
    }
    return text.toString();
  }

  private static StringBuilder two(StringBuilder text, int number) {
    return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }

  private static String ofDateTime(LocalDateTime moment) {
    LocalDate date = moment.toLocalDate();
    return dateDigits(date) + " " + ofTime(moment.toLocalTime()) + era(date);
  }

  private static String ofOffset(OffsetDateTime moment, ZoneId zone) {
    var local = moment.atZoneSameInstant(zone);
    int seconds = local.getOffset().getTotalSeconds();
    StringBuilder text = new StringBuilder(32);
    text.append(dateDigits(local.toLocalDate())).append(' ').append(ofTime(local.toLocalTime()));
    text.append(seconds < 0 ? '-' : '+');
    int left = Math.abs(seconds);
    two(text, left / 3600);
    if (left % 3600 != 0) {
      two(text.append(':'), left / 60 % 60);
    }
    if (left % 60 != 0) {
      two(text.append(':'), left % 60);
    }
    return text.append(era(local.toLocalDate())).toString();
  }

  private static String ofList(List<?> list, ZoneId zone) {
    StringBuilder text = new StringBuilder("{");
    for (Object element : list) {
      if (text.length() > 1) {
        text.append(',');
      }
      if (element == null) {
        text.append("NULL");
      } else if (element instanceof List<?> inner) {
        text.append(ofList(inner, zone));
      } else {
        quoted(text, of(element, zone));
      }
    }
    return text.append('}').toString();
  }

  private static void quoted(StringBuilder text, String element) {
    boolean plain = !element.isEmpty() && !element.equalsIgnoreCase("null");
    for (int i = 0; plain && i < element.length(); i++) {
      plain = "{},\"\\ \t\n\r\f".indexOf(element.charAt(i)) < 0;
    }
    if (plain) {
      text.append(element);
    } else {
      text.append('"').append(element.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
    }
  }
}
