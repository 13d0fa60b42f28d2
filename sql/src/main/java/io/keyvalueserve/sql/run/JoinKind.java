package io.keyvalueserve.sql.run;

/** How rows of two inputs are joined. */
public enum JoinKind {
  INNER,
  LEFT,
  RIGHT,
  FULL,
  /** Rows of the left input that have a match. */
  SEMI,
  /** Rows of the left input that have none. */
  ANTI;

  /** Returns whether rows of the left input are kept that have no match. */
  boolean keepsLeft() {
    return this == LEFT || this == FULL;
  }

  /** Returns whether rows of the right input are kept that have no match. */
  boolean keepsRight() {
    return this == RIGHT || this == FULL;
  }
}
