package io.keyvalueserve.server.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What texts a setting takes.
 *
 * @param described completes the sentence "'x' is not ..."
 */
record Values(String described, Predicate<String> rule) {
  private static final Pattern INTEGER = Pattern.compile("\\d{1,10}");
  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([kmg]?)b?");
  private static final Pattern ADDRESS = Pattern.compile("(\\[[^\\]\\s]+\\]|[^:\\s]+):(\\d{1,5})");
  private static final Map<String, Integer> UNIT_SHIFTS = Map.of("", 0, "k", 10, "m", 20, "g", 30);
  private static final int MOST_PORT = 65_535;

  boolean accepts(String text) {
    return rule.test(text);
  }

  static Values text() {
    return new Values("a text", text -> true);
  }

  static Values name() {
    return new Values(
        "a name: use 1 to 255 characters without spaces",
        text -> !text.isEmpty() && text.length() <= 255 && text.chars().noneMatch(c -> c <= ' '));
  }

  static Values nameOrEmpty() {
    return new Values(
        "a name: use up to 255 characters without spaces",
        text -> text.isEmpty() || name().accepts(text));
  }

  static Values flag() {
    return new Values("true or false", text -> text.equals("true") || text.equals("false"));
  }

  static Values port() {
    return new Values(
        "a port: use 0 (any free one) to " + MOST_PORT, text -> isWithin(text, 0, MOST_PORT));
  }

  static Values integer(int least, int most) {
    return new Values(
        "a number from " + least + " to " + most, text -> isWithin(text, least, most));
  }

  static Values bytes(long least, long most) {
    return new Values(
        "a size from " + least + " to " + most + " bytes: write for example 64m",
        text -> {
          long bytes = parseBytes(text);
          return bytes >= least && bytes <= most;
        });
  }

  static Values oneOf(String... texts) {
    return new Values("one of " + String.join(", ", texts), List.of(texts)::contains);
  }

  static Values addresses() {
    return new Values(
        "a list of addresses: write HOST:PORT,HOST:PORT",
        text ->
            text.isEmpty() || List.of(text.split(",", -1)).stream().allMatch(Values::isAddress));
  }

  /** Reads a size; -1 if it is none. */
  static long parseBytes(String text) {
    Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    return matcher.matches()
        ? Long.parseLong(matcher.group(1)) << UNIT_SHIFTS.getOrDefault(matcher.group(2), 0)
        : -1;
  }

  private static boolean isAddress(String text) {
    Matcher matcher = ADDRESS.matcher(text.strip());
    return matcher.matches() && isWithin(matcher.group(2), 1, MOST_PORT);
  }

  private static boolean isWithin(String text, int least, int most) {
    if (!INTEGER.matcher(text).matches()) {
      return false;
    }
    long value = Long.parseLong(text);
    return value >= least && value <= most;
  }
}
