package io.keyvalueserve.engine;

/**
 * Ends the run of a transaction's body, because its deadline has passed ({@link
 * TransactionView#deadlineNanos}). Nothing is changed, and the engine runs the body again, without
 * a deadline. Who runs code of others in a body, as scripts, lets it pass.
 */
public final class DeadlinePassed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates one without a stack trace, because it says nothing of a fault. */
  public DeadlinePassed() {
    super("the body takes longer than this run may", null, false, false);
  }
}
