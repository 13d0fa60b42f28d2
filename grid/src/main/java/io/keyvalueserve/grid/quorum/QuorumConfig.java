package io.keyvalueserve.grid.quorum;

/**
 * Configures when a member may serve.
 *
 * @param mode what members do without a majority
 * @param times of leases and of detection
 */
public record QuorumConfig(SplitMode mode, QuorumTimes times) {
  /** Consistent from three members on, with the usual times. */
  public static final QuorumConfig DEFAULT = new QuorumConfig(SplitMode.AUTO, QuorumTimes.DEFAULT);
}
