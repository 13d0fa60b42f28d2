package io.keyvalueserve.bench;

import java.util.Locale;

/** Which members are killed, and when. */
enum KillKind {
  /** All at once. */
  TOGETHER,
  /** One; the others go on, and it comes back under load. */
  ONE,
  /** All, one after the other. */
  STAGGERED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
