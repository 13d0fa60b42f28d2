package io.keyvalueserve.store;

import io.keyvalueserve.memory.Memory;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A record in memory. Key and value never change; a new value is a new record. What does change
 * (times, counters) is written whole and in no order.
 *
 * <pre>
 *   0               4                8         12              16            20
 *   +---------------+----------------+---------+---------------+-------------+- - - - - - - - - - -
 *   | value length  | shape          | version | tenant | uses | last access | options | key | value
 *   +---------------+----------------+---------+---------------+-------------+- - - - - - - - - - -
 *
 *   shape    bits 0-21 key length, 22-23 key form, 24-25 value form, 26-30 which options there are,
 *            31 SPILLED: in the place of the value are 8 bytes, the handle of where it is
 *   tenant   bits 0-23 the tenant's number, 24-31 how often used, see {@link #touch}
 *
 *   options, in this order, each only if the shape says so:
 *   EXPIRY      4 note's id, 8 expires at, 8 last update (begins at 20, so that its longs are aligned)
 *   IDLE        8 time to live, 8 max idle (only together with EXPIRY)
 *   STATISTICS  4 creation, 4 last update, 4 last stored, 4 hits
 *   LOGGED      8 where it is in a log
 *   EXTRA       4 bytes kept beside the key
 * </pre>
 *
 * <p>A record whose value is spilled is a <em>stub</em>: it has all that it had besides, and the
 * length and form of its value. What is asked for a value that is not there throws.
 *
 * <p>What expires without a max-idle time has no time to live of its own: that is the time from its
 * last update to its expiry.
 *
 * <p>All methods take a record's address, which has to be guarded (see {@link
 * io.keyvalueserve.memory.Epochs}) or belong to the calling writer.
 */
public final class Records {
  /** The longest key, in bytes. */
  public static final int MOST_KEY_BYTES = (1 << 22) - 1;

  /** The bytes that every record has besides its key and value. */
  public static final int HEADER_BYTES = 20;

  /** The greatest number that a tenant can have here. */
  public static final int MOST_TENANT = (1 << 24) - 1;

  static final int MOST_FORM = 3;

  private static final int VALUE_LENGTH = 0;
  private static final int SHAPE = 4;
  private static final int VERSION = 8;
  private static final int TENANT = 12;
  private static final int LAST_ACCESS = 16;
  private static final int NOTE = 20;
  private static final int EXPIRES_AT = 24;
  private static final int LAST_UPDATE = 32;
  private static final int TIME_TO_LIVE = 40;
  private static final int MAX_IDLE = 48;

  private static final int KEY_FORM_SHIFT = 22;
  private static final int VALUE_FORM_SHIFT = 24;
  private static final int KEY_MASK = (1 << VALUE_FORM_SHIFT) - 1;
  private static final int EXPIRY = 1 << 26;
  private static final int IDLE = 1 << 27;
  private static final int STATISTICS = 1 << 28;
  private static final int EXTRA = 1 << 29;
  private static final int LOGGED = 1 << 30;
  private static final int SPILLED = 1 << 31;

  private static final int EXPIRY_BYTES = 20;
  private static final int IDLE_BYTES = 16;
  private static final int STATISTICS_BYTES = 16;
  private static final int LOGGED_BYTES = 8;
  private static final int EXTRA_BYTES = 4;
  private static final int HANDLE_BYTES = 8;

  private static final int MOST_USES = 255;
  private static final double USES_FACTOR = 10; // 255 stands for about a million uses

  private Records() {}

  // ---- the value and the key

  /** The value's length in bytes, 0 or more, be it spilled or not. */
  public static int valueLength(long record) {
    return Memory.getInt(record + VALUE_LENGTH);
  }

  /** The key's length in bytes, 0 to {@link #MOST_KEY_BYTES}. */
  public static int keyLength(long record) {
    return shape(record) & MOST_KEY_BYTES;
  }

  /** The key's form, 0 to 3. */
  public static int keyForm(long record) {
    return (shape(record) >>> KEY_FORM_SHIFT) & MOST_FORM;
  }

  /** The value's form, 0 to 3. */
  public static int valueForm(long record) {
    return (shape(record) >>> VALUE_FORM_SHIFT) & MOST_FORM;
  }

