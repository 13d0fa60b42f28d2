package io.keyvalueserve.cli;

/**
 * The number of columns of a terminal that text takes. Marks that combine take none. Characters
 * that Unicode Standard Annex 11 (East Asian Width) has as wide or fullwidth, and emoji, take two.
 * All others take one.
 */
final class DisplayWidth {
  private static final String ELLIPSIS = "…";

  /** First and last code points of wide blocks, in order; emoji are known otherwise. */
  private static final int[] WIDE = {
    0x1100, 0x115f, 0x2329, 0x232a, 0x2e80, 0x303e, 0x3041, 0x4dbf, 0x4e00, 0xa4cf, 0xa960, 0xa97c,
    0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6b, 0xff01, 0xff60, 0xffe0, 0xffe6,
    0x16fe0, 0x18cff, 0x1aff0, 0x1b2ff, 0x1f200, 0x1f265, 0x20000, 0x3fffd
  };

  private static final int FIRST_REGIONAL = 0x1f1e6;
  private static final int LAST_REGIONAL = 0x1f1ff;

  private DisplayWidth() {}

  static int of(String text) {
    return text.codePoints().map(DisplayWidth::of).sum();
  }

  private static int of(int codePoint) {
    if (codePoint < 0x300) {
      return codePoint == 0xad ? 0 : 1;
    }
    return switch (Character.getType(codePoint)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
      default -> isWide(codePoint) ? 2 : 1;
    };
  }

  private static boolean isWide(int codePoint) {
    for (int i = 0; i < WIDE.length && codePoint >= WIDE[i]; i += 2) {
      if (codePoint <= WIDE[i + 1]) {
        return true;
      }
    }
    boolean isRegional = codePoint >= FIRST_REGIONAL && codePoint <= LAST_REGIONAL; // half a flag
    return Character.isEmojiPresentation(codePoint) && !isRegional;
  }

  /**
   * The text, or its beginning and an ellipsis.
   *
   * @param columns what it may take, 1 or more
   */
  static String shortened(String text, int columns) {
    if (of(text) <= columns) {
      return text;
    }
    StringBuilder kept = new StringBuilder();
    int left = columns - 1;
    for (int i = 0; i < text.length(); ) {
      int codePoint = text.codePointAt(i);
      left -= of(codePoint);
      if (left < 0) {
        break;
      }
      kept.appendCodePoint(codePoint);
      i += Character.charCount(codePoint);
    }
    return kept + ELLIPSIS;
  }
}
