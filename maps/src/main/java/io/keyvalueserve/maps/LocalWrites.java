package io.keyvalueserve.maps;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.internal.util.TimeStripUtil;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.eviction.EvictorImpl;
import com.hazelcast.spi.impl.eventservice.EventService;
import io.keyvalueserve.engine.DirectMap.ValueSink;
import io.keyvalueserve.engine.StagedValue;
import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.memory.Pin;
import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.Records;
import io.keyvalueserve.store.StagedRecord;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes to a map's entries on this member by any thread, with the partition's lock, if nobody has
 * it. What only an operation can do is left to operations: telling backups, listeners, near caches,
 * indexes and external stores, waiting for locks or for the disk, evicting.
 */
final class LocalWrites {
  /** The size that is assumed for a change whose size is not known. */
  private static final int MOST_BYTES_UNKNOWN = 64 << 10;

  private static final int DISK_THREADS = 2;

  private static final int DISK_THREAD_IDLE_SECONDS = 10;

  /**
   * The executor for tasks that wait for the disk. Its threads are never interrupted, because an
   * interrupt would close the file.
   */
  private static final Executor DISK = diskThreads();

  private static final int MOST_SPINS = 100;

  private final LocalMaps maps;
  private final String name;
  private final LocalStores stores;
  private final Ownership ownership;
  private final EventService events;
  private final CoarseClock clock;
  private final @Nullable UncertainRecords uncertain;
  private final int tenant;

  /**
   * @param uncertain gets what the caller has to wait for before it answers; null if it will not
   *     wait
   * @param tenant the number of who writes
   */
  LocalWrites(
      LocalMaps maps,
      String name,
      LocalStores stores,
      @Nullable UncertainRecords uncertain,
      int tenant) {
    this.uncertain = uncertain;
    this.tenant = tenant;
    this.maps = maps;
    this.name = name;
    this.stores = stores;
    this.ownership = maps.ownership();
    this.clock = maps.clock();
    this.events = maps.context().getNodeEngine().getEventService();
  }

  /**
   * Writes an entry. Key and value are given as they are kept.
   *
   * @param key has the key
   * @param partitionHash the key's own, 0 if it has none
   * @param value has the value; may be the same array
   * @param expiresAt {@link Attributes#NEVER} for never
   * @param previous gets the serialized value before; null if nobody wants it
   * @return the length of the serialized value before, or what {@link LocalMap} says
   */
  int write(
      int partition,
      byte[] key,
      int keyOffset,
      int keyLength,
      int keyForm,
      int partitionHash,
      byte[] value,
      int valueOffset,
      int valueLength,
      int valueForm,
      long expiresAt,
      @Nullable ValueSink previous) {
    PartitionLock lock = stores.lock(partition);
    if (!lock.tryEnter()) {
      return LocalMap.NOT_NOW;
    }
    try {
      NativeRecordStore store = writable(lock, partition, keyLength, valueLength, false);
      if (store == null) {
        return LocalMap.NOT_NOW;
      }
      NativeEntries entries = store.entries();
      long _ = lock.beginHolding();
      long old = entries.find(key, keyOffset, keyLength, keyForm);
      int result = old == 0 ? LocalMap.MISSING : before(store, old, previous);
      if (result == LocalMap.NOT_NOW) {
        return LocalMap.NOT_NOW;
      }
      if (old != 0 && expiresAt == Attributes.NEVER && !Records.expires(old)) {
        int version = Records.version(old) + 1;
        int charged = store.charging().tenant(Records.tenant(old));
        long next = entries.replaceValue(old, value, valueOffset, valueLength, valueForm, charged);
        Records.setVersion(next, version);
      } else {
        Attributes attributes = attributes(store, old, expiresAt);
        long _ =
            entries.put(
                key,
                keyOffset,
                keyLength,
                keyForm,
                partitionHash,
                value,
                valueOffset,
                valueLength,
                valueForm,
                attributes);
      }
      wrote(store, partition, expiresAt);
      takeNote(partition, lock.held());
      return result;
    } catch (OutOfNativeMemoryException | HazelcastException e) {
      return LocalMap.NOT_NOW; // nothing was changed; an operation will see what can be done
    } finally {
      lock.exit();
    }
  }

  /**
   * Makes room for a value that is still to come.
   *
   * @return null if it cannot be at once
   */
  @Nullable StagedValue stage(int partition, int keyLength, int valueLength, boolean expires) {
    PartitionLock lock = stores.lock(partition);
    if (!lock.tryEnter()) {
      return null;
    }
    try {
      NativeRecordStore store = writable(lock, partition, keyLength, valueLength, true);
      return store == null
          ? null
          : new StagedEntry(store.entries().stage(keyLength, valueLength, expires), null, DISK);
    } catch (OutOfNativeMemoryException | HazelcastException e) {
      return null; // an operation will see what can be done
    } finally {
      lock.exit();
    }
  }

