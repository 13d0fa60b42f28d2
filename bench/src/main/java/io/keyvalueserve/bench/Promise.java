package io.keyvalueserve.bench;

import java.util.Locale;

/** What a server promises about writes that it has acknowledged, should it be killed. */
enum Promise {
  /** None is lost. */
  ALWAYS,
  /** None is lost that is older than a second. */
  EVERYSEC;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
