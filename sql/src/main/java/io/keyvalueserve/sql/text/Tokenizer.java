package io.keyvalueserve.sql.text;

import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import io.keyvalueserve.sql.text.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** Splits a statement into tokens, by the rules of PostgreSQL, and with back-ticks too. */
final class Tokenizer {
  private static final String OPERATORS = "+-*/<>=~!@#%^&|?:";
  private static final List<String> LONG_SYMBOLS =
      List.of("!~*", "->>", "::", "<=", ">=", "<>", "!=", "||", "->", "~*", "!~", "=>", "~~");

  private final String sql;
  private final List<Token> tokens = new ArrayList<>();
  private int at;

  private Tokenizer(String sql) {
    this.sql = sql;
  }

  /**
   * Returns the tokens; the last is {@link Kind#END}.
   *
   * @throws SqlFailure if a string, a name or a comment does not end, or a character is no part of
   *     a statement
   */
  static List<Token> tokens(String sql) {
    Tokenizer tokenizer = new Tokenizer(sql);
    tokenizer.run();
    return tokenizer.tokens;
  }

  private void run() {
    while (skipSpace()) {
      char c = sql.charAt(at);
      if (c == '\'') {
        string(at, at, false);
      } else if ((c == 'e' || c == 'E') && peek(1) == '\'') {
        string(at, at + 1, true);
      } else if ((c == 'x' || c == 'X') && peek(1) == '\'') {
        bytes();
      } else if ((c == 'u' || c == 'U') && peek(1) == '&' && peek(2) == '\'') {
        unicode();
      } else if (isNameStart(c)) {
        word();
      } else if (c == '"' || c == '`') {
        quoted(c);
      } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
        number();
      } else if (c == '$') {
        dollar();
      } else {
        symbol(c);
      }
    }
    tokens.add(new Token(Kind.END, "", sql.length(), sql.length()));
  }

  private char peek(int offset) {
    int place = at + offset;
    return place < sql.length() ? sql.charAt(place) : '\0';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNameStart(char c) {
    return c == '_' || Character.isLetter(c);
  }

  private static boolean isNamePart(char c) {
    return isNameStart(c) || isDigit(c) || c == '$' || Character.isSurrogate(c);
  }

  /** Skips white space and comments; returns false at the end. */
  private boolean skipSpace() {
    while (at < sql.length()) {
      char c = sql.charAt(at);
      if (Character.isWhitespace(c) || c == '\ufeff') {
        at++;
      } else if (c == '-' && peek(1) == '-') {
        while (at < sql.length() && sql.charAt(at) != '\n') {
          at++;
        }
      } else if (c == '/' && peek(1) == '*') {
        comment();
      } else {
        return true;
      }
    }
    return false;
  }

  private void comment() {
    int start = at;
    int depth = 0;
    do {
      if (at + 1 >= sql.length()) {
        throw unterminated("comment", start);
      }
      if (peek(0) == '/' && peek(1) == '*') {
        depth++;
        at += 2;
      } else if (peek(0) == '*' && peek(1) == '/') {
        depth--;
        at += 2;
      } else {
        at++;
      }
    } while (depth > 0);
  }

  private void word() {
    int start = at;
    while (at < sql.length() && isNamePart(sql.charAt(at))) {
      at++;
    }
    add(Kind.WORD, sql.substring(start, at), start);
  }

  private void quoted(char quote) {
    int start = at++;
    StringBuilder name = new StringBuilder();
    while (true) {
      if (at >= sql.length()) {
        throw unterminated("quoted name", start);
      }
      char c = sql.charAt(at++);
      if (c != quote) {
        name.append(c);
      } else if (peek(0) == quote) {
        name.append(c);
        at++;
      } else {
        break;
      }
    }
    if (name.isEmpty()) {
      throw new SqlFailure(SqlState.SYNTAX, "a quoted name is empty", start + 1, "");
    }
    add(Kind.QUOTED, name.toString(), start);
  }

  private void string(int start, int quote, boolean hasEscapes) {
    at = quote + 1;
    StringBuilder text = new StringBuilder();
    while (true) {
      if (at >= sql.length()) {
        throw unterminated("string", start);
      }
      char c = sql.charAt(at++);
      if (c == '\\' && hasEscapes && at < sql.length()) {
        escape(text);
      } else if (c != '\'') {
        text.append(c);
      } else if (peek(0) == '\'') {
        text.append(c);
        at++;
      } else {
        break;
      }
    }
    add(Kind.STRING, text.toString(), start);
  }

  /** Reads a string of bytes, which the parser knows. */
  private void bytes() {
    int start = at;
    int end = sql.indexOf('\'', start + 2);
    if (end < 0) {
      throw unterminated("string", start);
    }
    at = end + 1;
    add(Kind.NUMBER, sql.substring(start, at), start);
  }

  /** Reads a string with codes of characters, as {@code U&'\0041'}. */
  private void unicode() {
    int start = at;
    string(start, start + 2, false);
    Token raw = tokens.removeLast();
    StringBuilder text = new StringBuilder();
    String from = raw.text();
    for (int i = 0; i < from.length(); i++) {
      boolean isCode = from.startsWith("\\", i) && from.length() - i > 4;
      if (isCode && from.substring(i + 1, i + 5).matches("[0-9a-fA-F]{4}")) {
        text.append((char) Integer.parseInt(from.substring(i + 1, i + 5), 16));
        i += 4;
      } else {
        text.append(from.charAt(i));
      }
    }
    add(Kind.STRING, text.toString(), start);
  }

  private void escape(StringBuilder text) {
    char c = sql.charAt(at++);
    switch (c) {
      case 'n' -> text.append('\n');
      case 't' -> text.append('\t');
      case 'r' -> text.append('\r');
      case 'b' -> text.append('\b');
      case 'f' -> text.append('\f');
      case 'x' -> hex(text, 2);
      case 'u' -> hex(text, 4);
      default -> text.append(c);
    }
  }

  private void hex(StringBuilder text, int digits) {
    int start = at;
    int value = 0;
    while (at < sql.length() && at < start + digits && Character.digit(sql.charAt(at), 16) >= 0) {
      value = value * 16 + Character.digit(sql.charAt(at), 16);
      at++;
    }
    if (at == start) {
      throw new SqlFailure(
          SqlState.SYNTAX, "an escape in a string has no hexadecimal digits", start + 1, "");
    }
    text.append((char) value);
  }

  private void number() {
    int start = at;
    while (isDigit(peek(0))) {
      at++;
    }
    if (peek(0) == '.') {
      at++;
      while (isDigit(peek(0))) {
        at++;
      }
    }
    if (peek(0) == 'e' || peek(0) == 'E') {
      int sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
      if (isDigit(peek(1 + sign))) {
        at += 1 + sign;
        while (isDigit(peek(0))) {
          at++;
        }
      }
    }
    if (isNameStart(peek(0))) {
      throw new SqlFailure(
          SqlState.SYNTAX,
          "a number ends in the letter \"" + peek(0) + "\"",
          at + 1,
          "put a space between a number and a word");
    }
    add(Kind.NUMBER, sql.substring(start, at), start);
  }

  private void dollar() {
    int start = at++;
    if (isDigit(peek(0))) {
      while (isDigit(peek(0))) {
        at++;
      }
      add(Kind.PARAMETER, sql.substring(start + 1, at), start);
      return;
    }
    while (isNamePart(peek(0)) && peek(0) != '$') {
      at++;
    }
    if (peek(0) != '$') {
      throw new SqlFailure(
          SqlState.SYNTAX, "a \"$\" begins no parameter and no string", start + 1, "");
    }
    at++;
    String quote = sql.substring(start, at);
    int end = sql.indexOf(quote, at);
    if (end < 0) {
      throw unterminated("string", start);
    }
    String text = sql.substring(at, end);
    at = end + quote.length();
    add(Kind.STRING, text, start);
  }

  private void symbol(char c) {
    int start = at;
    for (String symbol : LONG_SYMBOLS) {
      if (sql.startsWith(symbol, at)) {
        at += symbol.length();
        add(Kind.SYMBOL, symbol, start);
        return;
      }
    }
    if (c == '?') {
      at++;
      add(Kind.PARAMETER, "", start);
    } else if ("()[]{},;.".indexOf(c) >= 0 || OPERATORS.indexOf(c) >= 0) {
      at++;
      add(Kind.SYMBOL, String.valueOf(c), start);
    } else {
      String shown = sql.substring(at, sql.offsetByCodePoints(at, 1));
      throw new SqlFailure(
          SqlState.SYNTAX, "the character \"" + shown + "\" cannot stand here", at + 1, "");
    }
  }

  private void add(Kind kind, String text, int start) {
    tokens.add(new Token(kind, text, start, at));
  }

  private static SqlFailure unterminated(String thing, int start) {
    return new SqlFailure(SqlState.SYNTAX, "a " + thing + " does not end", start + 1, "");
  }
}
