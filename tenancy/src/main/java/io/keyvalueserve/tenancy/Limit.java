package io.keyvalueserve.tenancy;

/**
 * The parts of a tenant's quota: limits over all members together, and its weight. The texts are
 * stored: they never change their meaning.
 */
public enum Limit {
  /** Key operations and commands in a second; a command on several keys is one for each key. */
  OPERATIONS("operationsPerSecond", 1, 1_000_000_000_000L),
  /** Bytes of requests in a second. */
  BYTES_IN("bytesInPerSecond", 1, 1_000_000_000_000L),
  /** Bytes of answers in a second. */
  BYTES_OUT("bytesOutPerSecond", 1, 1_000_000_000_000L),
  /** The time, in milliseconds, for which a tenant may save up the unused part of its rate. */
  BURST("burstMillis", 1, 60_000),
  /** Bytes of entries with their index, counted once: backups are not added. */
  MEMORY("memoryBytes", 0, 1L << 50),
  /** Entries, counted once. */
  ENTRIES("entries", 0, 1L << 50),
  /** Open connections. */
  CONNECTIONS("connections", 0, 1_000_000_000),
  /** Maps. */
  MAPS("maps", 0, 10_000),
  /** Bytes of one value. */
  VALUE("valueBytes", 0, Integer.MAX_VALUE),
  /** Locks that are held at a time. */
  LOCKS("locks", 0, 1_000_000),
  /**
   * No limit but the tenant's part where tenants compete for time or memory, beside the others'.
   */
  WEIGHT("weight", 1, 1_000);

  private final String text;
  private final long least;
  private final long most;

  Limit(String text, long least, long most) {
    this.text = text;
    this.least = least;
    this.most = most;
  }

  /** Its name for people and programs, and in what is stored. */
  public String text() {
    return text;
  }

  /** The least that it can be set to. */
  public long least() {
    return least;
  }

  /** The most that it can be set to. */
  public long most() {
    return most;
  }

  /** Returns the value that holds if none is set; {@link Quota#UNLIMITED} for no limit. */
  public long usual() {
    return switch (this) {
      case BURST -> 1_000;
      case LOCKS -> 10_000;
      case WEIGHT -> 1;
      default -> Quota.UNLIMITED;
    };
  }
}
