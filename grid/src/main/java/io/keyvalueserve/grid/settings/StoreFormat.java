package io.keyvalueserve.grid.settings;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The forms that a row of a table takes as a value of a map. */
public enum StoreFormat {
  /** The content of the one value column. */
  VALUE,
  /** A JSON object with the columns as its fields. */
  JSON;

  /** Returns the name that settings and answers use. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The one that is written so. */
  public static Optional<StoreFormat> ofText(String text) {
    return Arrays.stream(values()).filter(each -> each.text().equals(text)).findFirst();
  }
}
