package io.keyvalueserve.bench;

import java.util.Locale;

/** Kinds of faults that a run may have. */
enum NemesisKind {
  /**
   * Networks that break: one member, two that do not reach each other, one way, all, again and
   * again.
   */
  CUT,

  /** Processes that are stopped (SIGSTOP), and go on. */
  PAUSE,

  /** Processes that are killed or asked to end, and start again. */
  KILL,

  /** Wall clocks that are set forward and back. */
  CLOCK,

  /** Links on which packets come late or are lost. */
  SLOW,

  /** Two faults of different kinds at once. */
  MIXED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
