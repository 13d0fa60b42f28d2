package io.keyvalueserve.sql.text;

import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import io.keyvalueserve.sql.text.Token.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a statement down as the parser reads it: parameters are {@code ?}, strings and names have
 * plain quotes, and what PostgreSQL alone has is said in words of standard SQL.
 */
final class Rewriter {
  private static final Set<String> UNITS =
      Set.of("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND");

  private final List<Token> tokens;
  private final StringBuilder text = new StringBuilder();
  private int[] places = new int[256];
  private final List<Integer> parameters = new ArrayList<>();
  private boolean hasNumbers;
  private boolean hasMarks;
  private int at;

  private Rewriter(List<Token> tokens) {
    this.tokens = tokens;
  }

  /** Rewrites tokens; the last is the end. */
  static ParserText rewrite(List<Token> tokens) {
    Rewriter rewriter = new Rewriter(CastTokens.rewrite(tokens));
    rewriter.run();
    return new ParserText(
        rewriter.text.toString(),
        rewriter.parameters,
        Arrays.copyOf(rewriter.places, rewriter.text.length() + 1));
  }

  private void run() {
    while (token(0).kind() != Kind.END) {
      if (!special()) {
        plain(token(0));
        at++;
      }
    }
    mark(text.length(), token(0).start());
  }

  private Token token(int offset) {
    return tokens.get(Math.min(at + offset, tokens.size() - 1));
  }

  /** Writes what has a form of its own for the parser; returns whether there is such. */
  private boolean special() {
    Token token = token(0);
    if (at == 0 && token.is("SINK") && token(1).is("INTO")) {
      write("INSERT", token);
      at++;
      return true;
    }
    if (token.kind() == Kind.SYMBOL) {
      return token.text().equals("::") && cast();
    }
    if (token.kind() != Kind.WORD) {
      return false;
    }
    return switch (token.text().toLowerCase(Locale.ROOT)) {
      case "operator" -> operator();
      case "collate" -> collate();
      case "pg_catalog" -> catalogFunction();
      case "any", "some" -> anyOfArray();
      case "interval" -> interval();
      case "date", "time", "timestamp" -> timeWithZone() || nameOfType();
      case "current_timestamp" -> now();
      default -> false;
    };
  }

  /** {@code ::pg_catalog.text} becomes {@code ::text}. */
  private boolean cast() {
    if (token(1).is("pg_catalog") && token(2).isSymbol(".")) {
      write("::", token(0));
      at += 3;
      return true;
    }
    return false;
  }

  /** {@code OPERATOR(pg_catalog.~)} becomes {@code ~}. */
  private boolean operator() {
    int place = 1;
    if (!token(place++).isSymbol("(")) {
      return false;
    }
    if (token(place).isName() && token(place + 1).isSymbol(".")) {
      place += 2;
    }
    Token operator = token(place);
    if (operator.kind() != Kind.SYMBOL || !token(place + 1).isSymbol(")")) {
      return false;
    }
    plain(operator);
    at += place + 2;
    return true;
  }

  /** {@code COLLATE pg_catalog.default} is left out: there is one order of text. */
  private boolean collate() {
    if (!token(1).isName()) {
      return false;
    }
    at += token(2).isSymbol(".") ? 4 : 2;
    return true;
  }

  /** {@code pg_catalog.f(} becomes {@code f(}. */
  private boolean catalogFunction() {
    if (token(1).isSymbol(".") && token(2).isName() && token(3).isSymbol("(")) {
      at += 2;
      return true;
    }
    return false;
  }

  /** {@code = ANY (ARRAY[a, b])} becomes {@code IN (a, b)}. */
  private boolean anyOfArray() {
    if (!token(1).isSymbol("(") || !token(2).is("ARRAY") || !token(3).isSymbol("[")) {
      return false;
    }
    Token before = at == 0 ? token(0) : tokens.get(at - 1);
    if (!before.isSymbol("=")) {
      return false;
    }
    int end = 4;
    int depth = 1;
    while (depth > 0) {
      Token token = token(end++);
      if (token.kind() == Kind.END) {
        return false;
      }
      depth += token.isSymbol("[") ? 1 : token.isSymbol("]") ? -1 : 0;
    }
    int close = end;
    while (!token(close).isSymbol(")")) {
      Token token = token(close++);
      if (token.kind() == Kind.END || (!token.isName() && !"::[].".contains(token.text()))) {
        return false;
      }
    }
    text.setLength(text.lastIndexOf("="));
    write("IN", token(0));
    write("(", token(1));
    int last = at + end - 1;
    int behind = at + close + 1;
    at += 4;
    while (at < last) {
      if (!special()) {
        plain(token(0));
        at++;
      }
    }
    write(")", tokens.get(behind - 1));
    at = behind;
    return true;
  }

  /** {@code INTERVAL '2 days'} becomes {@code INTERVAL '2' DAY}. */
  private boolean interval() {
    Token string = token(1);
    if (string.kind() != Kind.STRING || isUnit(token(2).text())) {
      return false;
    }
    String[] parts = string.text().strip().split("\\s+", -1);
    String unit = parts.length == 2 ? unit(parts[1]) : null;
    if (unit == null || !parts[0].matches("-?[0-9]{1,9}")) {
      throw new SqlFailure(
          SqlState.BAD_TIME,
          "an interval is not understood: '" + string.text() + "'",
          string.start() + 1,
          "write it as INTERVAL '2' DAY or INTERVAL '2 days'");
    }
    boolean isNegative = parts[0].startsWith("-");
    write(isNegative ? "-INTERVAL" : "INTERVAL", token(0));
    write("'" + (isNegative ? parts[0].substring(1) : parts[0]) + "'", string);
    write(unit + "(9)", string);
    at += 2;
    return true;
  }

