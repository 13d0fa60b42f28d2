package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.wire.PostgresException;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Matches text with patterns; each look at a character is a step of the query. */
final class Patterns {
  private static final int MOST_CHARACTERS = 10_000;

  private Patterns() {}

  /** A text that counts how often it is looked at. */
  private record Counted(String text, Run run, int start, int end) implements CharSequence {
    @Override
    public int length() {
      return end - start;
    }

    @Override
    public char charAt(int index) {
      run.step();
      return text.charAt(start + index);
    }

    @Override
    public CharSequence subSequence(int from, int to) {
      return new Counted(text, run, start + from, start + to);
    }

    @Override
    public String toString() {
      return text.substring(start, end);
    }
  }

  static boolean matches(Run run, String text, String regex, boolean ignoresCase) {
    return compiled(run, regex, ignoresCase)
        .matcher(new Counted(text, run, 0, text.length()))
        .find();
  }

  static String replaced(Run run, String text, String regex, String by, boolean isAll) {
    var matcher = compiled(run, regex, false).matcher(new Counted(text, run, 0, text.length()));
    String java = by.replace("$", "\\$").replaceAll("\\\\\\\\?(\\d)", "\\$$1");
    try {
      return Operators.bounded(isAll ? matcher.replaceAll(java) : matcher.replaceFirst(java));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new PostgresException("2201B", "the replacement names a group that is not there");
    }
  }

  private static Pattern compiled(Run run, String regex, boolean ignoresCase) {
    if (regex.length() > MOST_CHARACTERS) {
      throw new PostgresException("2201B", "the regular expression is too long");
    }
    try {
      return run.patterns()
          .computeIfAbsent(
              (ignoresCase ? "i" : "c") + regex,
              _ ->
                  Pattern.compile(
                      regex,
                      Pattern.DOTALL
                          | (ignoresCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0)));
    } catch (PatternSyntaxException e) {
      throw new PostgresException(
          "2201B", "the regular expression is not valid: " + e.getDescription());
    }
  }

  /** Matches {@code %} and {@code _}, with the backslash as escape. */
  static boolean like(Run run, String text, String pattern, boolean ignoresCase) {
    String t = ignoresCase ? text.toLowerCase(Locale.ROOT) : text;
    String p = ignoresCase ? pattern.toLowerCase(Locale.ROOT) : pattern;
    int at = 0;
    int place = 0;
    int star = -1;
    int starAt = 0;
    while (at < t.length()) {
      run.step();
      boolean isEscape = place < p.length() && p.charAt(place) == '\\' && place + 1 < p.length();
      char next = place < p.length() ? p.charAt(isEscape ? place + 1 : place) : 0;
      if (place < p.length() && !isEscape && next == '%') {
        star = place++;
        starAt = at;
      } else if (place < p.length() && ((!isEscape && next == '_') || next == t.charAt(at))) {
        place += isEscape ? 2 : 1;
        at++;
      } else if (star >= 0) {
        place = star + 1;
        at = ++starAt;
      } else {
        return false;
      }
    }
    while (place < p.length() && p.charAt(place) == '%') {
      place++;
    }
    return place == p.length();
  }
}