  /** The number kept beside the key, 0 if there is none. */
  public static int extra(long record) {
    int shape = shape(record);
    return (shape & EXTRA) == 0 ? 0 : Memory.getInt(record + keyOffset(shape) - EXTRA_BYTES);
  }

  /** Returns the address of the key's bytes. */
  public static long keyAddress(long record) {
    return record + keyOffset(shape(record));
  }

  /**
   * Returns the address of the value's bytes.
   *
   * @throws IllegalStateException if it is spilled
   */
  public static long valueAddress(long record) {
    int shape = shape(record);
    if (shape < 0) {
      throw new IllegalStateException("the record's value is spilled: read it back first");
    }
    return record + keyOffset(shape) + (shape & MOST_KEY_BYTES);
  }

  /** Copies the key's bytes. */
  public static void copyKey(long record, byte[] to, int offset) {
    Memory.copy(keyAddress(record), to, offset, keyLength(record));
  }

  /**
   * Copies the value's bytes.
   *
   * @throws IllegalStateException if it is spilled
   */
  public static void copyValue(long record, byte[] to, int offset) {
    Memory.copy(valueAddress(record), to, offset, valueLength(record));
  }

  /** Returns whether the record has this key. */
  static boolean hasKey(long record, byte[] key, int offset, int length, int form) {
    int shape = shape(record);
    return (shape & KEY_MASK) == (length | (form << KEY_FORM_SHIFT))
        && Memory.equal(record + keyOffset(shape), key, offset, length);
  }

  /** Returns whether the record has this key, which is in memory. */
  static boolean hasKey(long record, long key, int length, int form) {
    int shape = shape(record);
    return (shape & KEY_MASK) == (length | (form << KEY_FORM_SHIFT))
        && Memory.equal(record + keyOffset(shape), key, length);
  }

  /** The key's hash. */
  static long hash(long record, long seed) {
    int shape = shape(record);
    return KeyHash.of(
        seed,
        record + keyOffset(shape),
        shape & MOST_KEY_BYTES,
        (shape >>> KEY_FORM_SHIFT) & MOST_FORM);
  }

  /** Returns the number of bytes that the record takes. */
  public static int bytes(long record) {
    int shape = shape(record);
    return keyOffset(shape)
        + (shape & MOST_KEY_BYTES)
        + (shape < 0 ? HANDLE_BYTES : valueLength(record));
  }

  /**
   * Returns the number of bytes that the record takes, or would take with its value if that is
   * spilled.
   */
  public static int bytesWithValue(long record) {
    return bytesWithValueOf(record, valueLength(record));
  }

  /** Returns whether the value is elsewhere, and its handle is in its place. Never changes. */
  public static boolean isSpilled(long record) {
    return shape(record) < 0;
  }

  /**
   * The handle of a spilled value, as {@link Table#spill} was told.
   *
   * @throws IllegalStateException if it is not spilled
   */
  public static long spillHandle(long record) {
    int shape = shape(record);
    if (shape >= 0) {
      throw new IllegalStateException("the record's value is not spilled");
    }
    return Memory.getLong(record + keyOffset(shape) + (shape & MOST_KEY_BYTES));
  }

  // ---- what changes

  /** Returns the number of times that it was changed, as the engine counts it. */
  public static int version(long record) {
    return Memory.getIntOpaque(record + VERSION);
  }

  /** Writes the version. */
  public static void setVersion(long record, int version) {
    Memory.putIntOpaque(record + VERSION, version);
  }

  /** The number of the tenant that it counts to. Never changes. */
  public static int tenant(long record) {
    return Memory.getIntOpaque(record + TENANT) & MOST_TENANT;
  }

  /** Writes the number of the tenant, of a record that nobody can find yet. */
  static void putTenant(long record, int tenant) {
    Memory.putIntOpaque(record + TENANT, (frequency(record) << 24) | (tenant & MOST_TENANT));
  }

  /** A counter of uses, 0 to 255, see {@link #touch}. */
  public static int frequency(long record) {
    return Memory.getIntOpaque(record + TENANT) >>> 24;
  }

  /** Writes the counter of uses. */
  public static void setFrequency(long record, int frequency) {
    Memory.putIntOpaque(
        record + TENANT, (Math.clamp(frequency, 0, MOST_USES) << 24) | tenant(record));
  }

  /** Returns the time when it was last used. */
  public static int lastAccessSeconds(long record) {
    return Memory.getIntOpaque(record + LAST_ACCESS);
  }

