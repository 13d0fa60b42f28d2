package io.keyvalueserve.cli;

import java.util.Locale;
import java.util.Set;

/**
 * The style of text where it is printed.
 *
 * @param columns how wide a line is; {@link #UNBOUNDED} where nothing is shortened
 * @param colored whether colours are seen there (the SGR sequences of ECMA-48, section 8.3.117)
 */
record Style(int columns, boolean colored) {
  static final int UNBOUNDED = Integer.MAX_VALUE;
  static final Style PLAIN = new Style(UNBOUNDED, false);

  private static final String BOLD = "1";
  private static final String YELLOW = "33";
  private static final String RED = "31";
  private static final Set<String> LASTING =
      Set.of("active", "open", "sealed", "ready", "up", "yes", "");

  String heading(String text) {
    return in(BOLD, text);
  }

  String warning(String text) {
    return in(YELLOW, text);
  }

  String error(String text) {
    return in(RED, text);
  }

  /** A cell of a column of states: one that asks for attention stands out. */
  String state(String text) {
    return LASTING.contains(text.strip().toLowerCase(Locale.ROOT)) ? text : warning(text);
  }

  private String in(String color, String text) {
    return colored ? "\u001b[" + color + "m" + text + "\u001b[0m" : text;
  }
}
