package io.keyvalueserve.resp.script;

import io.keyvalueserve.lua.BudgetExceeded.Bound;

/** Ends a transaction whose script has reached a bound: nothing is changed. No stack trace. */
final class ScriptEnded extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Bound bound;

  ScriptEnded(Bound bound) {
    super("a script has reached a bound", null, false, false);
    this.bound = bound;
  }

  Bound bound() {
    return bound;
  }
}
