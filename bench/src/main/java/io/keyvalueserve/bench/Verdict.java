package io.keyvalueserve.bench;

/** The outcome of checking the history of one key. */
sealed interface Verdict {
  /** The operations fit one order in which each took effect between its call and its answer. */
  record Linearizable() implements Verdict {}

  /**
   * No such order exists.
   *
   * @param text the longest order found, the state after it and the operations that cannot follow;
   *     several lines
   */
  record Violation(String text) implements Verdict {}

  /**
   * The search ended before it found an order or ruled all of them out.
   *
   * @param steps how many configurations the search visited
   */
  record Undecided(long steps) implements Verdict {}
}
