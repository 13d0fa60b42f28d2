package io.keyvalueserve.postgres.syntax;

import java.util.ArrayList;
import java.util.List;

/**
 * One statement of a text.
 *
 * @param sql its text, without the semicolon
 * @param offset the index of its first character in the whole text
 * @param tokens its tokens; the last is the end. Their places are those in {@code sql}
 */
public record Statement(String sql, int offset, List<Token> tokens) {
  public Statement {
    tokens = List.copyOf(tokens);
  }

  /**
   * Splits a text at its semicolons. Statements without tokens are left out.
   *
   * @throws io.keyvalueserve.postgres.wire.PostgresException if a string or comment does not end
   */
  public static List<Statement> split(String text) {
    List<Statement> statements = new ArrayList<>();
    List<Token> present = new ArrayList<>();
    for (Token token : Lexer.tokens(text)) {
      boolean isEnd = token.kind() == Token.Kind.END;
      if (!isEnd && !token.isSymbol(";")) {
        present.add(token);
      } else if (!present.isEmpty()) {
        statements.add(of(text, present, token.start()));
        present = new ArrayList<>();
      }
    }
    return statements;
  }

  private static Statement of(String text, List<Token> tokens, int end) {
    int offset = tokens.getFirst().start();
    List<Token> own = new ArrayList<>(tokens.size() + 1);
    for (Token token : tokens) {
      own.add(new Token(token.kind(), token.text(), token.start() - offset, token.end() - offset));
    }
    String sql = text.substring(offset, end).stripTrailing();
    own.add(new Token(Token.Kind.END, "", sql.length(), sql.length()));
    return new Statement(sql, offset, own);
  }

  /** Returns a token; the end if there is none. */
  public Token token(int index) {
    return tokens.get(Math.min(index, tokens.size() - 1));
  }

  /** Returns whether it begins with these words. */
  public boolean begins(String... words) {
    for (int i = 0; i < words.length; i++) {
      if (!token(i).is(words[i])) {
        return false;
      }
    }
    return true;
  }
}
