package io.keyvalueserve.maps;

import static com.hazelcast.map.impl.ExpirationTimeSetter.nextExpirationTime;
import static com.hazelcast.map.impl.ExpirationTimeSetter.pickMaxIdleMillis;
import static com.hazelcast.map.impl.ExpirationTimeSetter.pickTTLMillis;
import static com.hazelcast.map.impl.record.Record.UNSET;

import com.hazelcast.config.MapConfig;
import com.hazelcast.internal.eviction.ClearExpiredRecordsTask;
import com.hazelcast.internal.eviction.ExpiredKey;
import com.hazelcast.internal.nearcache.impl.invalidation.InvalidationQueue;
import com.hazelcast.internal.nio.Disposable;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.MapContainer;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.map.impl.recordstore.expiry.ExpiryMetadata;
import com.hazelcast.map.impl.recordstore.expiry.ExpiryReason;
import com.hazelcast.map.impl.recordstore.expiry.ExpirySystem;
import com.hazelcast.spi.properties.ClusterProperty;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.ExpiryVisitor;
import io.keyvalueserve.store.Records;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Knows when the entries of a partition of a map expire: to the millisecond, in the records
 * themselves, nothing on the heap. The rules are Hazelcast's. Backups expire later than primaries,
 * and not by idleness if the primary tells them which keys have. A locked entry does not expire.
 *
 * <p>Entries that expire without being touched are known to the table's timing wheel: {@link
 * ExpiryRounds} has them removed.
 *
 * <p>Written by the partition's thread. Any thread may ask whether an entry has expired.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // as Hazelcast's own
final class NativeExpiry implements ExpirySystem {
  private static final int MOST_EXPIRED_AT_ONCE = 64;
  private static final long MOST_NANOS_PER_ROUND = 1_000_000;

  /**
   * The number of records that a write over the quota looks at in search of expired ones. {@link
   * #PAUSE_FOR_QUOTA_MILLIS} is the pause after a full round without any.
   */
  private static final int LOOKED_AT_FOR_QUOTA = 4_096;

  private static final long PAUSE_FOR_QUOTA_MILLIS = 100;

  /** The time after which an entry that is locked, or could not be removed, is looked at again. */
  private static final long LATER_MILLIS = 1_000;

  /**
   * The time after which an entry that the owner should report as expired is looked at again, in
   * case it never does.
   */
  private static final long MUCH_LATER_MILLIS = 60_000;

  private final RecordStore store;
  private final MapContainer container;
  private final MapServiceContext context;
  private final ClearExpiredRecordsTask task;
  private final long backupDelayMillis;
  private final boolean primaryTellsIdle;
  private final InvalidationQueue<ExpiredKey> expiredKeys = new InvalidationQueue<>();

  private @Nullable NativeEntries entries;
  private @Nullable Relief relief;

  // Where a write that is over the quota goes on to look, and from when on.
  private long quotaCursor;
  private long quotaLookMillis;

  /** Runs while the store is being constructed: the entries come later. */
  NativeExpiry(RecordStore store, MapContainer container) {
    this.store = store;
    this.container = container;
    this.context = container.getMapServiceContext();
    this.task = context.getExpirationManager().getTask();
    this.backupDelayMillis =
        context.getNodeEngine().getProperties().getMillis(ClusterProperty.MAP_EXPIRY_DELAY_SECONDS);
    this.primaryTellsIdle = context.getClearExpiredRecordsTask().canPrimaryDriveExpiration();
  }

  /** Sets the entries whose expiry this is. To be called once, before anything else. */
  void over(NativeEntries entries, Relief relief) {
    this.entries = entries;
    this.relief = relief;
  }

  /** The expiry of a record, which must be readable. */
  static ExpiryMetadata snapshot(long record) {
    return Records.expires(record)
        ? new WireExpiry(
            Records.timeToLive(record),
            Records.maxIdle(record),
            Records.expiresAt(record),
            Records.lastUpdate(record))
        : ExpiryMetadata.NULL;
  }

  /**
   * Begins the idle time of a record anew, if that is what its expiry depends on. By the writer.
   *
   * @param record readable
   * @param nowMillis since 1970, taken as the time of its last use
   */
  static void beginIdling(long record, long nowMillis) {
    long maxIdle = Records.maxIdle(record);
    long ttl = Records.timeToLive(record);
    if (maxIdle != Attributes.NEVER && maxIdle < ttl) {
      long expiresAt = nextExpirationTime(ttl, maxIdle, nowMillis, Records.lastUpdate(record));
      Records.setExpiresAt(record, Math.min(expiresAt, WireExpiry.LATEST));
    }
  }

  @Override
  public boolean isEmpty() {
    return entries().expiring() == 0;
  }

  @Override
  public ExpiryMetadata getExpiryMetadata(Data key) {
    if (isEmpty()) {
      return ExpiryMetadata.NULL;
    }
    NativeEntries entries = entries();
    int guard = entries.enter();
    try {
      long record = entries.find(key);
      return record == 0 ? ExpiryMetadata.NULL : snapshot(record);
    } finally {
      entries.exit(guard);
    }
  }

