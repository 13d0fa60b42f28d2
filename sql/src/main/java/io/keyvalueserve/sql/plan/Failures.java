package io.keyvalueserve.sql.plan;

import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import io.keyvalueserve.sql.text.ParserText;
import java.util.List;
import java.util.Map;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** Failures of Calcite, in the words of this service. */
final class Failures {
  private static final List<Map.Entry<String, String>> STATES =
      List.of(
          Map.entry("not found in any table", SqlState.BAD_COLUMN),
          Map.entry("Unknown target column", SqlState.BAD_COLUMN),
          Map.entry("Unknown field", SqlState.BAD_COLUMN),
          Map.entry("Unknown identifier", SqlState.NO_OBJECT),
          Map.entry("not found in table", SqlState.BAD_COLUMN),
          Map.entry("is ambiguous", SqlState.AMBIGUOUS_COLUMN),
          Map.entry("Unknown datatype", SqlState.NO_OBJECT),
          Map.entry("No match found for function", SqlState.NO_FUNCTION),
          Map.entry("Object '", SqlState.NO_TABLE),
          Map.entry("Table '", SqlState.NO_TABLE),
          Map.entry("being grouped", SqlState.GROUPING),
          Map.entry("ggregate expression", SqlState.GROUPING),
          Map.entry("Cannot apply", SqlState.NO_FUNCTION),
          Map.entry("Invalid number of arguments", SqlState.NO_FUNCTION),
          Map.entry("dynamic parameter", "42P18"),
          Map.entry("Cannot assign to target", SqlState.TYPE_MISMATCH),
          Map.entry("Cannot cast", "42846"),
          Map.entry("Cast function cannot convert", "42846"),
          Map.entry("Illegal DATE literal", SqlState.BAD_TIME),
          Map.entry("Illegal TIME", SqlState.BAD_TIME),
          Map.entry("Illegal INTERVAL", SqlState.BAD_TIME),
          Map.entry("Numeric literal", SqlState.OUT_OF_RANGE));

  private static final String USUAL = "42601";
  private static final int MAX_LENGTH = 500;

  private Failures() {}

  /** Returns the failure for an exception of parsing; null if it is a defect. */
  static SqlFailure of(SqlParseException e, ParserText text) {
    if (e.getCause() instanceof StackOverflowError) {
      return tooDeep();
    }
    SqlParserPos place = e.getPos();
    int position = place == null ? 0 : text.position(place.getLineNum(), place.getColumnNum());
    String message = firstLine(e.getMessage());
    int encountered = message.indexOf("Encountered \"");
    if (encountered >= 0) {
      int end = message.indexOf("\" at line", encountered);
      String found = end < 0 ? "" : message.substring(encountered + 13, end);
      String word = found.replace("<EOF>", "").strip();
      String shown = word.isEmpty() ? "the end of the statement" : word.split("\\s+", -1)[0];
      return new SqlFailure(
          SqlState.SYNTAX,
          word.isEmpty() ? "syntax error at " + shown : "syntax error at \"" + shown + "\"",
          position,
          reservedHint(shown));
    }
    return new SqlFailure(SqlState.SYNTAX, "syntax error: " + plain(message), position, "");
  }

  /** Returns the failure of a statement that needs too much of the stack. */
  static SqlFailure tooDeep() {
    return new SqlFailure(
        SqlState.TOO_COMPLEX,
        "the statement is nested too deeply, or too long",
        0,
        "write a long chain of OR as IN, and deep queries with WITH");
  }

  private static String reservedHint(String word) {
    return word.matches("[A-Za-z_]+") ? "put a name that is a word of SQL in double quotes" : "";
  }

  /** Returns the failure for an exception of validating; null if it is a defect. */
  static @Nullable SqlFailure of(RuntimeException e, ParserText text) {
    Throwable at = e;
    int position = 0;
    for (int i = 0; at != null && i < 10; i++, at = at.getCause()) {
      if (at instanceof SqlFailure failure) {
        return failure;
      }
      if (at instanceof CalciteContextException context) {
        position = text.position(context.getPosLine(), context.getPosColumn());
        if (context.getCause() == null) {
          return failure(plain(firstLine(context.getMessage())), position);
        }
      } else if (at instanceof CalciteException || position > 0) {
        return failure(plain(firstLine(at.getMessage())), position);
      } else if (at instanceof SqlParseException parse) {
        return of(parse, text);
      }
    }
    return null;
  }

  private static SqlFailure failure(String message, int position) {
    for (Map.Entry<String, String> state : STATES) {
      if (message.contains(state.getKey())) {
        return new SqlFailure(state.getValue(), message, position, hint(state.getValue()));
      }
    }
    return new SqlFailure(USUAL, message, position, "");
  }

  private static String hint(String state) {
    return switch (state) {
      case SqlState.NO_TABLE ->
          "SHOW MAPPINGS lists the tables; put a name with other characters in double quotes";
      case SqlState.NO_FUNCTION -> "CAST arguments to the types that the function takes";
      case "42P18" -> "CAST the parameter to a type";
      default -> "";
    };
  }

  private static String firstLine(@Nullable String message) {
    return message == null ? "the statement is not valid" : message.lines().findFirst().orElse("");
  }

  /** Leaves out what a client cannot know: positions in rewritten text, names of classes. */
  private static String plain(String message) {
    String plain =
        message
            .replaceFirst("^From line \\d+, column \\d+ to line \\d+, column \\d+: ", "")
            .replaceFirst("^At line \\d+, column \\d+: ", "")
            .replaceAll("\\b(?:org|java|io)\\.[a-z]+\\.[A-Za-z.$]*", "");
    return plain.length() > MAX_LENGTH ? plain.substring(0, MAX_LENGTH) + "..." : plain;
  }
}
