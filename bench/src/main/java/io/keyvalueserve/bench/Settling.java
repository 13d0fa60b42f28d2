package io.keyvalueserve.bench;

/**
 * Whether a falling figure has stopped to fall: it has when none of the last few was lower by 3%
 * than what was lowest before them. So a slow fall counts too, and one disturbed figure does not.
 */
final class Settling {
  /** How many figures in a row must not have fallen. */
  static final int PATIENCE = 3;

  private static final double FALL = 0.03;

  private double lowest = Double.POSITIVE_INFINITY;
  private int patience;

  /** Takes the next figure. */
  void add(double figure) {
    if (figure < lowest * (1 - FALL)) {
      lowest = figure;
      patience = 0;
    } else {
      patience++;
    }
  }

  boolean isSettled() {
    return patience >= PATIENCE;
  }
}
