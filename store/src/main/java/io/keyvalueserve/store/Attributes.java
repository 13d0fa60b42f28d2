package io.keyvalueserve.store;

/**
 * The attributes of a record besides its key and value, on its way into or out of memory. Mutable,
 * to be reused; owned by one thread.
 *
 * <p>Times that say "when" are milliseconds since 1970 unless they say seconds; {@link #NEVER}
 * stands for never.
 */
public final class Attributes {
  /** No expiry, no limit. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The number of times that the record was changed, as the engine counts it. */
  public int version;

  /** The number of the tenant that the record counts to: 0 to {@link Records#MOST_TENANT}. */
  public int tenant;

  /** A counter of uses that saturates: 0 to 255. */
  public int frequency;

  /** The time when it was last used, in seconds, as the caller counts them. */
  public int lastAccessSeconds;

  /** The time when it expires. */
  public long expiresAt = NEVER;

  /** The time that its expiry was last computed from; kept only if it expires. */
  public long lastUpdate;

  /** The time that it lives from its last update, in milliseconds; kept only if it expires. */
  public long timeToLive = NEVER;

  /** The time that it lives from its last use, in milliseconds; kept only if it expires. */
  public long maxIdle = NEVER;

  /** True if the statistics below are kept. */
  public boolean statistics;

  /** The time when it was created, in seconds, as the caller counts them. */
  public int creationSeconds;

  /** The time when it was last updated, in seconds, as the caller counts them. */
  public int lastUpdateSeconds;

  /** The time when it was last stored elsewhere, in seconds, as the caller counts them. */
  public int lastStoredSeconds;

  /** The number of its uses. */
  public int hits;

  /** Takes those of a record in memory. */
  public Attributes of(long record) {
    version = Records.version(record);
    tenant = Records.tenant(record);
    frequency = Records.frequency(record);
    lastAccessSeconds = Records.lastAccessSeconds(record);
    expiresAt = Records.expiresAt(record);
    lastUpdate = Records.lastUpdate(record);
    timeToLive = Records.timeToLive(record);
    maxIdle = Records.maxIdle(record);
    statistics = Records.hasStatistics(record);
    creationSeconds = Records.creationSeconds(record);
    lastUpdateSeconds = Records.lastUpdateSeconds(record);
    lastStoredSeconds = Records.lastStoredSeconds(record);
    hits = Records.hits(record);
    return this;
  }

  /** Sets the attributes of a record that nobody has used yet. */
  public Attributes clear() {
    version = 0;
    tenant = 0;
    frequency = 0;
    lastAccessSeconds = 0;
    expiresAt = NEVER;
    lastUpdate = 0;
    timeToLive = NEVER;
    maxIdle = NEVER;
    statistics = false;
    creationSeconds = 0;
    lastUpdateSeconds = 0;
    lastStoredSeconds = 0;
    hits = 0;
    return this;
  }

  boolean expires() {
    return expiresAt != NEVER;
  }

  boolean idles() {
    return expires() && maxIdle != NEVER;
  }
}
