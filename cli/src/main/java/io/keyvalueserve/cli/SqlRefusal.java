package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A statement that the server has refused, or that has failed while its rows came. */
final class SqlRefusal extends RuntimeException {
  private static final Pattern POSITION = Pattern.compile(" \\(at character (\\d{1,9})\\)");
  private static final int COLUMNS = 76;
  private static final String INDENT = "  ";

  private final String code;
  private final int position;

  private SqlRefusal(String code, String message, int position) {
    super(message, null, false, false);
    this.code = code;
    this.position = position;
  }

  /** Reads the error of an answer. */
  static SqlRefusal of(JsonNode error) {
    String message = error.path("message").asText("the statement has failed");
    Matcher at = POSITION.matcher(message);
    return at.find()
        ? new SqlRefusal(
            error.path("code").asText(),
            message.substring(0, at.start()) + message.substring(at.end()),
            Integer.parseInt(at.group(1)))
        : new SqlRefusal(error.path("code").asText(), message, 0);
  }

  /** Returns the SQLSTATE; empty if there is none. */
  String state() {
    return code.startsWith("sql_") ? code.substring(4) : "";
  }

  /** Returns the message, and below it the line that is wrong with a mark under the place. */
  String under(String sql) {
    String message = message();
    if (position < 1 || position > sql.length() + 1) {
      return message;
    }
    int at = position - 1;
    int begin = sql.lastIndexOf('\n', at - 1) + 1;
    int end = sql.indexOf('\n', at);
    String line = sql.substring(begin, end < 0 ? sql.length() : end).stripTrailing();
    String before = shown(sql.substring(begin, at));
    String after = shown(line.substring(Math.min(line.length(), at - begin)));
    int cut = 0;
    while (DisplayWidth.of(before.substring(cut)) > COLUMNS / 2) {
      cut = before.offsetByCodePoints(cut, 1);
    }
    String left = (cut == 0 ? "" : "…") + before.substring(cut);
    String right = DisplayWidth.shortened(after, Math.max(1, COLUMNS - DisplayWidth.of(left)));
    return message
        + System.lineSeparator()
        + INDENT
        + left
        + right
        + System.lineSeparator()
        + INDENT
        + " ".repeat(DisplayWidth.of(left))
        + "^";
  }

  private String message() {
    return getMessage() + (state().isEmpty() ? "" : " [" + state() + "]");
  }

  private static String shown(String text) {
    return TextTable.printable(text.replace('\t', ' '));
  }
}
