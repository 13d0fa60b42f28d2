package io.keyvalueserve.bench;

/** Names what a peer without a key does with its connection. */
enum KeylessManner {
  /** It sends nothing. */
  SILENT,
  /** It sends a request byte by byte, slowly and without end. */
  DRIPS,
  /** It sends half a message that announces a great length. */
  HALF,
  /** It logs in with a wrong key, again after each answer. */
  WRONG_KEY,
  /** It sends random bytes, again after each answer. */
  GARBAGE,
  /** It sends a request before it has authenticated, again after each answer. */
  UNASKED;

  /** Returns that of a connection by its number; each is as frequent as the others. */
  static KeylessManner of(long number) {
    return values()[(int) Math.floorMod(number, (long) values().length)];
  }

  /** Returns whether it sends something as soon as it is connected. */
  boolean speaksFirst() {
    return this != SILENT && this != DRIPS;
  }

  /** Returns whether it sends its words again when it is answered. */
  boolean repeats() {
    return this == WRONG_KEY || this == GARBAGE || this == UNASKED;
  }
}