  /** Writes when it was last used. */
  public static void setLastAccessSeconds(long record, int seconds) {
    if (lastAccessSeconds(record) != seconds) { // do not make the line dirty for nothing
      Memory.putIntOpaque(record + LAST_ACCESS, seconds);
    }
  }

  /**
   * Notes a use. The counter grows the more slowly the larger it is (R. Morris, "Counting large
   * numbers of events in small registers", CACM 21(10), 1978), so that 8 bits last for a million.
   * From any thread; of two at once one may be lost.
   *
   * @return whether it is the first use in this second
   */
  public static boolean touch(long record, int nowSeconds) {
    boolean first = lastAccessSeconds(record) != nowSeconds;
    setLastAccessSeconds(record, nowSeconds);
    int uses = frequency(record);
    if (uses < MOST_USES
        && (uses == 0 || ThreadLocalRandom.current().nextDouble() * uses * USES_FACTOR < 1)) {
      setFrequency(record, uses + 1);
    }
    return first;
  }

  // ---- options

  /** Returns the time when it expires, {@link Attributes#NEVER} if it does not. */
  public static long expiresAt(long record) {
    return (shape(record) & EXPIRY) != 0
        ? Memory.getLongOpaque(record + EXPIRES_AT)
        : Attributes.NEVER;
  }

  /** Returns whether the record expires at all. */
  public static boolean expires(long record) {
    return expiresAt(record) != Attributes.NEVER;
  }

  /** Returns the time that its expiry was last computed from; 0 if it does not expire. */
  public static long lastUpdate(long record) {
    return (shape(record) & EXPIRY) != 0 ? Memory.getLongOpaque(record + LAST_UPDATE) : 0;
  }

  /** Returns the time that it lives from its last update. */
  public static long timeToLive(long record) {
    int shape = shape(record);
    if ((shape & IDLE) != 0) {
      return Memory.getLongOpaque(record + TIME_TO_LIVE);
    }
    return expires(record) ? expiresAt(record) - lastUpdate(record) : Attributes.NEVER;
  }

  /** Returns the time that it lives from its last use. */
  public static long maxIdle(long record) {
    return (shape(record) & IDLE) != 0 ? Memory.getLongOpaque(record + MAX_IDLE) : Attributes.NEVER;
  }

  /** Moves the expiry of a record that expires. */
  public static void setExpiresAt(long record, long expiresAt) {
    if (!expires(record) || expiresAt == Attributes.NEVER) {
      throw new IllegalStateException("the record's expiry cannot be moved: table.setExpiry can");
    }
    Memory.putLongOpaque(record + EXPIRES_AT, expiresAt);
  }

  /** The id of its note in the {@link TimingWheel}; 0 if it has none. By the writer. */
  static int note(long record) {
    return (shape(record) & EXPIRY) != 0 ? Memory.getInt(record + NOTE) : 0;
  }

  /** Writes the id of the note of a record that has room for an expiry. */
  static void setNote(long record, int id) {
    Memory.putInt(record + NOTE, id);
  }

  /** Returns whether the record has room for an expiry, whether it expires or not. */
  static boolean hasExpiryShape(long record) {
    return (shape(record) & EXPIRY) != 0;
  }

  /** Returns whether the record keeps statistics. */
  public static boolean hasStatistics(long record) {
    return (shape(record) & STATISTICS) != 0;
  }

  /** Returns the time when it was created; 0 without statistics. */
  public static int creationSeconds(long record) {
    return statistic(record, 0);
  }

  /** Writes when it was created, if it keeps statistics. */
  public static void setCreationSeconds(long record, int seconds) {
    setStatistic(record, 0, seconds);
  }

  /** Returns the time when it was last updated; 0 without statistics. */
  public static int lastUpdateSeconds(long record) {
    return statistic(record, 4);
  }

  /** Writes when it was last updated, if it keeps statistics. */
  public static void setLastUpdateSeconds(long record, int seconds) {
    setStatistic(record, 4, seconds);
  }

  /** Returns the time when it was last stored elsewhere; 0 without statistics. */
  public static int lastStoredSeconds(long record) {
    return statistic(record, 8);
  }

  /** Writes when it was last stored elsewhere, if it keeps statistics. */
  public static void setLastStoredSeconds(long record, int seconds) {
    setStatistic(record, 8, seconds);
  }

