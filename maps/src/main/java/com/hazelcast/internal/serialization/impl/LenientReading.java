package com.hazelcast.internal.serialization.impl;

/**
 * Remembers for each thread whether it skips values that are not readable, as a query does. Such a
 * value is then read as null.
 */
public final class LenientReading {
  static final LenientReading OF_NO_MEMBER = new LenientReading();

  private final ThreadLocal<Boolean> on = ThreadLocal.withInitial(() -> false);

  LenientReading() {}

  boolean isOn() {
    return on.get();
  }

  /**
   * Begins to pass over values.
   *
   * @return what {@link #end} is to be called with, in any case
   */
  public boolean begin() {
    boolean before = on.get();
    on.set(true);
    return before;
  }

  /** Ends what {@link #begin} began. */
  public void end(boolean before) {
    on.set(before);
  }
}
