package io.keyvalueserve.bench;

import java.io.PrintWriter;
import java.util.Locale;

/** Tells a person who waits how far a bench is, a line at a time. Thread-safe. */
final class Progress {
  private final PrintWriter out;

  Progress(PrintWriter out) {
    this.out = out;
  }

  /** Tells a line at once. */
  synchronized void say(String format, Object... what) {
    out.printf(Locale.ROOT, format + "%n", what);
    out.flush();
  }
}
