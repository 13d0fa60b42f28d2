package io.keyvalueserve.grid.quorum;

/** Tells what members do that cannot reach a majority of their cluster. */
public enum SplitMode {
  /** Consistent once the cluster has had three voters; available before. */
  AUTO,
  /** Members without a majority refuse all reads and writes. */
  CONSISTENT,
  /** All members go on. When the network heals, the last write of each key stays. */
  AVAILABLE
}
