package io.keyvalueserve.engine;

/**
 * Ends the run of a transaction's body, because it asked for what is not at hand. The engine gets
 * it and runs the body again. Who runs code of others in a body, as scripts, lets it pass.
 */
public abstract sealed class NotAtHand extends RuntimeException permits KeyNeeded, PageNeeded {
  private static final long serialVersionUID = 1L;

  /** Makes one without a stack trace, because it says nothing of a fault. */
  NotAtHand(String message) {
    super(message, null, false, false);
  }
}
