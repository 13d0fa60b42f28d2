package io.keyvalueserve.maps.query;

import com.hazelcast.internal.json.NonTerminalJsonValue;
import io.keyvalueserve.engine.query.JsonText;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a JSON document as bytes of UTF-8, once, and makes no objects but those that are
 * asked for. Whatever the bytes are, it reads none outside its range. To be reused; one thread.
 */
final class JsonReader {
  private static final int MOST_NUMBER_CHARACTERS = 1_000;

  /** The deepest nesting whose attributes are read, as for Hazelcast. */
  private static final int MOST_DEPTH = 990;

  /** Longer numbers may not fit into a long. */
  private static final int MOST_DIGITS = 18;

  private byte[] text = {};
  private int at;
  private int end;
  private boolean fresh;

  /** Begins a document. */
  JsonReader over(byte[] bytes, int from, int to) {
    text = bytes;
    at = from;
    end = to;
    skipSpace();
    return this;
  }

  int at() {
    return at;
  }

  void at(int position) {
    at = position;
  }

  /** Returns the byte that the reader stands at; -1 behind the last. */
  int peek() {
    return at < end ? text[at] : -1;
  }

  private void skipSpace() {
    while (at < end && isSpace(text[at])) {
      at++;
    }
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  private boolean take(int expected) {
    if (peek() != expected) {
      return false;
    }
    at++;
    skipSpace();
    return true;
  }

  // ---- containers

  /**
   * Goes from the beginning of an object to the value of its first member of a name.
   *
   * @param name its UTF-8 bytes, and the same as text
   */
  boolean enterMember(byte[] name, String nameText) {
    if (!take('{')) {
      return false;
    }
    while (peek() == '"') {
      int begin = at + 1;
      int flags = skipString();
      if (flags < 0) {
        return false;
      }
      boolean same =
          flags == 0
              ? Arrays.equals(text, begin, at - 1, name, 0, name.length)
              : nameText.equals(unescaped(begin, at - 1));
      skipSpace();
      if (!take(':')) {
        return false;
      }
      if (same) {
        return true;
      }
      if (!skipValue() || !take(',')) {
        return false;
      }
    }
    return false;
  }

  /** Goes from the beginning of an array to an element. */
  boolean enterElement(int index) {
    if (!beginArray()) {
      return false;
    }
    for (int i = 0; nextElement(); i++) {
      if (i == index) {
        return true;
      }
      if (!skipValue()) {
        return false;
      }
    }
    return false;
  }

  /** Goes into an array. */
  boolean beginArray() {
    fresh = true;
    return take('[');
  }

  /** Goes to the first element, or from behind an element to the next. */
  boolean nextElement() {
    boolean there = fresh ? at < end && peek() != ']' : take(',');
    fresh = false;
    return there;
  }

  /** Goes behind a value and the space that follows. */
  boolean skipValue() {
    int depth = 0;
    do {
      int first = peek();
      switch (first) {
        case -1 -> {
          return false;
        }
        case '{', '[' -> {
          if (++depth > MOST_DEPTH) {
            return false;
          }
          at++;
        }
        case '}', ']' -> {
          depth--;
          at++;
          if (depth < 0) {
            return false;
          }
        }
        case '"' -> {
          if (skipString() < 0) {
            return false;
          }
        }
        case ',', ':' -> {
          if (depth == 0) {
            return false;
          }
          at++;
        }
        default -> {
          if (!skipWord()) {
            return false;
          }
        }
      }
      skipSpace();
    } while (depth > 0);
    return true;
  }

  private boolean skipWord() {
    int begin = at;
    while (at < end && isWord(text[at])) {
      at++;
    }
    return at > begin;
  }

  private static boolean isWord(byte b) {
    return (b >= '0' && b <= '9')
        || (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || b == '-'
        || b == '+'
        || b == '.';
  }

  /** Goes behind a string; returns 0 if it has no escapes, 1 if it has, -1 if it does not end. */
  private int skipString() {
    int flags = 0;
    for (int i = at + 1; i < end; i++) {
      byte b = text[i];
      if (b == '"') {
        at = i + 1;
        return flags;
      }
      if (b == '\\') {
        flags = 1;
        i++;
      }
    }
    return -1;
  }

  // ---- scalars

  /**
   * Shows the scalar that the reader stands at, without an object.
   *
   * @return {@link Scalar#UNSURE} if it is none, or takes more than a look
   */
  int show(Scalar scalar) {
    int first = peek();
    int begin = at;
    if (first == '"') {
      return skipString() == 0 ? scalar.ofText(text, begin + 1, at - 1) : Scalar.UNSURE;
    }
    if (!skipWord()) {
      return Scalar.UNSURE;
    }
    int length = at - begin;
    return switch (first) {
      case 't' -> isWord(begin, length, "true") ? scalar.ofBoolean(true) : Scalar.UNSURE;
      case 'f' -> isWord(begin, length, "false") ? scalar.ofBoolean(false) : Scalar.UNSURE;
      case 'n' -> isWord(begin, length, "null") ? scalar.ofNull() : Scalar.UNSURE;
      default -> whole(begin, length, scalar);
    };
  }

  private int whole(int begin, int length, Scalar scalar) {
    boolean negative = text[begin] == '-';
    int first = negative ? begin + 1 : begin;
    int digits = begin + length - first;
    if (digits == 0 || digits > MOST_DIGITS || (digits > 1 && text[first] == '0')) {
      return Scalar.UNSURE;
    }
    long value = 0;
    for (int i = first; i < begin + length; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        return Scalar.UNSURE;
      }
      value = 10 * value + digit;
    }
    return scalar.ofWhole(negative ? -value : value, Scalar.LONG);
  }

  /** Makes an object of the value that the reader stands at, and goes behind it. */
  @Nullable Object value(JsonPath.Manner manner) {
    int first = peek();
    if (first == '"') {
      return string();
    }
    if (first == '{' || first == '[') {
      int begin = at;
      if (!skipValue()) {
        return null;
      }
      return manner == JsonPath.Manner.HAZELCAST
          ? NonTerminalJsonValue.INSTANCE
          : new JsonText(new String(text, begin, at - begin, StandardCharsets.UTF_8).strip());
    }
    int begin = at;
    if (!skipWord()) {
      return null;
    }
    int length = at - begin;
    skipSpace();
    if (first == 't' || first == 'f') {
      return isWord(begin, length, "true")
          ? Boolean.TRUE
          : isWord(begin, length, "false") ? Boolean.FALSE : null;
    }
    return first == '-' || (first >= '0' && first <= '9') ? number(begin, length, manner) : null;
  }

  private boolean isWord(int begin, int length, String word) {
    if (length != word.length()) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (text[begin + i] != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Object number(int begin, int length, JsonPath.Manner manner) {
    if (length > MOST_NUMBER_CHARACTERS) {
      return null;
    }
    String digits = new String(text, begin, length, StandardCharsets.ISO_8859_1);
    boolean isWhole = digits.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
    try {
      if (manner == JsonPath.Manner.DECIMAL) {
        return new BigDecimal(digits);
      }
      return isWhole ? whole(digits, manner) : (Object) Double.valueOf(digits);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable Object whole(String digits, JsonPath.Manner manner) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return manner == JsonPath.Manner.HAZELCAST ? null : new BigDecimal(digits);
    }
  }

  private @Nullable String string() {
    int begin = at + 1;
    int flags = skipString();
    if (flags < 0) {
      return null;
    }
    int close = at - 1;
    skipSpace();
    return flags == 0
        ? new String(text, begin, close - begin, StandardCharsets.UTF_8)
        : unescaped(begin, close);
  }

  private @Nullable String unescaped(int begin, int close) {
    String raw = new String(text, begin, close - begin, StandardCharsets.UTF_8);
    StringBuilder plain = new StringBuilder(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c != '\\') {
        plain.append(c);
        continue;
      }
      if (++i == raw.length()) {
        return null;
      }
      switch (raw.charAt(i)) {
        case 'n' -> plain.append('\n');
        case 't' -> plain.append('\t');
        case 'r' -> plain.append('\r');
        case 'b' -> plain.append('\b');
        case 'f' -> plain.append('\f');
        case '"', '\\', '/' -> plain.append(raw.charAt(i));
        case 'u' -> {
          int unit = unit(raw, i + 1);
          if (unit < 0) {
            return null;
          }
          plain.append((char) unit);
          i += 4;
        }
        default -> {
          return null;
        }
      }
    }
    return plain.toString();
  }

  private static int unit(String raw, int from) {
    if (from + 4 > raw.length()) {
      return -1;
    }
    int unit = 0;
    for (int i = from; i < from + 4; i++) {
      int digit = Character.digit(raw.charAt(i), 16);
      if (digit < 0) {
        return -1;
      }
      unit = (unit << 4) | digit;
    }
    return unit;
  }
}
