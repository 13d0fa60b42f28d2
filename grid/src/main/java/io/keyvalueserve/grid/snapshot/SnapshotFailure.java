package io.keyvalueserve.grid.snapshot;

/** A snapshot could not be taken or restored. The message is for a person, and says the remedy. */
public final class SnapshotFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean passes;
  private final boolean missing;

  private SnapshotFailure(String message, boolean passes, boolean missing) {
    super(message, null, false, false);
    this.passes = passes;
    this.missing = missing;
  }

  /** Creates a failure that another attempt may not have: the cluster was changing. */
  static SnapshotFailure passing(String message) {
    return new SnapshotFailure(message, true, false);
  }

  /** Creates a failure that another attempt would have, too. */
  static SnapshotFailure lasting(String message) {
    return new SnapshotFailure(message, false, false);
  }

  /** Creates a failure: there is no such snapshot. */
  static SnapshotFailure missing(String message) {
    return new SnapshotFailure(message, false, true);
  }

  /** Returns whether there is no such snapshot. */
  public boolean isMissing() {
    return missing;
  }

  /** Returns whether another attempt may succeed. */
  boolean passes() {
    return passes;
  }
}