  /** Returns the number of its uses; 0 without statistics. */
  public static int hits(long record) {
    return statistic(record, 12);
  }

  /** Writes how often it was used, if it keeps statistics. */
  public static void setHits(long record, int hits) {
    setStatistic(record, 12, hits);
  }

  /** Returns whether the record keeps its position in a log. */
  public static boolean isLogged(long record) {
    return (shape(record) & LOGGED) != 0;
  }

  /** Returns its position in a log, as {@link #setLogPosition} was told; 0 if it is not logged. */
  public static long logPosition(long record) {
    int shape = shape(record);
    return (shape & LOGGED) != 0 ? Memory.getLong(record + logOffset(shape)) : 0;
  }

  /** Writes where it is in a log. To be called by the writer, as is {@link #logPosition}. */
  public static void setLogPosition(long record, long position) {
    int shape = shape(record);
    if ((shape & LOGGED) == 0) {
      throw new IllegalStateException("the record has no room for where it is in a log");
    }
    Memory.putLong(record + logOffset(shape), position);
  }

  /** Notes that the record is in no log any more, if it was. */
  public static void forgetLogPosition(long record) {
    int shape = shape(record);
    if ((shape & LOGGED) != 0) {
      Memory.putLong(record + logOffset(shape), 0);
    }
  }

  // ---- images

  /** Returns the offset of a record's key in its {@link #bytes bytes}. */
  public static int keyOffset(long record) {
    return keyOffset(shape(record));
  }

  /**
   * Returns whether bytes in memory can be those of a logged record. They can if the record's
   * lengths and forms are possible and add up.
   */
  static boolean isImage(long image, int length) {
    if (length < HEADER_BYTES) {
      return false;
    }
    int shape = shape(image);
    int valueLength = valueLength(image);
    return shape >= 0 // a stub is no image: it is of use to this process only
        && (shape & LOGGED) != 0
        && valueLength >= 0
        && (long) keyOffset(shape) + (shape & MOST_KEY_BYTES) + valueLength == length;
  }

  // ---- making one

  /**
   * Returns the number of bytes that a record with these parts takes; more than an int holds is an
   * error.
   */
  static int bytes(
      Attributes attributes, boolean logged, int extra, int keyLength, int valueLength) {
    return Math.addExact(
        keyOffset(options(attributes, logged, extra)), Math.addExact(keyLength, valueLength));
  }

  /** Returns the number of bytes that a record would take with a value of another length. */
  static int bytesWithValueOf(long record, int valueLength) {
    int shape = shape(record);
    return Math.addExact(keyOffset(shape) + (shape & MOST_KEY_BYTES), valueLength);
  }

  /** Writes all of another record but its value, which is to be of this length and form. */
  static void copyAllButValue(long from, long to, int valueLength, int valueForm) {
    int shape = shape(from);
    Memory.copy(from, to, keyOffset(shape) + (shape & MOST_KEY_BYTES));
    Memory.putInt(to + VALUE_LENGTH, valueLength);
    Memory.putInt(
        to + SHAPE,
        (shape & ~(SPILLED | MOST_FORM << VALUE_FORM_SHIFT)) | (valueForm << VALUE_FORM_SHIFT));
  }

  /** Returns the number of bytes that a record would take as a stub. */
  static int bytesAsStub(long record) {
    return bytesWithValueOf(record, HANDLE_BYTES);
  }

  /** Returns the number of bytes that a stub with these parts takes. */
  static int bytesAsStub(Attributes attributes, boolean logged, int extra, int keyLength) {
    return bytes(attributes, logged, extra, keyLength, HANDLE_BYTES);
  }

  /** Makes a stub of a record that has all but its value. */
  static void setSpilled(long record, long handle) {
    int shape = shape(record);
    Memory.putLong(record + keyOffset(shape) + (shape & MOST_KEY_BYTES), handle);
    Memory.putInt(record + SHAPE, shape | SPILLED);
  }

