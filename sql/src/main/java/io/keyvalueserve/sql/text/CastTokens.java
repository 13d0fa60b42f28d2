package io.keyvalueserve.sql.text;

import io.keyvalueserve.sql.text.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Writes {@code x::type} as {@code CAST(x AS type)}: the parser would have {@code ::} bind weaker
 * than {@code =}.
 */
final class CastTokens {
  /** Words before a bracket that are no function of what is in it. */
  private static final Set<String> WORDS =
      Set.of(
          "AND",
          "OR",
          "NOT",
          "IN",
          "ANY",
          "SOME",
          "ALL",
          "SELECT",
          "WHERE",
          "ON",
          "WHEN",
          "THEN",
          "ELSE",
          "CASE",
          "BETWEEN",
          "LIKE",
          "ILIKE",
          "IS",
          "BY",
          "HAVING",
          "FROM",
          "VALUES",
          "AS",
          "DISTINCT",
          "LIMIT",
          "OFFSET",
          "UNION",
          "EXCEPT",
          "INTERSECT",
          "SET",
          "FILTER",
          "OVER");

  /** Names of objects as types: functions, which a door brings, make the values. */
  private static final Set<String> OBJECTS =
      Set.of("REGCLASS", "REGTYPE", "REGPROC", "REGNAMESPACE", "REGROLE");

  private static final Set<String> LITERAL_TYPES = Set.of("DATE", "TIME", "TIMESTAMP");

  private final List<Token> in;
  private final List<Token> out = new ArrayList<>();
  private int at;

  private CastTokens(List<Token> in) {
    this.in = in;
  }

  static List<Token> rewrite(List<Token> tokens) {
    if (tokens.stream().noneMatch(token -> token.isSymbol("::"))) {
      return tokens;
    }
    CastTokens casts = new CastTokens(tokens);
    casts.run();
    return casts.out;
  }

  private void run() {
    while (at < in.size()) {
      Token token = in.get(at);
      if (token.isSymbol("::") && !out.isEmpty() && peek(1).isName()) {
        at++;
        cast(token);
      } else {
        out.add(token);
        at++;
      }
    }
  }

  private Token peek(int offset) {
    return in.get(Math.min(at + offset, in.size() - 1));
  }

  private static Token word(String text, Token place) {
    return new Token(Kind.WORD, text, place.start(), place.end());
  }

  private static Token symbol(String text, Token place) {
    return new Token(Kind.SYMBOL, text, place.start(), place.end());
  }

  private void cast(Token place) {
    int start = operand(out.size() - 1);
    Token first = out.get(start);
    Token type = peek(0).is("pg_catalog") && peek(1).isSymbol(".") ? peek(2) : peek(0);
    if (type.kind() == Kind.WORD && OBJECTS.contains(type.upper())) {
      out.add(start, symbol("(", first));
      out.add(start, word("to_" + type.text(), first));
      out.add(symbol(")", place));
      at += type.equals(peek(0)) ? 1 : 3;
      return;
    }
    if (isCount(start)) {
      int length = out.size();
      type();
      out.subList(length, out.size()).clear();
      return;
    }
    out.add(start, symbol("(", first));
    out.add(start, word("CAST", first));
    out.add(word("AS", place));
    type();
    out.add(symbol(")", place));
  }

  /**
   * Returns whether a token is the parameter of LIMIT or OFFSET, where the parser takes no cast.
   */
  private boolean isCount(int place) {
    return place > 0
        && out.get(place).kind() == Kind.PARAMETER
        && (out.get(place - 1).is("LIMIT") || out.get(place - 1).is("OFFSET"));
  }

  private void type() {
    if (peek(0).is("pg_catalog") && peek(1).isSymbol(".")) {
      at += 2;
    }
    Token name = peek(0);
    take();
    switch (name.kind() == Kind.WORD ? name.upper() : "") {
      case "DOUBLE" -> takeIf("PRECISION");
      case "CHARACTER" -> takeIf("VARYING");
      default -> {}
    }
    if (peek(0).isSymbol("(")) {
      while (!peek(0).isSymbol(")") && peek(0).kind() != Kind.END) {
        take();
      }
      if (peek(0).isSymbol(")")) {
        take();
      }
    }
    boolean isTime = name.is("TIMESTAMP") || name.is("TIME");
    if (isTime && (peek(0).is("WITH") || peek(0).is("WITHOUT")) && peek(1).is("TIME")) {
      take();
      take();
      takeIf("ZONE");
    }
    while (peek(0).isSymbol("[") && peek(1).isSymbol("]")) {
      out.add(word("ARRAY", peek(0)));
      at += 2;
    }
  }

  private void take() {
    out.add(peek(0));
    at++;
  }

  private void takeIf(String word) {
    if (peek(0).is(word)) {
      take();
    }
  }

  /** Returns where the operand begins that ends at a token. */
  private int operand(int end) {
    Token last = out.get(end);
    if (last.isSymbol(")")) {
      return named(opening(end, "(", ")"));
    }
    if (last.isSymbol("]")) {
      int open = opening(end, "[", "]");
      return open > 0 && !out.get(open - 1).isSymbol("(") ? operand(open - 1) : open;
    }
    if (last.is("END")) {
      return openingCase(end);
    }
    if (last.kind() == Kind.STRING && end > 0) {
      Token type = out.get(end - 1);
      boolean isTyped = type.kind() == Kind.WORD && LITERAL_TYPES.contains(type.upper());
      return isTyped ? end - 1 : end;
    }
    return last.isName() ? dotted(end) : end;
  }

  private int opening(int end, String open, String close) {
    int depth = 0;
    for (int i = end; i >= 0; i--) {
      depth += out.get(i).isSymbol(close) ? 1 : out.get(i).isSymbol(open) ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    return 0;
  }

  private int openingCase(int end) {
    int depth = 0;
    for (int i = end; i >= 0; i--) {
      depth += out.get(i).is("END") ? 1 : out.get(i).is("CASE") ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    return end;
  }

  /** Returns where the name of a function begins that stands before a bracket. */
  private int named(int open) {
    if (open == 0) {
      return open;
    }
    Token before = out.get(open - 1);
    boolean isFunction =
        before.kind() == Kind.QUOTED
            || (before.kind() == Kind.WORD
                && !WORDS.contains(before.text().toUpperCase(Locale.ROOT)));
    return isFunction ? dotted(open - 1) : open;
  }

  private int dotted(int end) {
    int start = end;
    while (start >= 2 && out.get(start - 1).isSymbol(".") && out.get(start - 2).isName()) {
      start -= 2;
    }
    return start;
  }
}
