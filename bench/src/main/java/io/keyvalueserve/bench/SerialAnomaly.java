package io.keyvalueserve.bench;

/**
 * A finding in a history of transactions that no serial one has. Immutable.
 *
 * @param kind which promise is broken
 * @param text the transactions, with their times, and what connects them; several lines
 */
record SerialAnomaly(Kind kind, String text) {
  /** The ways to break the promise. The names in brackets are those of Adya and of Elle. */
  enum Kind {
    LOST("what was appended and acknowledged is in no list that was read later"),
    ABORTED("a transaction that was refused is seen (G1a)"),
    INTERMEDIATE("a list is seen as it was in the middle of a transaction (G1b)"),
    HALF("a transaction is seen at one key, and not yet at another"),
    DUPLICATE("an element is twice in a list"),
    NEVER_WRITTEN("an element was never appended to the list"),
    INCOMPATIBLE("two reads of a list have different elements in one place"),
    INTERNAL("a transaction does not see what it did or has seen itself"),
    SEEN_AND_GONE("a read saw a transaction that nobody acknowledged, and that was gone later"),
    WRITE_CYCLE("appends of transactions are in contradicting orders (G0)"),
    INFORMATION_CYCLE("transactions see each other (G1c)"),
    SINGLE_CYCLE("a transaction sees one key before, and another one after others (G-single)"),
    WRITE_SKEW("each of several transactions has not seen the next one (G2)"),
    STALE("the order of the transactions contradicts the times at which they were sent");

    /** Says what is wrong, for a person. */
    final String meaning;

    Kind(String meaning) {
      this.meaning = meaning;
    }
  }

  /**
   * Returns whether it breaks a promise: a write that nobody has acknowledged may be seen and go.
   */
  boolean isViolation() {
    return kind != Kind.SEEN_AND_GONE;
  }

  @Override
  public String toString() {
    return kind + ": " + kind.meaning + "\n" + text.indent(2).stripTrailing();
  }
}
