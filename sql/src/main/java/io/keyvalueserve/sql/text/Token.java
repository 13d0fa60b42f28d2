package io.keyvalueserve.sql.text;

import java.util.Locale;

/**
 * A token of a statement.
 *
 * @param text the word as it is written, the name or the string without its quotes, the number of a
 *     parameter (empty for {@code ?}), the symbol
 * @param start its first character, from 0
 * @param end behind its last character
 */
record Token(Kind kind, String text, int start, int end) {
  /** The kind of a token. */
  enum Kind {
    WORD,
    QUOTED,
    STRING,
    NUMBER,
    PARAMETER,
    SYMBOL,
    END
  }

  /** Returns whether this is an unquoted word, in upper or lower case. */
  boolean is(String word) {
    return kind == Kind.WORD && text.equalsIgnoreCase(word);
  }

  /** Returns whether this is a symbol. */
  boolean isSymbol(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  /** Returns whether this is a name, quoted or not. */
  boolean isName() {
    return kind == Kind.WORD || kind == Kind.QUOTED;
  }

  /** Returns the word in upper case. */
  String upper() {
    return text.toUpperCase(Locale.ROOT);
  }

  /** Returns how messages name it. */
  String shown() {
    return kind == Kind.END ? "the end of the statement" : "\"" + text + "\"";
  }
}
