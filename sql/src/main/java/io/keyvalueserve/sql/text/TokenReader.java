package io.keyvalueserve.sql.text;

import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import io.keyvalueserve.sql.text.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** Reads tokens one after the other. Used by one thread. */
final class TokenReader {
  private final List<Token> tokens;
  private int at;

  TokenReader(List<Token> tokens) {
    this.tokens = tokens;
  }

  Token peek() {
    return peek(0);
  }

  Token peek(int offset) {
    return tokens.get(Math.min(at + offset, tokens.size() - 1));
  }

  Token next() {
    Token token = peek();
    if (at < tokens.size() - 1) {
      at++;
    }
    return token;
  }

  boolean isEnd() {
    return peek().kind() == Kind.END;
  }

  /** Returns the tokens that were not read yet, and the end. */
  List<Token> rest() {
    return tokens.subList(at, tokens.size());
  }

  /** Reads words if they are next, all of them or none. */
  boolean take(String... words) {
    for (int i = 0; i < words.length; i++) {
      if (!peek(i).is(words[i])) {
        return false;
      }
    }
    at += words.length;
    return true;
  }

  /** Reads a symbol if it is next. */
  boolean takeSymbol(String symbol) {
    if (!peek().isSymbol(symbol)) {
      return false;
    }
    at++;
    return true;
  }

  void require(String word) {
    if (!take(word)) {
      throw expected("\"" + word + "\"");
    }
  }

  void requireSymbol(String symbol) {
    if (!takeSymbol(symbol)) {
      throw expected("\"" + symbol + "\"");
    }
  }

  void requireEnd() {
    if (!isEnd()) {
      throw expected("the end of the statement");
    }
  }

  String name(String what) {
    if (!peek().isName()) {
      throw expected(what);
    }
    return next().text();
  }

  /** Reads a name of parts with dots between them. */
  List<String> names(String what) {
    List<String> names = new ArrayList<>();
    do {
      names.add(name(what));
    } while (takeSymbol("."));
    return names;
  }

  String string(String what) {
    if (peek().kind() != Kind.STRING) {
      throw expected(what + " in single quotes");
    }
    return next().text();
  }

  /** Returns a failure: something else stands here. */
  SqlFailure expected(String what) {
    Token token = peek();
    return new SqlFailure(
        SqlState.SYNTAX,
        "syntax error at " + token.shown() + ": " + what + " is expected here",
        token.start() + 1,
        "");
  }
}
