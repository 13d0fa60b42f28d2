package io.keyvalueserve.grid.snapshot;

/** A snapshot could not be taken or restored. The message is for a person, and says the remedy. */
public final class SnapshotFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean passes;

  private SnapshotFailure(String message, boolean passes) {
    super(message, null, false, false);
    this.passes = passes;
  }

  /** Creates a failure that another attempt may not have: the cluster was changing. */
  static SnapshotFailure passing(String message) {
    return new SnapshotFailure(message, true);
  }

  /** Creates a failure that another attempt would have, too. */
  static SnapshotFailure lasting(String message) {
    return new SnapshotFailure(message, false);
  }

  /** Returns whether another attempt may succeed. */
  boolean passes() {
    return passes;
  }
}
