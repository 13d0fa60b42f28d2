package io.keyvalueserve.bench;

/**
 * A key that holds what it may not hold.
 *
 * @param key its name
 * @param kind which promise is broken
 * @param text what was written and acknowledged when, and what was found; several lines
 */
record Violation(String key, Kind kind, String text) {
  /** The ways to break a promise. */
  enum Kind {
    LOST("an acknowledged write is missing, and the key is not there"),
    OLDER("an acknowledged write is missing, and an older value is there"),
    RETURNED("a value that was deleted, or had expired, is back"),
    NEVER_WRITTEN("a value that was never written"),
    DAMAGED("a value that is not whole"),
    REFUSED("a value whose write was answered by an error"),
    EXPIRED("a value is there though its time is over"),
    GONE_EARLY("a value is gone before its time"),
    WRONG_EXPIRY("a value expires at another time than it was written with"),
    REORDERED("a write is there, but an earlier one of its connection and partition is not"),
    STRAY("a key is listed that is not there, or was never written"),
    UNLISTED("a key is there that is not listed");

    /** What is wrong, for a person. */
    final String meaning;

    Kind(String meaning) {
      this.meaning = meaning;
    }
  }

  @Override
  public String toString() {
    return kind + ": " + kind.meaning + ": " + key + "\n" + text.indent(2).stripTrailing();
  }
}
