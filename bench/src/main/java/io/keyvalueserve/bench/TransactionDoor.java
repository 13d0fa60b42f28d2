package io.keyvalueserve.bench;

import java.util.Locale;

/** The doors through which transactions may be sent. */
enum TransactionDoor {
  /** MULTI with EXEC, with and without WATCH, scripts, and single commands. */
  REDIS,

  /** Requests with a list of operations. */
  HTTP,

  /** TransactionContext of Hazelcast's Java client, with keys that are read for update. */
  HAZELCAST;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
