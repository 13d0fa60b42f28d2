package io.keyvalueserve.cli;

import org.jspecify.annotations.Nullable;

/**
 * Makes keys of the bytes that a terminal sends: letters, and arrows as the three bytes that
 * ECMA-48 terminals send for them ({@code ESC [ A}, or {@code ESC O A}). Not thread-safe.
 */
final class TopKeys {
  private static final int ESCAPE = 0x1b;
  private static final int END = -1;

  private int escaped;

  /**
   * The key that ends with a byte.
   *
   * @param next -1 for the end of input
   * @return null if there is none, or none that does anything
   */
  @Nullable TopKey key(int next) {
    if (next == ESCAPE) {
      escaped = 1;
      return null;
    }
    if (escaped == 1) {
      escaped = next == '[' || next == 'O' ? 2 : 0;
      return null;
    }
    if (escaped == 2) {
      // Of longer sequences, as ESC [ 1 ; 5 A, digits and signs come first.
      escaped = next >= '0' && next <= '?' ? 2 : 0;
      return arrow(next);
    }
    return switch (next) {
      case END, 'q', 'Q' -> TopKey.QUIT;
      case 'm', 'M' -> TopKey.SWITCH;
      case 'p', 'P', ' ' -> TopKey.PAUSE;
      case 'r', 'R' -> TopKey.REVERSE;
      case '<', ',' -> TopKey.LEFT;
      case '>', '.' -> TopKey.RIGHT;
      case 'k' -> TopKey.UP;
      case 'j' -> TopKey.DOWN;
      default -> null;
    };
  }

  private static @Nullable TopKey arrow(int last) {
    return switch (last) {
      case 'A' -> TopKey.UP;
      case 'B' -> TopKey.DOWN;
      case 'C' -> TopKey.RIGHT;
      case 'D' -> TopKey.LEFT;
      default -> null;
    };
  }
}
