package io.keyvalueserve.postgres.syntax;

/**
 * A token of a statement.
 *
 * @param text a word in lower case, a quoted name or a string without quotes, or the characters
 * @param start the index of its first character
 * @param end the index behind its last character
 */
public record Token(Kind kind, String text, int start, int end) {
  /** The kinds of tokens. */
  public enum Kind {
    WORD,
    QUOTED,
    STRING,
    NUMBER,
    /** {@code $1}; the text is the number. */
    PARAMETER,
    SYMBOL,
    END
  }

  /** Returns whether this is an unquoted word. */
  public boolean is(String word) {
    return kind == Kind.WORD && text.equals(word);
  }

  /** Returns whether this is a symbol. */
  public boolean isSymbol(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  /** Returns whether this can be a name. */
  public boolean isName() {
    return kind == Kind.WORD || kind == Kind.QUOTED;
  }
}
