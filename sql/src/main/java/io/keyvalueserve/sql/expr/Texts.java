package io.keyvalueserve.sql.expr;

import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Functions of text. Positions count characters of Unicode, from 1. */
public final class Texts {
  private static final int MAX_LENGTH = 16 << 20;
  private static final int MAX_STEPS = 4_000_000;

  private Texts() {}

  /** Fails for text that would be too long. */
  static void requireLength(long length) {
    if (length > MAX_LENGTH) {
      throw new SqlFailure(
          SqlState.TOO_LARGE, "text would have more than " + MAX_LENGTH + " characters");
    }
  }

  /**
   * Returns whether text matches a pattern of {@code LIKE}.
   *
   * @param escape -1 for none
   */
  public static boolean like(String text, String pattern, int escape, boolean ignoresCase) {
    return ignoresCase ? like(fold(text), fold(pattern), escape) : like(text, pattern, escape);
  }

  private static String fold(String text) {
    return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }

  /** Goes back only to the last {@code %}: its time is at most text times pattern. */
  private static boolean like(String text, String pattern, int escape) {
    int at = 0;
    int in = 0;
    int retryText = -1;
    int retryPattern = -1;
    while (at < text.length() || in < pattern.length()) {
      if (in < pattern.length()) {
        int p = pattern.codePointAt(in);
        int width = Character.charCount(p);
        if (p == escape) {
          if (in + width >= pattern.length()) {
            throw new SqlFailure("22025", "a pattern of LIKE ends in its escape character");
          }
          p = pattern.codePointAt(in + width);
          if (at < text.length() && text.codePointAt(at) == p) {
            at += Character.charCount(p);
            in += width + Character.charCount(p);
            continue;
          }
        } else if (p == '%') {
          retryText = at;
          retryPattern = ++in;
          continue;
        } else if (at < text.length()) {
          int c = text.codePointAt(at);
          if (p == '_' || p == c) {
            at += Character.charCount(c);
            in += width;
            continue;
          }
        }
      }
      if (retryPattern < 0 || retryText >= text.length()) {
        return false;
      }
      retryText += Character.charCount(text.codePointAt(retryText));
      at = retryText;
      in = retryPattern;
    }
    return true;
  }

  /** Returns a regular expression. */
  public static Pattern regex(String pattern, boolean ignoresCase) {
    try {
      return Pattern.compile(
          pattern, ignoresCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0);
    } catch (PatternSyntaxException e) {
      throw new SqlFailure(
          SqlState.BAD_PATTERN, "a regular expression is not valid: " + e.getDescription());
    }
  }

  /** Returns a matcher that gives up after many steps, rather than never. */
  static Matcher matcher(Pattern pattern, String text) {
    return pattern.matcher(new Counted(text, 0, text.length(), new int[1]));
  }

  /** Returns whether a part of text matches a regular expression. */
  public static boolean matches(Pattern pattern, String text) {
    try {
      return matcher(pattern, text).find();
    } catch (StackOverflowError e) {
      throw tooHard();
    }
  }

  private static SqlFailure tooHard() {
    return new SqlFailure(
        SqlState.TOO_COMPLEX,
        "a regular expression takes too many steps",
        0,
        "write it without repetitions inside repetitions");
  }

  /** Returns a part of text, from a place that may lie before its beginning. */
  static String substring(String text, long from, long length) {
    if (length < 0) {
      throw new SqlFailure("22011", "a substring has a negative length");
    }
    int count = text.codePointCount(0, text.length());
    long end = length > Integer.MAX_VALUE ? Integer.MAX_VALUE : from + length;
    long begin = Math.clamp(from, 1, count + 1L);
    long behind = Math.clamp(end, begin, count + 1L);
    int start = text.offsetByCodePoints(0, (int) begin - 1);
    return text.substring(start, text.offsetByCodePoints(start, (int) (behind - begin)));
  }

  /** Returns the first characters; without the last ones for a negative count. */
  static String left(String text, long count) {
    int length = text.codePointCount(0, text.length());
    return substring(text, 1, count >= 0 ? count : Math.max(0, length + count));
  }

