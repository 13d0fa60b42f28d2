package io.keyvalueserve.lua;

/** Ends a run that used up its {@link Budget}, or that was killed. Scripts cannot catch it. */
public final class BudgetExceeded extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The bound that was reached. */
  public enum Bound {
    /** Instructions, and bytes and elements that libraries handled. */
    STEPS("too many steps"),
    /** Bytes of values that are alive. */
    MEMORY("not enough memory"),
    /** Time on the clock. */
    TIME("too much time"),
    /** Calls inside calls. */
    DEPTH("stack overflow"),
    /** Coroutines created. */
    COROUTINES("too many coroutines"),
    /** {@link Budget#kill} was called. */
    KILLED("killed");

    private final String text;

    Bound(String text) {
      this.text = text;
    }
  }

  private final Bound bound;

  BudgetExceeded(Bound bound) {
    super("script ended: " + bound.text, null, false, false);
    this.bound = bound;
  }

  /** Returns the bound that was reached. */
  public Bound bound() {
    return bound;
  }
}
