package io.keyvalueserve.memory;

/** The kernel's policy for the nodes of a pool, as {@code mbind(2)} defines it. */
public enum NumaPolicy {
  /**
   * These nodes only. When they are full the kernel kills the process: keep the capacity well under
   * what the nodes have.
   */
  BIND(2),
  /** These nodes first, and any other when they are full. More than one needs Linux 5.15. */
  PREFERRED(1),
  /** These nodes in turns, page by page. */
  INTERLEAVE(3),
  /**
   * These nodes in turns, in proportion to their bandwidth: the weights are the machine's, in
   * {@code /sys/kernel/mm/mempolicy/weighted_interleave}. Needs Linux 6.9.
   */
  WEIGHTED_INTERLEAVE(6);

  private static final int PREFERRED_MANY = 5;

  private final int mode;

  NumaPolicy(int mode) {
    this.mode = mode;
  }

  /** Returns the kernel's number for it. */
  int mode(int nodes) {
    return this == PREFERRED && nodes > 1 ? PREFERRED_MANY : mode;
  }
}