  @Override
  public ExpiryReason hasExpired(Data key, long now, boolean backup) {
    if (isEmpty()) {
      return ExpiryReason.NOT_EXPIRED;
    }
    NativeEntries entries = entries();
    int guard = entries.enter();
    try {
      long record = entries.find(key);
      return record == 0 ? ExpiryReason.NOT_EXPIRED : hasExpired(record, now, backup);
    } finally {
      entries.exit(guard);
    }
  }

  private ExpiryReason hasExpired(long record, long now, boolean backup) {
    long expiresAt = Records.expiresAt(record);
    if (expiresAt == Attributes.NEVER || (backup ? now - backupDelayMillis : now) < expiresAt) {
      return ExpiryReason.NOT_EXPIRED;
    }
    boolean idle = Records.maxIdle(record) <= Records.timeToLive(record);
    if (idle && backup && primaryTellsIdle) {
      return ExpiryReason.NOT_EXPIRED;
    }
    return idle ? ExpiryReason.MAX_IDLE_SECONDS : ExpiryReason.TTL;
  }

  @Override
  public void add(Data key, ExpiryMetadata expiry, long now) {
    if (!expiry.hasExpiry()) {
      set(key, Attributes.NEVER, Attributes.NEVER, Attributes.NEVER, 0);
      return;
    }
    add(
        key,
        expiry.getTtl(),
        expiry.getMaxIdle(),
        expiry.getExpirationTime(),
        expiry.getLastUpdateTime(),
        now);
  }

  @Override
  public void add(Data key, long lastUpdateTime, long now) {
    add(key, UNSET, UNSET, UNSET, lastUpdateTime, now);
  }

  @Override
  public void add(Data key, long ttl, long maxIdle, long expiryTime, long lastUpdate, long now) {
    Attributes times = times(ttl, maxIdle, expiryTime, lastUpdate, now, entries().attributes());
    set(key, times.expiresAt, times.timeToLive, times.maxIdle, times.lastUpdate);
  }

  /**
   * Computes the times of an entry: as {@link #add} is told, or as the map's configuration says.
   */
  Attributes times(
      long ttl, long maxIdle, long expiryTime, long lastUpdate, long now, Attributes into) {
    long timeToLive = ttl;
    long idle = maxIdle;
    long expiresAt = expiryTime;
    long updated = lastUpdate;
    if (expiresAt <= 0) {
      MapConfig config = container.getMapConfig();
      timeToLive = pickTTLMillis(config, ttl);
      idle = pickMaxIdleMillis(config, maxIdle);
      expiresAt = WireExpiry.known(nextExpirationTime(timeToLive, idle, now, lastUpdate));
    }
    into.expiresAt = WireExpiry.expiration(idle, expiresAt);
    into.timeToLive = timeToLive <= 0 ? Attributes.NEVER : timeToLive;
    into.maxIdle = WireExpiry.maxIdle(idle);
    if (into.maxIdle == Attributes.NEVER
        && into.expiresAt != Attributes.NEVER
        && into.timeToLive < into.expiresAt) {
      updated = into.expiresAt - into.timeToLive; // the one that may have been rounded
    }
    into.lastUpdate = updated;
    if (into.expiresAt != Attributes.NEVER) {
      context.getExpirationManager().scheduleExpirationTask();
    }
    return into;
  }

  private void set(Data key, long expiresAt, long ttl, long maxIdle, long lastUpdate) {
    NativeEntries entries = entries();
    for (int attempt = 0; ; attempt++) {
      long record = entries.find(key);
      if (record == 0) {
        return;
      }
      try {
        long _ = entries.setExpiry(record, expiresAt, ttl, maxIdle, lastUpdate);
        return;
      } catch (OutOfNativeMemoryException e) {
        relief().makeRoom(key, attempt, e);
      }
    }
  }

  /** Removes the expiry of an entry that lives on. A removed entry takes its expiry with it. */
  @Override
  public void removeKeyFromExpirySystem(Data key) {
    if (!isEmpty()) {
      set(key, Attributes.NEVER, Attributes.NEVER, Attributes.NEVER, 0);
    }
  }

  @Override
  public long calculateExpirationTime(long ttl, long maxIdle, long now, long lastUpdateTime) {
    MapConfig config = container.getMapConfig();
    return nextExpirationTime(
        pickTTLMillis(config, ttl), pickMaxIdleMillis(config, maxIdle), now, lastUpdateTime);
  }

  @Override
  public void extendExpiryTime(Data key, long now) {
    if (isEmpty()) {
      return;
    }
    NativeEntries entries = entries();
    int guard = entries.enter();
    try {
      long record = entries.find(key);
      if (record != 0) {
        beginIdling(record, now);
      }
    } finally {
      entries.exit(guard);
    }
  }

  @Override
  public void evictExpiredEntries(int percentage, long now, boolean backup) {
    boolean _ = evictExpired(now, backup);
  }