  /** {@code CURRENT_TIMESTAMP(3)} becomes {@code NOW()}. */
  private boolean now() {
    write("NOW()", token(0));
    boolean hasDigits =
        token(1).isSymbol("(") && token(2).kind() == Kind.NUMBER && token(3).isSymbol(")");
    at += hasDigits ? 4 : 1;
    return true;
  }

  /** The parser's type of timestamps with a zone has other words, and no literals. */
  private boolean timeWithZone() {
    Token type = token(0);
    if (!type.is("timestamp")
        || !token(1).is("WITH")
        || !token(2).is("TIME")
        || !token(3).is("ZONE")) {
      return false;
    }
    Token literal = token(4);
    if (literal.kind() == Kind.STRING) {
      write("CAST(", type);
      plain(literal);
      write("AS TIMESTAMP WITH LOCAL TIME ZONE)", type);
      at += 5;
    } else {
      write("TIMESTAMP WITH LOCAL TIME ZONE", type);
      at += 4;
    }
    return true;
  }

  /** {@code SELECT date} becomes {@code SELECT "date"}: a column, where no literal begins. */
  private boolean nameOfType() {
    Token before = at == 0 ? token(0) : tokens.get(at - 1);
    Token next = token(1);
    boolean isType =
        before.isSymbol("::")
            || (before.is("AS") && isInCast())
            || before.is("RETURNING")
            || next.kind() == Kind.STRING
            || next.isSymbol("(")
            || next.is("WITH")
            || next.is("WITHOUT");
    if (isType) {
      return false;
    }
    write("\"" + token(0).text() + "\"", token(0));
    at++;
    return true;
  }

  /** Returns whether the bracket around this is that of a {@code CAST}. */
  private boolean isInCast() {
    int depth = 0;
    for (int i = at - 1; i > 0; i--) {
      depth += tokens.get(i).isSymbol(")") ? 1 : tokens.get(i).isSymbol("(") ? -1 : 0;
      if (depth < 0) {
        return tokens.get(i - 1).upper().endsWith("CAST");
      }
    }
    return false;
  }

  private static boolean isUnit(String word) {
    return UNITS.contains(word.toUpperCase(Locale.ROOT));
  }

  private static @Nullable String unit(String word) {
    String upper = word.toUpperCase(Locale.ROOT);
    if (upper.length() > 1 && upper.endsWith("S")) {
      upper = upper.substring(0, upper.length() - 1);
    }
    String full =
        switch (upper) {
          case "MIN" -> "MINUTE";
          case "SEC" -> "SECOND";
          case "HR" -> "HOUR";
          default -> upper;
        };
    return UNITS.contains(full) ? full : null;
  }

  private void plain(Token token) {
    switch (token.kind()) {
      case STRING -> write("'" + token.text().replace("'", "''") + "'", token);
      case QUOTED -> write("\"" + token.text().replace("\"", "\"\"") + "\"", token);
      case PARAMETER -> parameter(token);
      case SYMBOL -> write(symbol(token.text()), token);
      default -> write(token.text(), token);
    }
  }

  private static String symbol(String symbol) {
    return switch (symbol) {
      case "!=" -> "<>";
      case "~~" -> "LIKE";
      default -> symbol;
    };
  }

  private void parameter(Token token) {
    if (token.text().isEmpty()) {
      hasMarks = true;
      parameters.add(parameters.size());
    } else {
      hasNumbers = true;
      int number = token.text().length() > 5 ? 0 : Integer.parseInt(token.text());
      if (number < 1 || number > Short.MAX_VALUE) {
        throw new SqlFailure(
            SqlState.PARAMETER,
            "there is no parameter $" + token.text(),
            token.start() + 1,
            "parameters are $1 to $" + Short.MAX_VALUE);
      }
      parameters.add(number - 1);
    }
    if (hasMarks && hasNumbers) {
      throw new SqlFailure(
          SqlState.SYNTAX,
          "a statement has parameters of both forms, ? and $1",
          token.start() + 1,
          "use one form only");
    }
    write("?", token);
  }

  private void write(String written, Token from) {
    if (!text.isEmpty() && needsSpace(from)) {
      mark(text.length(), from.start());
      text.append(' ');
    }
    int length = from.end() - from.start();
    for (int i = 0; i < written.length(); i++) {
      mark(text.length(), from.start() + Math.min(i, Math.max(0, length - 1)));
      text.append(written.charAt(i));
    }
  }

  /** Keeps tokens apart that would otherwise be one, and keeps those together that were. */
  private boolean needsSpace(Token token) {
    char last = text.charAt(text.length() - 1);
    return !(last == '.' || last == '(' || last == '[')
        && !(token.isSymbol(".") || token.isSymbol(",") || token.isSymbol(")"));
  }

  private void mark(int place, int original) {
    if (place >= places.length) {
      places = Arrays.copyOf(places, places.length * 2);
    }
    places[place] = original;
  }
}
