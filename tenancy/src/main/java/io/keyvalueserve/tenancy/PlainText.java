package io.keyvalueserve.tenancy;

/**
 * Text that is to be read in a line of a log or a file: what could begin another line, move a
 * terminal's cursor or turn the line around is written as an escape, such as {@code \n}. Texts come
 * from tenants, and a line that one of them made up must not look like ours.
 */
public final class PlainText {
  private PlainText() {}

  /** The text with escapes; the same object if it needs none. Doing it twice changes no more. */
  public static String escaped(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isHidden(text.charAt(i))) {
        return escaped(text, i);
      }
    }
    return text;
  }

  private static String escaped(String text, int first) {
    StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, first);
    for (int i = first; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\n' -> escaped.append("\\n");
        case '\r' -> escaped.append("\\r");
        case '\t' -> escaped.append("\\t");
        default -> {
          if (isHidden(c)) {
            escaped.append("\\u%04x".formatted((int) c));
          } else {
            escaped.append(c);
          }
        }
      }
    }
    return escaped.toString();
  }

  /**
   * Controls, Unicode's own line and paragraph separators, and the marks, embeddings, overrides and
   * isolates of Unicode Standard Annex 9.
   */
  private static boolean isHidden(char c) {
    return Character.isISOControl(c)
        || (c >= '\u2028' && c <= '\u202e')
        || (c >= '\u2066' && c <= '\u2069')
        || c == '\u200e'
        || c == '\u200f'
        || c == '\u061c';
  }
}
