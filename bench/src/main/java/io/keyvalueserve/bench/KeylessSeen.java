package io.keyvalueserve.bench;

/**
 * Holds what peers without a key saw at one port while it was measured.
 *
 * @param wanted how many connections they want
 * @param open how many were open, on average
 * @param opened how many were opened
 * @param refused how many could not be
 * @param closed how many the server closed
 */
record KeylessSeen(long wanted, double open, long opened, long refused, long closed) {
  static final KeylessSeen NONE = new KeylessSeen(0, 0, 0, 0, 0);

  /** Returns both together. */
  KeylessSeen plus(KeylessSeen other) {
    return new KeylessSeen(
        wanted + other.wanted,
        open + other.open,
        opened + other.opened,
        refused + other.refused,
        closed + other.closed);
  }
}