  /** Writes all but the key and the value. */
  static void writeHeader(
      long record,
      Attributes attributes,
      boolean logged,
      int extra,
      int keyLength,
      int keyForm,
      int valueLength,
      int valueForm) {
    int shape =
        options(attributes, logged, extra)
            | (valueForm << VALUE_FORM_SHIFT)
            | (keyForm << KEY_FORM_SHIFT)
            | keyLength;
    Memory.putInt(record + VALUE_LENGTH, valueLength);
    Memory.putInt(record + SHAPE, shape);
    Memory.putInt(record + VERSION, attributes.version);
    Memory.putInt(
        record + TENANT,
        (Math.clamp(attributes.frequency, 0, MOST_USES) << 24) | (attributes.tenant & MOST_TENANT));
    Memory.putInt(record + LAST_ACCESS, attributes.lastAccessSeconds);
    if ((shape & EXPIRY) != 0) {
      Memory.putInt(record + NOTE, 0);
      Memory.putLong(record + EXPIRES_AT, attributes.expiresAt);
      Memory.putLong(record + LAST_UPDATE, attributes.lastUpdate);
    }
    if ((shape & IDLE) != 0) {
      Memory.putLong(record + TIME_TO_LIVE, attributes.timeToLive);
      Memory.putLong(record + MAX_IDLE, attributes.maxIdle);
    }
    setCreationSeconds(record, attributes.creationSeconds);
    setLastUpdateSeconds(record, attributes.lastUpdateSeconds);
    setLastStoredSeconds(record, attributes.lastStoredSeconds);
    setHits(record, attributes.hits);
    if (logged) {
      setLogPosition(record, 0);
    }
    if ((shape & EXTRA) != 0) {
      Memory.putInt(record + keyOffset(shape) - EXTRA_BYTES, extra);
    }
  }

  /** Returns whether a record has the options that these attributes need for an expiry. */
  static boolean hasExpiryShapeFor(long record, Attributes attributes) {
    int needed = options(attributes, false, 0) & (EXPIRY | IDLE);
    return (shape(record) & needed) == needed;
  }

  /**
   * Writes the expiry of a record that has the shape for it. What does not expire keeps nothing of
   * it, as if it had no room for it.
   */
  static void putExpiry(long record, Attributes attributes) {
    int shape = shape(record);
    if ((shape & EXPIRY) == 0) {
      return;
    }
    boolean expires = attributes.expires();
    Memory.putLongOpaque(record + LAST_UPDATE, expires ? attributes.lastUpdate : 0);
    if ((shape & IDLE) != 0) {
      Memory.putLongOpaque(
          record + TIME_TO_LIVE, expires ? attributes.timeToLive : Attributes.NEVER);
      Memory.putLongOpaque(record + MAX_IDLE, expires ? attributes.maxIdle : Attributes.NEVER);
    }
    Memory.putLongOpaque(record + EXPIRES_AT, attributes.expiresAt);
  }

  private static int options(Attributes attributes, boolean logged, int extra) {
    return (attributes.expires() ? EXPIRY : 0)
        | (attributes.idles() ? IDLE : 0)
        | (attributes.statistics ? STATISTICS : 0)
        | (logged ? LOGGED : 0)
        | (extra != 0 ? EXTRA : 0);
  }

  private static int keyOffset(int shape) {
    return HEADER_BYTES
        + ((shape & EXPIRY) != 0 ? EXPIRY_BYTES : 0)
        + ((shape & IDLE) != 0 ? IDLE_BYTES : 0)
        + ((shape & STATISTICS) != 0 ? STATISTICS_BYTES : 0)
        + ((shape & LOGGED) != 0 ? LOGGED_BYTES : 0)
        + ((shape & EXTRA) != 0 ? EXTRA_BYTES : 0);
  }

  private static int statistic(long record, int offset) {
    int shape = shape(record);
    return (shape & STATISTICS) != 0
        ? Memory.getIntOpaque(record + statisticsOffset(shape) + offset)
        : 0;
  }

  private static void setStatistic(long record, int offset, int value) {
    int shape = shape(record);
    if ((shape & STATISTICS) != 0) {
      Memory.putIntOpaque(record + statisticsOffset(shape) + offset, value);
    }
  }

  private static int logOffset(int shape) {
    return statisticsOffset(shape) + ((shape & STATISTICS) != 0 ? STATISTICS_BYTES : 0);
  }

  private static int statisticsOffset(int shape) {
    return HEADER_BYTES
        + ((shape & EXPIRY) != 0 ? EXPIRY_BYTES : 0)
        + ((shape & IDLE) != 0 ? IDLE_BYTES : 0);
  }

  private static int shape(long record) {
    return Memory.getInt(record + SHAPE);
  }
}
