package io.keyvalueserve.grid.settings;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The ways in which a map and the table behind it keep together. */
public enum StoreMode {
  /** Loads what a read misses. Writes stay in memory. */
  READ_THROUGH,
  /** Loads what a read misses, and answers a write when the database has committed it. */
  WRITE_THROUGH,
  /** Loads what a read misses, and writes to the database later, in batches. */
  WRITE_BEHIND;

  /** Returns the name that settings and answers use. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The one that is written so. */
  public static Optional<StoreMode> ofText(String text) {
    return Arrays.stream(values()).filter(each -> each.text().equals(text)).findFirst();
  }
}
