package io.keyvalueserve.postgres.syntax;

import io.keyvalueserve.postgres.syntax.Token.Kind;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Splits text into tokens, by the rules of PostgreSQL: quotes, escapes, dollar quotes, comments
 * within comments. Characters that begin no token are symbols. Not thread-safe.
 */
public final class Lexer {
  private static final String SYNTAX = "42601";
  private static final String OPERATORS = "+-*/<>=~!@#%^&|?";

  private final String sql;
  private final List<Token> tokens = new ArrayList<>();
  private int at;

  private Lexer(String sql) {
    this.sql = sql;
  }

  /**
   * Returns the tokens; the last is {@link Kind#END}.
   *
   * @throws PostgresException if a string, a name or a comment does not end
   */
  public static List<Token> tokens(String sql) {
    Lexer lexer = new Lexer(sql);
    lexer.run();
    return lexer.tokens;
  }

  private void run() {
    while (skipSpace()) {
      int start = at;
      char c = sql.charAt(at);
      if (c == '\'') {
        string(start, false);
      } else if ((c == 'e' || c == 'E') && peek(1) == '\'') {
        at++;
        string(start, true);
      } else if ((c == 'n' || c == 'N') && peek(1) == '\'') {
        at++;
        string(start, false);
      } else if (isNameStart(c)) {
        word(start);
      } else if (c == '"') {
        quoted(start);
      } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
        number(start);
      } else if (c == '$') {
        dollar(start);
      } else {
        symbol(start);
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
    return c == '_' || c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isNamePart(char c) {
    return isNameStart(c) || isDigit(c) || c == '$';
  }

  private boolean skipSpace() {
    while (at < sql.length()) {
      char c = sql.charAt(at);
      if (Character.isWhitespace(c)) {
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

  private void word(int start) {
    while (isNamePart(peek(0))) {
      at++;
    }
    add(Kind.WORD, sql.substring(start, at).toLowerCase(Locale.ROOT), start);
  }

  private void quoted(int start) {
    add(Kind.QUOTED, upTo('"', start, "quoted name", false), start);
  }

  private void string(int start, boolean hasEscapes) {
    add(Kind.STRING, upTo('\'', start, "string", hasEscapes), start);
  }

  private String upTo(char quote, int start, String thing, boolean hasEscapes) {
    at++;
    StringBuilder text = new StringBuilder();
    while (at < sql.length()) {
      char c = sql.charAt(at++);
      if (c == '\\' && hasEscapes && at < sql.length()) {
        text.append(escaped(sql.charAt(at++)));
      } else if (c != quote) {
        text.append(c);
      } else if (peek(0) == quote) {
        text.append(c);
        at++;
      } else {
        return text.toString();
      }
    }
    throw unterminated(thing, start);
  }

  private static char escaped(char c) {
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      default -> c;
    };
  }

  private void number(int start) {
    digits();
    if (peek(0) == '.') {
      at++;
      digits();
    }
    int sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if ((peek(0) == 'e' || peek(0) == 'E') && isDigit(peek(1 + sign))) {
      at += 1 + sign;
      digits();
    }
    add(Kind.NUMBER, sql.substring(start, at), start);
  }

  private void digits() {
    while (isDigit(peek(0))) {
      at++;
    }
  }

  private void dollar(int start) {
    at++;
    if (isDigit(peek(0))) {
      digits();
      add(Kind.PARAMETER, sql.substring(start + 1, at), start);
      return;
    }
    while (peek(0) != '$' && isNamePart(peek(0))) {
      at++;
    }
    if (peek(0) != '$') {
      add(Kind.SYMBOL, sql.substring(start, at), start);
      return;
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

  private void symbol(int start) {
    char c = sql.charAt(at++);
    if (c == ':' && (peek(0) == ':' || peek(0) == '=')) {
      at++;
    } else if (OPERATORS.indexOf(c) >= 0) {
      while (OPERATORS.indexOf(peek(0)) >= 0
          && peek(0) != '\0'
          && !sql.startsWith("--", at)
          && !sql.startsWith("/*", at)) {
        at++;
      }
      while (at > start + 1 && endsInSign(start)) {
        at--; // "=-1" is an operator and a number
      }
    }
    add(Kind.SYMBOL, sql.substring(start, at), start);
  }

  /** An operator ends in a sign only if it has a character that none of standard SQL has. */
  private boolean endsInSign(int start) {
    char last = sql.charAt(at - 1);
    if (last != '+' && last != '-') {
      return false;
    }
    for (int i = start; i < at; i++) {
      if ("~!@#%^&|?".indexOf(sql.charAt(i)) >= 0) {
        return false;
      }
    }
    return true;
  }

  private void add(Kind kind, String text, int start) {
    tokens.add(new Token(kind, text, start, at));
  }

  private static PostgresException unterminated(String thing, int start) {
    return new PostgresException(SYNTAX, "a " + thing + " does not end", start + 1, "");
  }
}
