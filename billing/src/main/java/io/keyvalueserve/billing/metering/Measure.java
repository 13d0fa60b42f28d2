package io.keyvalueserve.billing.metering;

/**
 * The measures of a tenant's usage. Codes and labels are stored: they never change their meaning.
 *
 * <p>A <em>flow</em> is counted as it comes: requests, bytes. A <em>level</em> is held for some
 * time: memory, connections, reservations; its quantity is the level integrated over the time, in
 * seconds (1 GB for a minute is 60 GB-seconds).
 */
public enum Measure {
  /** Operations on a key that only read. */
  READS(1, "reads", "Requests", false),
  /** Operations on a key that store a value or an expiry. */
  WRITES(2, "writes", "Requests", false),
  /** Operations that remove a key. */
  DELETES(3, "deletes", "Requests", false),
  /** Scans, queries and what else looks at more keys than it names. */
  QUERIES(4, "queries", "Requests", false),
  /** Operations that take or release a lock. */
  LOCKS(5, "locks", "Requests", false),
  /** Transactions that were committed or rolled back. */
  TRANSACTIONS(6, "transactions", "Requests", false),
  /** Bytes of requests. */
  BYTES_IN(7, "bytesIn", "B", false),
  /** Bytes of answers. */
  BYTES_OUT(8, "bytesOut", "B", false),
  /** Bytes of entries in memory. */
  RESIDENT_BYTES(9, "residentBytes", "B", true),
  /** Bytes of values that left memory for the disk. */
  SPILLED_BYTES(10, "spilledBytes", "B", true),
  /** Bytes written to the restart log. */
  LOG_BYTES(11, "logBytes", "B", false),
  /** Open connections. */
  CONNECTIONS(12, "connections", "Connections", true),
  /** Maps that are reserved for the tenant. */
  MAP_RESERVATIONS(13, "mapReservations", "Maps", true),
  /** Members that are reserved for the tenant. */
  MEMBER_RESERVATIONS(14, "memberReservations", "Members", true),
  /** Requests that were told to come later, as a rate or a spend was used up. */
  THROTTLED(15, "throttled", "Requests", false),
  /** Requests that were refused for want of a right or of a quota. */
  REFUSED(16, "refused", "Requests", false),
  /** Bytes in a repository of a tenant that is not in memory. */
  HIBERNATED_BYTES(17, "hibernatedBytes", "B", true);

  private static final Measure[] ALL = values();

  /** The number of measures. */
  public static final int COUNT = ALL.length;

  private final int code;
  private final String label;
  private final String unit;
  private final boolean isLevel;

  Measure(int code, String label, String unit, boolean isLevel) {
    this.code = code;
    this.label = label;
    this.unit = unit;
    this.isLevel = isLevel;
  }

  /** Its number in what is stored: 1 to 63. */
  public int code() {
    return code;
  }

  /** Its place in an array of {@link #COUNT}: one less than its code. */
  public int index() {
    return code - 1;
  }

  /** Its name for people and programs. */
  public String label() {
    return label;
  }

  /** The name of its quantity: the label, and for a level with its unit of time. */
  public String quantityLabel() {
    return isLevel ? label.substring(0, label.length() - 1) + "Seconds" : label;
  }

  /**
   * Returns the unit of this measure, in the words of FOCUS 1.2 (unit format): {@code B}, {@code
   * Requests}.
   */
  public String unit() {
    return unit;
  }

  /** Returns whether this measure is a level. The quantity of a level is in unit-seconds. */
  public boolean isLevel() {
    return isLevel;
  }

  /**
   * Returns whether this measure tells that something is kept for the tenant, and not that
   * something was used.
   */
  public boolean isReservation() {
    return this == MAP_RESERVATIONS || this == MEMBER_RESERVATIONS;
  }

  /** Returns whether this measure tells what is stored, in memory or on a disk. */
  public boolean isStorage() {
    return this == RESIDENT_BYTES || this == SPILLED_BYTES || this == LOG_BYTES;
  }

  /**
   * Returns whether this measure is told seldom, in sums: how much is held in a minute cannot be
   * seen of it.
   */
  public boolean isSummed() {
    return this == HIBERNATED_BYTES;
  }

  /** Returns whether this measure counts requests that were not served. They are never charged. */
  public boolean isTurnedAway() {
    return this == THROTTLED || this == REFUSED;
  }

  /**
   * @throws IllegalArgumentException if no measure has the code
   */
  public static Measure ofCode(int code) {
    if (code < 1 || code > ALL.length) {
      throw new IllegalArgumentException("no measure has the code " + code);
    }
    return ALL[code - 1];
  }

  /**
   * @throws IllegalArgumentException if no measure has the label
   */
  public static Measure ofLabel(String label) {
    for (Measure measure : ALL) {
      if (measure.label.equals(label)) {
        return measure;
      }
    }
    throw new IllegalArgumentException("no measure is called '" + label + "'");
  }
}