  /**
   * Has an entry whose value has come written ahead by the log, if that wants it.
   *
   * @return the value to write, in the place of the given one: without a draft if it could not be
   *     drafted; null if there is nothing to be done
   */
  @Nullable CompletionStage<StagedValue> draft(
      int partition, byte[] key, int keyForm, StagedEntry value, long expiresAt) {
    PartitionLock lock = stores.lock(partition);
    if (!lock.tryEnter()) {
      return null;
    }
    StagedRecord staged = value.record();
    Supplier<EntryLog.Draft> drafting;
    try {
      NativeRecordStore store = writable(lock, partition, key.length, staged.valueLength(), true);
      if (store == null || !store.entries().isDrafted(key.length + staged.valueLength())) {
        return null;
      }
      NativeEntries entries = store.entries();
      Attributes attributes =
          attributes(store, entries.find(key, 0, key.length, keyForm), expiresAt);
      if (!entries.takes(staged, key.length, attributes)) {
        return null;
      }
      drafting = entries.drafting(staged, key, keyForm, DataForm.BYTES, attributes);
    } catch (HazelcastException e) {
      return null; // as above
    } finally {
      lock.exit();
    }
    return CompletableFuture.supplyAsync(new Drafting(staged, drafting), DISK);
  }

  private static Executor diskThreads() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            DISK_THREADS,
            DISK_THREADS,
            DISK_THREAD_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("kvs-draft-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /** Writes an entry ahead. */
  private static final class Drafting implements Supplier<StagedValue> {
    private final StagedRecord staged;
    private final Pin pin;
    private final Supplier<EntryLog.Draft> drafting;

    Drafting(StagedRecord staged, Supplier<EntryLog.Draft> drafting) {
      this.staged = staged;
      this.pin = staged.hold();
      this.drafting = drafting;
    }

    @Override
    public StagedValue get() {
      EntryLog.Draft draft = null;
      try {
        draft = drafting.get();
      } catch (RuntimeException | OutOfMemoryError e) {
        // an operation will say what is wrong
      } finally {
        pin.release();
      }
      return new StagedEntry(staged, draft, DISK);
    }
  }

  /**
   * Writes an entry whose value has come, as {@link #write}.
   *
   * @param value stays as it is if this returns false
   * @return whether it did
   */
  boolean writeStaged(int partition, byte[] key, int keyForm, StagedEntry value, long expiresAt) {
    PartitionLock lock = stores.lock(partition);
    if (!lock.tryEnter()) {
      return false;
    }
    try {
      StagedRecord staged = value.record();
      int length = staged.valueLength();
      NativeRecordStore store = writable(lock, partition, key.length, length, true);
      if (store == null) {
        return false;
      }
      NativeEntries entries = store.entries();
      if (entries.isDrafted(key.length + length) != (value.draft() != null)) {
        return false;
      }
      long _ = lock.beginHolding();
      long old = entries.find(key, 0, key.length, keyForm);
      if (old != 0 && before(store, old, null) == LocalMap.NOT_NOW) {
        return false;
      }
      Attributes attributes = attributes(store, old, expiresAt);
      if (!entries.takes(staged, key.length, attributes)) {
        return false;
      }
      long _ = entries.putStaged(key, keyForm, staged, value.draft(), DataForm.BYTES, attributes);
      wrote(store, partition, expiresAt);
      takeNote(partition, lock.held());
      return true;
    } catch (OutOfNativeMemoryException | HazelcastException e) {
      return false; // nothing was changed; an operation will see what can be done
    } finally {
      lock.exit();
    }
  }

  /**
   * The entries of a partition, if an entry with so long a key and value may be written to them,
   * and that is nothing but a write. With the partition's lock.
   *
   * @param ahead whether the log has the entry already, if it wants such entries drafted
   */
  private @Nullable NativeRecordStore writable(
      PartitionLock lock, int partition, int keyLength, int valueLength, boolean ahead) {
    NativeRecordStore store = stores.find(partition);
    if (store == null) {
      return null;
    }
    lock.writeFor(tenant);
    TenantHoldings usage = store.charging().usage();
    int bytes = keyLength + valueLength;
    int toLog = ahead && store.entries().isDrafted(bytes) ? keyLength : bytes;
    return mayWrite(store, partition, usage)
            && maps.maps().reserve().isWhole()
            && (usage == null || usage.mayWrite(valueLength))
            && store.entries().takesAtOnce(toLog, uncertain != null)
        ? store
        : null;
  }

  /** Those of an entry that is written in the place of another, or of none. */
  private Attributes attributes(NativeRecordStore store, long old, long expiresAt) {
    Attributes attributes = store.entries().attributes();
    if (old == 0) {
      attributes.clear();
      attributes.lastAccessSeconds = TimeStripUtil.stripBaseTime(clock.millis());
    } else {
      attributes.of(old);
      attributes.version++;
    }
    attributes.tenant = store.charging().tenant(attributes.tenant);
    setExpiry(attributes, expiresAt);
    return attributes;
  }

  /** The caller is not to answer before the log is certain up to there, if it has to be. */
  private void takeNote(int partition, long position) {
    if (position != 0 && uncertain != null) { // null if that has just been asked for
      uncertain.add(partition, position);
    }
  }

  /** Looks at what is there before it is replaced. */
  private int before(NativeRecordStore store, long old, @Nullable ValueSink previous) {
    if (previous != null) {
      int length = LocalReads.part(store, old, LocalReads.Part.DATA, previous, clock);
      return length == LocalMap.MISSING ? LocalMap.NOT_NOW : length; // has just expired
    }
    if (Records.expires(old)
        && (Records.expiresAt(old) <= Clock.currentTimeMillis()
            || Records.maxIdle(old) != Attributes.NEVER)) {
      return LocalMap.NOT_NOW;
    }
    LocalReads.touch(store, old, clock.millis());
    return Records.valueLength(old);
  }

  private static void setExpiry(Attributes attributes, long expiresAt) {
    boolean expires = expiresAt != Attributes.NEVER;
    long now = expires ? Clock.currentTimeMillis() : 0;
    attributes.expiresAt = WireExpiry.expiration(Attributes.NEVER, expiresAt);
    attributes.timeToLive = expires ? attributes.expiresAt - now : Attributes.NEVER;
    attributes.maxIdle = Attributes.NEVER;
    attributes.lastUpdate = now;
  }

  private void wrote(NativeRecordStore store, int partition, long expiresAt) {
    NativeMapContainer container = store.container();
    ownership.wrote(partition, container.getObjectNamespace(), container.backups());
    store.getLocalRecordStoreStats().setLastUpdateTime(clock.millis());
    if (expiresAt != Attributes.NEVER) {
      maps.context().getExpirationManager().scheduleExpirationTask();
    }
  }

  /**
   * Has the partition for itself, to change it as an operation would. {@link #end} has to follow.
   *
   * @return null if that cannot be; then nothing has to follow
   */
  @Nullable NativeRecordStore begin(int partition) {
    NativeRecordStore store = stores.lock(partition).tryEnter() ? entered(partition) : null;
    if (store != null && store.getLockedEntryCount() > 0) {
      stores.lock(partition).exit();
      return null;
    }
    if (store != null) {
      stores.lock(partition).markRepeatable();
    }
    return store;
  }

  /** The pages behind a partition that was begun; null if they cannot be had at once. */
  @Nullable NativeRecordStore pages(NativeRecordStore store) {
    NativeRecordStore pages = store.pages(false);
    return pages != null
            && !pages.entries().isClosed()
            && pages.entries().takesAtOnce(MOST_BYTES_UNKNOWN, uncertain != null)
        ? pages
        : null;
  }

  /** The same for a transaction of several partitions, whose changes may not fail. */
  @Nullable NativeRecordStore beginTransaction(int partition) {
    NativeRecordStore store = enterSoon(stores.lock(partition)) ? entered(partition) : null;
    if (store != null && (store.container().isLogged() || !store.hasRoom())) {
      stores.lock(partition).exit();
      return null;
    }
    return store;
  }

  /**
   * Tries to have a partition, for some microseconds: others have it for less, and the other way is
   * slow.
   */
  private static boolean enterSoon(PartitionLock lock) {
    for (int i = 0; i < MOST_SPINS; i++) {
      if (lock.tryEnter()) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /**
   * Returns the store of a partition that was entered; null if it was left, as it cannot be used.
   */
  private @Nullable NativeRecordStore entered(int partition) {
    PartitionLock lock = stores.lock(partition);
    lock.writeFor(tenant);
    NativeRecordStore store = stores.find(partition);
    if (store != null
        && mayWriteUnlocked(store, partition, store.charging().usage())
        && store.entries().spilled().isEmpty()
        && store.entries().takesAtOnce(MOST_BYTES_UNKNOWN, uncertain != null)) {
      long _ = lock.beginHolding();
      return store;
    }
    lock.exit();
    return null;
  }

  /** Ends what {@link #begin} began. */
  void end(int partition, NativeRecordStore store, boolean wrote) {
    PartitionLock lock = stores.lock(partition);
    if (wrote) {
      NativeMapContainer container = store.container();
      ownership.wrote(partition, container.getObjectNamespace(), container.backups());
    }
    takeNote(partition, lock.held());
    lock.exit();
  }

  /**
   * Returns whether a write needs nothing but a change in memory. The caller holds the partition's
   * lock.
   *
   * @param usage of the tenant that the write counts for
   */
  private boolean mayWrite(NativeRecordStore store, int partition, @Nullable TenantHoldings usage) {
    return store.getLockedEntryCount() == 0 && mayWriteUnlocked(store, partition, usage);
  }

  /** Returns the same for keys that nobody has locked. */
  private boolean mayWriteUnlocked(
      NativeRecordStore store, int partition, @Nullable TenantHoldings usage) {
    NativeMapContainer container = store.container();
    return container.isWrittenDirectly()
        && container.external() == null
        && !MemoryPressure.holds(container, usage)
        && ownership.mayWrite(partition, container.backups())
        && !(container.getEvictor() instanceof EvictorImpl)
        && container.getInterceptorRegistry().getInterceptors().isEmpty()
        && !container.getGlobalIndexRegistry().haveAtLeastOneIndex()
        && !container.hasInvalidationListener()
        && !events.hasEventRegistration(MapService.SERVICE_NAME, name);
  }
}
