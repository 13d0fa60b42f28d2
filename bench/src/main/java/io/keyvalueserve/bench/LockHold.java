package io.keyvalueserve.bench;

/**
 * The time in which a client certainly held the lock of a key. Immutable.
 *
 * @param client the client's number
 * @param door the protocol that the client speaks, for reports
 * @param key the key's name
 * @param acquiredNanos when the client was told that it has the lock
 * @param releasedNanos when the client sent the release; {@link KeyOperation#NEVER} if it did not
 */
record LockHold(int client, String door, String key, long acquiredNanos, long releasedNanos) {
  LockHold {
    if (releasedNanos < acquiredNanos) {
      throw new IllegalArgumentException("a lock of " + key + " is released before it is acquired");
    }
  }

  /**
   * Returns a few words that describe the hold.
   *
   * @param originNanos the moment from which its times are counted
   */
  String describe(long originNanos) {
    String released =
        releasedNanos == KeyOperation.NEVER
            ? "and never released it"
            : "to " + KeyOperation.millis(releasedNanos, originNanos) + " ms";
    return String.format(
        "client %d (%s) held it from %s ms %s",
        client, door, KeyOperation.millis(acquiredNanos, originNanos), released);
  }
}