  /**
   * Removes entries that have expired, for a millisecond at most. By the partition's thread.
   *
   * @param now the time, in milliseconds since 1970
   * @param backup whether another member owns the partition
   * @return whether there are more
   */
  boolean evictExpired(long now, boolean backup) {
    NativeEntries entries = entries();
    if (entries.isLoading() || entries.expiring() == 0) {
      return false;
    }
    long begin = System.nanoTime();
    Round round = new Round(now, backup);
    boolean more = true;
    while (more && System.nanoTime() - begin < MOST_NANOS_PER_ROUND) {
      more = entries.expire(now, MOST_EXPIRED_AT_ONCE, round);
      round.evict();
    }
    tellBackups();
    return more;
  }

  /**
   * Tells of all entries that have expired, however many there are, and removes them. By the
   * partition's thread.
   *
   * @param backup whether another member owns the partition
   */
  void evictAllExpired(boolean backup) {
    NativeEntries entries = entries();
    if (entries.expiring() == 0) {
      return;
    }
    Round round = new Round(System.currentTimeMillis(), backup);
    for (long cursor = 0; cursor >= 0; ) {
      cursor =
          entries.scan(
              cursor,
              record -> {
                long _ = round.visit(record);
              });
    }
    round.evict();
    if (!backup) {
      tellBackups();
    }
  }

  /**
   * Removes some entries that have expired, in favour of a write that the quota has no room for.
   * Looks at a bounded number of entries, and not again for a while if none of them has expired. By
   * who has the partition, on its thread.
   *
   * @param written stays
   * @return whether some were removed
   */
  boolean evictExpiredFor(Data written) {
    NativeEntries entries = entries();
    long now = System.currentTimeMillis();
    if (entries.isLoading() || entries.expiring() == 0 || now < quotaLookMillis) {
      return false;
    }
    Round round = new Round(now, false);
    int[] looked = {0};
    int guard = entries.enter();
    try {
      do {
        quotaCursor =
            entries.scanLoaded(
                quotaCursor,
                record -> {
                  looked[0]++;
                  if (Records.expiresAt(record) <= now && !DataForm.key(record).equals(written)) {
                    long _ = round.visit(record);
                  }
                });
      } while (quotaCursor > 0
          && looked[0] < LOOKED_AT_FOR_QUOTA
          && round.size() < MOST_EXPIRED_AT_ONCE);
    } finally {
      entries.exit(guard);
    }
    quotaCursor = Math.max(0, quotaCursor);
    if (round.size() == 0) {
      quotaLookMillis = now + (quotaCursor == 0 ? PAUSE_FOR_QUOTA_MILLIS : 0);
      return false;
    }
    round.evict();
    return true;
  }

  @Override
  public InvalidationQueue<ExpiredKey> getExpiredKeys() {
    return expiredKeys;
  }

  @Override
  public void accumulateOrSendExpiredKey(@Nullable Data key, long valueHash) {
    if (container.getTotalBackupCount() == 0) {
      return;
    }
    if (key != null) {
      boolean _ = expiredKeys.offer(new ExpiredKey(key, valueHash));
    }
    tellBackups();
  }

  private void tellBackups() {
    if (container.getTotalBackupCount() > 0) {
      task.tryToSendBackupExpiryOp(store, true);
    }
  }

  /** The expiries are the entries': they go when these do, which is what comes next. */
  @Override
  public void clear() {}

  @Override
  public Disposable createDisposable() {
    return EMPTY_DISPOSABLE;
  }

  private NativeEntries entries() {
    if (entries == null) {
      throw new IllegalStateException("the record store is still being constructed");
    }
    return entries;
  }

  private Relief relief() {
    if (relief == null) {
      throw new IllegalStateException("the record store is still being constructed");
    }
    return relief;
  }

  /** One look for entries that have expired. */
  private final class Round implements ExpiryVisitor {
    private final long now;
    private final boolean backup;
    private final List<Expired> expired = new ArrayList<>();

    Round(long now, boolean backup) {
      this.now = now;
      this.backup = backup;
    }

    @Override
    public long visit(long record) {
      ExpiryReason reason = hasExpired(record, now, backup);
      if (reason == ExpiryReason.NOT_EXPIRED) {
        long at = Records.expiresAt(record) + backupDelayMillis;
        return backup && at > now ? at : now + MUCH_LATER_MILLIS;
      }
      Data key = DataForm.key(record);
      if (store.isLocked(key)) {
        return now + LATER_MILLIS;
      }
      expired.add(new Expired(key, reason));
      return Attributes.NEVER;
    }

    int size() {
      return expired.size();
    }

    /** Removes what was found; whatever could not be removed is looked at again later. */
    void evict() {
      int done = 0;
      try {
        for (Expired each : expired) {
          store.evictExpiredEntryAndPublishExpiryEvent(each.key(), each.reason(), backup);
          done++;
        }
      } finally {
        for (Expired each : expired.subList(done, expired.size())) {
          entries().expireLater(each.key(), now + LATER_MILLIS, now);
        }
        expired.clear();
      }
    }
  }

  private record Expired(Data key, ExpiryReason reason) {}
}
