package io.keyvalueserve.tenancy.grant;

/**
 * A right that can be granted: the first four on maps, the others on channels. Each stands for
 * itself: none includes another.
 */
public enum Right {
  /** The right to learn values, and everything else that can be known of entries. */
  READ(0, "read"),
  /**
   * The right to create, change and remove entries, and therefore to learn whether an entry exists.
   */
  WRITE(1, "write"),
  /** The right to lock keys, and to release one's own locks. */
  LOCK(2, "lock"),
  /**
   * The right to release others' locks and, on a whole map, to set it up: indexes, loading,
   * evicting all.
   */
  ADMIN(3, "admin"),
  /** The right to receive the messages of channels, and to learn who else does. */
  SUBSCRIBE(4, "subscribe"),
  /** The right to send messages to channels. */
  PUBLISH(5, "publish");

  private final int bit;
  private final String label;

  Right(int position, String label) {
    this.bit = 1 << position;
    this.label = label;
  }

  /** Its bit in {@link Rights#bits}: stored, never to change. */
  int bit() {
    return bit;
  }

  /** Returns the name of the right for people. */
  public String label() {
    return label;
  }
}
