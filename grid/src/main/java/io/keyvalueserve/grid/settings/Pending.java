package io.keyvalueserve.grid.settings;

/**
 * A member on which settings do not hold yet.
 *
 * @param member its address
 * @param why it cannot carry them out; empty if it is about to, or does not answer
 */
public record Pending(String member, String why) {
  /** Returns whether the member could not carry out the settings. */
  public boolean hasFailed() {
    return !why.isEmpty();
  }
}