  /** Returns the last characters; without the first ones for a negative count. */
  static String right(String text, long count) {
    int length = text.codePointCount(0, text.length());
    long kept = count >= 0 ? Math.min(count, length) : Math.max(0, length + count);
    return substring(text, length - kept + 1, kept);
  }

  /** Returns where a part begins in text, from 1; 0 if it is not there. */
  static int position(String part, String text) {
    int index = text.indexOf(part);
    return index < 0 ? 0 : text.codePointCount(0, index) + 1;
  }

  /** Removes characters from the ends of text. */
  static String trim(String text, String characters, boolean atStart, boolean atEnd) {
    int start = 0;
    int end = text.length();
    while (atStart && start < end && characters.indexOf(text.codePointAt(start)) >= 0) {
      start += Character.charCount(text.codePointAt(start));
    }
    while (atEnd && end > start && characters.indexOf(text.codePointBefore(end)) >= 0) {
      end -= Character.charCount(text.codePointBefore(end));
    }
    return text.substring(start, end);
  }

  /** Fills or cuts text to a length. */
  static String pad(String text, long length, String fill, boolean atStart) {
    requireLength(length);
    int count = text.codePointCount(0, text.length());
    if (length <= count || fill.isEmpty()) {
      return left(text, Math.clamp(length, 0, count));
    }
    int missing = (int) length - count;
    String filled = fill.repeat(missing / fill.codePointCount(0, fill.length()) + 1);
    String part = left(filled, missing);
    return atStart ? part + text : text + part;
  }

  static String replace(String text, String from, String to) {
    if (from.isEmpty()) {
      return text;
    }
    if (to.length() > from.length()) {
      long most = text.length() + (long) text.length() / from.length() * to.length();
      if (most > MAX_LENGTH) {
        long hits = (long) text.split(Pattern.quote(from), -1).length - 1;
        requireLength(text.length() + hits * (to.length() - from.length()));
      }
    }
    return text.replace(from, to);
  }

  static String repeat(String text, long count) {
    requireLength(Math.max(0, count) * Math.max(1L, text.length()));
    return count <= 0 ? "" : text.repeat((int) count);
  }

  static String capitalized(String text) {
    StringBuilder result = new StringBuilder(text.toLowerCase(Locale.ROOT));
    boolean isInside = false;
    for (int i = 0; i < result.length(); i++) {
      char c = result.charAt(i);
      if (!isInside) {
        result.setCharAt(i, Character.toUpperCase(c));
      }
      isInside = Character.isLetterOrDigit(c);
    }
    return result.toString();
  }

  static String part(String text, String separator, long number) {
    if (number == 0) {
      throw new SqlFailure(SqlState.BAD_ARGUMENT, "SPLIT_PART counts parts from 1");
    }
    String[] parts =
        separator.isEmpty() ? new String[] {text} : text.split(Pattern.quote(separator), -1);
    long index = number > 0 ? number - 1 : parts.length + number;
    return index >= 0 && index < parts.length ? parts[(int) index] : "";
  }

  static String replaceRegex(String text, String pattern, String to, String flags) {
    Pattern compiled = regex(pattern, flags.contains("i"));
    String replacement = to.replace("$", "\\$").replaceAll("\\\\([0-9])", "\\$$1");
    Matcher matcher = matcher(compiled, text);
    try {
      return flags.contains("g")
          ? matcher.replaceAll(replacement)
          : matcher.replaceFirst(replacement);
    } catch (IndexOutOfBoundsException e) {
      throw new SqlFailure(SqlState.BAD_PATTERN, "a replacement names a group that is not there");
    } catch (StackOverflowError e) {
      throw tooHard();
    }
  }

  /** Text that counts how often it is looked at. */
  private record Counted(String text, int from, int to, int[] steps) implements CharSequence {
    @Override
    public int length() {
      return to - from;
    }

    @Override
    public char charAt(int index) {
      if (++steps[0] > MAX_STEPS) {
        throw tooHard();
      }
      return text.charAt(from + index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Counted(text, from + start, from + end, steps);
    }

    @Override
    public String toString() {
      return text.substring(from, to);
    }
  }
}
