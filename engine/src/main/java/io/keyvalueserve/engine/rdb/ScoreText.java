package io.keyvalueserve.engine.rdb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.keyvalueserve.engine.collection.Bytes;
import java.util.Locale;

/** Scores as text, as Redis writes them with C's {@code printf("%.17g")}. */
final class ScoreText {
  private static final int MOST_CHARACTERS = 128;

  private ScoreText() {}

  /**
   * Reads a score.
   *
   * @throws RdbException if the text is no decimal number, or is not a number ({@code nan})
   */
  static double parse(Bytes text) throws RdbException {
    require(text.length() > 0 && text.length() <= MOST_CHARACTERS);
    String number = new String(text.array(), text.offset(), text.length(), ISO_8859_1);
    switch (number.toLowerCase(Locale.ROOT)) {
      case "inf", "+inf" -> {
        return Double.POSITIVE_INFINITY;
      }
      case "-inf" -> {
        return Double.NEGATIVE_INFINITY;
      }
      default -> {}
    }
    for (int i = 0; i < number.length(); i++) {
      require("0123456789+-.eE".indexOf(number.charAt(i)) >= 0);
    }
    try {
      return Double.parseDouble(number);
    } catch (NumberFormatException e) {
      throw new RdbException("a score that is no number");
    }
  }

  private static void require(boolean holds) throws RdbException {
    if (!holds) {
      throw new RdbException("a score that is no number");
    }
  }
}
