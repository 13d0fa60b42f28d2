package io.keyvalueserve.tenancy.grant;

/** One of the things that can be granted. Each stands for itself: none includes another. */
public enum Right {
  /** To learn values, and what else there is to know of entries. */
  READ(0, "read"),
  /** To make, change and remove entries, and so to learn whether one is there. */
  WRITE(1, "write"),
  /** To lock keys, and to take one's own locks off again. */
  LOCK(2, "lock"),
  /** To take others' locks off; on a whole map, to set it up: indexes, loading, evicting all. */
  ADMIN(3, "admin");

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

  /** What people call it. */
  public String label() {
    return label;
  }
}
