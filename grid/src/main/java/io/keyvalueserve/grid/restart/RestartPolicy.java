package io.keyvalueserve.grid.restart;

/**
 * The conditions on which a cluster that starts again goes on, if not all of its members come back.
 */
public enum RestartPolicy {
  /** The cluster goes on only with every member that held data last. */
  FULL,
  /** After some patience, if no partition is without a copy. */
  COMPLETE,
  /** After some patience, with what there is; partitions without a copy begin empty. */
  PARTIAL
}
