package io.keyvalueserve.memory;

/** The rule by which a tier chooses the pool for the next run of pages. */
public enum Placement {
  /** Each run starts at the next pool of the tier. */
  ROUND_ROBIN,
  /**
   * The pool nearest to the NUMA node the calling thread runs on, then the next nearest. Pools of
   * the same distance take turns; a pool whose node is unknown is farther than any that is known.
   */
  LOCAL
}
