package io.keyvalueserve.cli;

import java.util.Locale;

/** A format in which results are printed. */
enum SqlFormatName {
  TABLE,
  VERTICAL,
  CSV,
  JSON,
  NDJSON;

  /** Returns whether it is for programs, so that nothing but rows is printed. */
  boolean isForPrograms() {
    return this != TABLE && this != VERTICAL;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
