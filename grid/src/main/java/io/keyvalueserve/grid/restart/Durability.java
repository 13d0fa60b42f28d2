package io.keyvalueserve.grid.restart;

import java.util.Locale;

/** What of a map outlives its members. */
public enum Durability {
  /** Nothing: for caches. */
  NONE,
  /** All but what was acknowledged in the last second before a crash. */
  EVERYSEC,
  /** All that was acknowledged. */
  ALWAYS;

  /** As users write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
