package io.keyvalueserve.bench;

import java.util.Locale;

/** When a server writes to its disk. */
enum Durability {
  /** Not at all. */
  NONE("no"),
  /** Within a second of the acknowledgement. */
  EVERYSEC("everysec"),
  /** Before the acknowledgement. */
  ALWAYS("always");

  /** What Redis calls it. */
  final String redis;

  Durability(String redis) {
    this.redis = redis;
  }

  /** What the options of the bench and of {@code kvs serve} call it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
