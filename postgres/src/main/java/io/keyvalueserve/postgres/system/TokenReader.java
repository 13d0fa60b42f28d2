package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.syntax.Token;
import io.keyvalueserve.postgres.syntax.Token.Kind;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.util.List;

/** Reads the tokens of a statement one after the other. */
class TokenReader {
  private static final int MOST_DEPTH = 100;

  private final List<Token> tokens;
  private int at;
  private int depth;

  TokenReader(List<Token> tokens) {
    this.tokens = tokens;
  }

  final Token token() {
    return peek(0);
  }

  final Token peek(int offset) {
    return tokens.get(Math.min(at + offset, tokens.size() - 1));
  }

  final Token next() {
    Token token = token();
    at++;
    return token;
  }

  final boolean is(String word) {
    return token().is(word);
  }

  final boolean isSymbol(String symbol) {
    return token().isSymbol(symbol);
  }

  final boolean accept(String word) {
    boolean isIt = is(word);
    if (isIt) {
      at++;
    }
    return isIt;
  }

  final boolean accept(String word, String second) {
    boolean isIt = is(word) && peek(1).is(second);
    if (isIt) {
      at += 2;
    }
    return isIt;
  }

  final boolean acceptSymbol(String symbol) {
    boolean isIt = isSymbol(symbol);
    if (isIt) {
      at++;
    }
    return isIt;
  }

  final void expect(String word) {
    if (!accept(word)) {
      throw unexpected();
    }
  }

  final void expectSymbol(String symbol) {
    if (!acceptSymbol(symbol)) {
      throw unexpected();
    }
  }

  final String name() {
    if (!token().isName()) {
      throw unexpected();
    }
    return next().text();
  }

  final PostgresException unexpected() {
    Token token = token();
    return new PostgresException(
        "42601",
        token.kind() == Kind.END
            ? "syntax error at end of input"
            : "syntax error at or near \"" + token.text() + "\"",
        token.start() + 1,
        "");
  }

  final void enter() {
    if (++depth > MOST_DEPTH) {
      throw new PostgresException("54001", "the statement is nested too deeply");
    }
  }

  final void leave() {
    depth--;
  }
}
