package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.map.impl.mapstore.MapDataStore;
import com.hazelcast.map.impl.mapstore.writebehind.TxnReservedCapacityCounter;
import com.hazelcast.map.impl.mapstore.writebehind.entry.DelayedEntry;
import io.keyvalueserve.maps.external.ExternalMap;
import io.keyvalueserve.maps.external.Loaded;
import io.keyvalueserve.maps.external.QueuedWrite;
import io.keyvalueserve.store.Records;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Takes what Hazelcast's record store tells the external store of one partition of a map. Writes go
 * to the {@link WriteQueue}. Loads never happen here: {@link DeferredOperations} has loaded what an
 * operation needs before it runs. Does nothing while the map has no external store. By who has the
 * partition, unless said otherwise.
 */
final class ExternalDataStore implements MapDataStore<Data, Object> {
  /** Longer than anything that was read is on its way, but for rows of a long scan. */
  private static final long OVERTAKEN_MILLIS = 10 * 60 * 1_000;

  private final NativeMapContainer container;
  private final TimedKeys absent = new TimedKeys();

  /** The keys whose rows were changed by others: what was read of them before does not hold. */
  private final TimedKeys overtaken = new TimedKeys();

  /** Moves on when all that was read before does not hold. */
  private int readings;

  /** The keys that were not loaded, while those who waited for them run. */
  private final Map<Data, RuntimeException> failed = new HashMap<>();

  /** The keys that are absent, while those who waited for them run. */
  private final Set<Data> answered = new HashSet<>();

  /** The number of writes that somebody waits for. Changed by any thread. */
  private final AtomicInteger writing = new AtomicInteger();

  private @Nullable NativeRecordStore store;
  private @Nullable WriteQueue queue;

  /** The write that the last one has replaced; null if there was none. */
  private @Nullable QueuedWrite replaced;

  /** The key of the last write until its entry is in memory; null if there is nothing to undo. */
  private @Nullable Data undoable;

  ExternalDataStore(NativeMapContainer container) {
    this.container = container;
  }

  /** Called once, before anything else. */
  void attach(NativeRecordStore made) {
    store = made;
    queue = new WriteQueue(made);
  }

  WriteQueue queue() {
    return Objects.requireNonNull(queue);
  }

  private NativeRecordStore store() {
    return Objects.requireNonNull(store);
  }

  /**
   * Returns whether a write that somebody waits for is under way: what is in memory may be refused
   * by the store. Any thread may call this.
   */
  boolean isWriting() {
    return writing.get() != 0;
  }

  // ---- loads

  /**
   * Returns whether the external store has to be asked for a key, because neither memory nor the
   * queue knows it.
   */
  boolean isToBeLoaded(Data key, long nowMillis) {
    return !isPresent(key, nowMillis)
        && !absent.has(key, nowMillis)
        && !answered.contains(key)
        && !failed.containsKey(key);
  }

  private boolean isPresent(Data key, long nowMillis) {
    long record = store().entries().find(key);
    if (record == 0 || (Records.expires(record) && Records.expiresAt(record) <= nowMillis)) {
      return false;
    }
    if (isToBeRefreshed(record, nowMillis)) {
      refresh(key);
    }
    return true;
  }

  private boolean isToBeRefreshed(long record, long nowMillis) {
    ExternalMap external = container.external();
    return external != null
        && external.refreshMillis() > 0
        && isLoaded(record, external)
        && Records.expiresAt(record) - nowMillis < external.refreshMillis();
  }

  /** Entries that somebody else gives a time to live have another one, by a millisecond. */
  private static boolean isLoaded(long record, ExternalMap external) {
    return Records.expires(record) && Records.timeToLive(record) == external.keptMillis();
  }

  private void refresh(Data key) {
    ExternalMap external = container.external();
    if (external != null) {
      external.refresh(store().getPartitionId(), key);
    }
  }

  /** An entry was read: loads it again if its time is nearly over. Any thread may call this. */
  void read(byte[] key, int offset, int length, int form) {
    NativeEntries entries = store().entries();
    Data due = null;
    int guard = entries.enter();
    try {
      long record = entries.find(key, offset, length, form);
      if (record != 0 && isToBeRefreshed(record, Clock.currentTimeMillis())) {
        due = DataForm.key(record);
      }
    } finally {
      entries.exit(guard);
    }
    if (due != null) {
      refresh(due);
    }
  }

  /**
   * Takes in an entry that was loaded again.
   *
   * @param value null if the store has it no more
   */
  void takeRefreshed(Data key, @Nullable Data value, ExternalMap external) {
    long record = store().entries().find(key);
    if (record == 0
        || !isLoaded(record, external)
        || queue().get(key) != null
        || isOvertaken(key)) {
      return; // it was written meanwhile
    }
    if (value == null) {
      Object _ = store().evict(key, false);
    } else {
      RuntimeException _ = put(key, value, external.keptMillis());
    }
  }

  /** Takes in what the store has answered. What was written meanwhile stays as it is. */
  void take(Collection<Data> asked, Loaded loaded, ExternalMap external, long nowMillis) {
    for (Data key : asked) {
      if (!isToBeLoaded(key, nowMillis)) {
        continue;
      }
      Data value = loaded.values().get(key);
      RuntimeException failure = loaded.failure();
      if (failure == null && value != null) {
        failure = put(key, value, external.keptMillis());
      } else if (failure == null) {
        boolean _ = answered.add(key);
        if (external.absentMillis() > 0) {
          absent.add(key, nowMillis + external.absentMillis());
        }
      }
      if (failure != null) {
        failed.put(key, failure);
      }
    }
  }

  /** Takes in entries that nobody has asked for. */
  void offer(Map<Data, Data> loaded, ExternalMap external) {
    long now = Clock.currentTimeMillis();
    loaded.forEach(
        (key, value) -> {
          if (!isPresent(key, now) && queue().get(key) == null && !isOvertaken(key)) {
            absent.forget(key);
            RuntimeException _ = put(key, value, external.keptMillis());
          }
        });
  }

  // ---- rows that others have changed

  /** The row of a key is another. Who waits for it to be loaded is not overtaken. */
  void overtake(Data key, long nowMillis) {
    absent.forget(key);
    overtaken.add(key, nowMillis + OVERTAKEN_MILLIS);
  }

  /** Notes that a key that is read from now on is as the store has it. */
  void awaitRow(Data key) {
    absent.forget(key);
    overtaken.forget(key);
  }

  /** Any row may be another, also one that somebody waits for. */
  void overtakeAll() {
    absent.clear();
    overtaken.clear();
    readings++;
  }

  private boolean isOvertaken(Data key) {
    return overtaken.has(key, Clock.currentTimeMillis());
  }

  /** Returns a number that is another when what was read before does not hold. */
  int readings() {
    return readings;
  }

  private @Nullable RuntimeException put(Data key, Data value, long keptMillis) {
    try {
      Object _ = store().putLoaded(key, value, keptMillis);
      return null;
    } catch (RefusedException | MemoryShortException e) {
      return e;
    }
  }

  /**
   * Takes in a write that waits, if memory has nothing of its key: its entry has expired or was
   * evicted.
   *
   * @return whether the key was in the queue
   */
  boolean takeQueued(Data key, ExternalMap external) {
    QueuedWrite write = queue().get(key);
    if (write == null) {
      return false;
    }
    Data value = write.value();
    if (value == null) {
      boolean _ = answered.add(key);
    } else {
      RuntimeException failure = put(key, value, external.keptMillis());
      if (failure != null) {
        failed.put(key, failure);
      }
    }
    return true;
  }

  /** Notes that keys could not be loaded. */
  void failed(Collection<Data> keys, RuntimeException failure) {
    keys.forEach(key -> failed.put(key, failure));
  }

  /** Forgets the answers of the external store: the operations that waited for them have run. */
  void forgetAnswers() {
    failed.clear();
    answered.clear();
  }

  private void check(Object key) {
    RuntimeException failure = failed.isEmpty() ? null : failed.get(key);
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public @Nullable Object load(Data key) {
    check(key);
    return null;
  }

  @Override
  @SuppressWarnings("rawtypes") // as Hazelcast's own
  public Map loadAll(Collection keys) {
    for (Object key : keys) {
      check(key);
    }
    return Map.of();
  }

  // ---- writes

  @Override
  public Object add(
      Data key, Object value, long expirationTime, long now, @Nullable UUID transactionId) {
    forget(key);
    ExternalMap external = container.external();
    if (external == null || !external.isWritten()) {
      forgetQueued(key);
    } else if (!store().isPrimary()) {
      return addBackup(key, value, expirationTime, now, transactionId);
    } else {
      Data data = store().serialized(value);
      boolean decided = isDecided(transactionId);
      if (!decided) {
        admit(external, key, data);
      }
      write(external, key, data, decided);
    }
    return value;
  }

  /** A write that waits for a table that the map had before is not to come back. */
  private void forgetQueued(Data key) {
    if (queue().size() > 0) {
      queue().remove(key);
    }
  }

  @Override
  public void remove(Data key, long now, @Nullable UUID transactionId) {
    ExternalMap external = container.external();
    if (external == null || !external.isWritten()) {
      forgetQueued(key);
    } else if (!store().isPrimary()) {
      removeBackup(key, now, transactionId);
    } else {
      boolean decided = isDecided(transactionId);
      if (!decided) {
        admit(external);
      }
      write(external, key, null, decided);
      written();
    }
  }

  /** Removes all of them, or none if the store takes no more. */
  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // as Hazelcast's own
  public void removeAll(Collection keys) {
    ExternalMap external = container.external();
    if (external == null || !external.isWritten()) {
      return;
    }
    boolean primary = store().isPrimary();
    if (primary) {
      admit(external);
    }
    Set<Data> all = new LinkedHashSet<>(keys);
    all.addAll(queuedWithoutEntry());
    for (Data key : all) {
      if (primary) {
        write(external, key, null, false);
        written();
      } else {
        removeBackup(key, 0, null);
      }
    }
  }

  /** Values that wait, and whose entries were evicted or have expired. */
  private Set<Data> queuedWithoutEntry() {
    Set<Data> found = new LinkedHashSet<>();
    long now = Clock.currentTimeMillis();
    boolean _ =
        queue()
            .visit(
                (key, write) -> {
                  if (write.value() != null && !store().isPresent(key, now)) {
                    boolean _ = found.add(key);
                  }
                  return true;
                });
    found.removeIf(key -> !store().isFree(key));
    return found;
  }

  /** Returns whether a transaction has decided the write: it cannot be refused any more. */
  private boolean isDecided(@Nullable UUID transactionId) {
    return transactionId != null || store().isWritingDecided();
  }

  private static void admit(ExternalMap external) {
    String refusal = external.refusal();
    if (refusal != null) {
      throw ExternalStoreException.unreachable(refusal);
    }
  }

  private static void admit(ExternalMap external, Data key, Data value) {
    admit(external);
    String refusal = external.refusal(key, value);
    if (refusal != null) {
      throw ExternalStoreException.refused(refusal);
    }
  }

  private void write(ExternalMap external, Data key, @Nullable Data value, boolean decided) {
    replaced = queue().get(key);
    undoable = key;
    QueuedWrite write = queue().add(key, value, Clock.currentTimeMillis());
    if (replaced == null) {
      external.queued();
    }
    if (external.isWrittenThrough() && !decided) {
      store().lock().awaitWrite(new AwaitedWrites.One(store(), key, write, replaced));
    } else if (external.isWrittenThrough()) {
      external.write(store().getPartitionId(), key, write, null, null);
    }
  }

  /** Takes the last write back, because its entry could not be written to memory. */
  void undo(Data key) {
    ExternalMap external = container.external();
    if (external == null || !external.isWritten() || !key.equals(undoable)) {
      return;
    }
    undoable = null;
    store().lock().forgetWrite(store(), key);
    QueuedWrite before = replaced;
    if (before == null) {
      queue().remove(key);
    } else {
      queue().set(key, before);
    }
  }

  /** The last write has reached memory, too: there is nothing to undo. */
  void written() {
    undoable = null;
  }

  /** A write is under way for which somebody waits. */
  void beginWriting() {
    int _ = writing.incrementAndGet();
  }

  /** The write has ended. Any thread may call this. */
  void endWriting() {
    int _ = writing.decrementAndGet();
  }

  // ---- the same on a backup

  @Override
  public Object addBackup(
      Data key, Object value, long expirationTime, long now, @Nullable UUID transactionId) {
    ExternalMap external = container.external();
    if (external != null && external.isWritten()) {
      QueuedWrite _ = queue().add(key, store().serialized(value), Clock.currentTimeMillis());
    }
    return value;
  }

  @Override
  public void removeBackup(Data key, long now, @Nullable UUID transactionId) {
    ExternalMap external = container.external();
    if (external != null && external.isWritten()) {
      QueuedWrite _ = queue().add(key, null, Clock.currentTimeMillis());
    }
  }

  // ---- the rest

  @Override
  public void reset() {
    absent.clear();
  }

  @Override
  public void addForcibly(DelayedEntry<Data, Object> delayedEntry) {
    // Hazelcast's own queue is not used
  }

  @Override
  public void addTransient(Data key, long now) {
    forget(key);
  }

  private void forget(Data key) {
    absent.forget(key);
    boolean _ = answered.remove(key);
  }

  @Override
  public boolean loadable(Data key) {
    return true;
  }

  @Override
  public int notFinishedOperationsCount() {
    return 0;
  }

  @Override
  public boolean isPostProcessingMapStore() {
    return false;
  }

  @Override
  public long softFlush() {
    return 0;
  }

  @Override
  public void hardFlush() {
    // the queue outlives the member
  }

  @Override
  public Object flush(Data key, Object value, boolean backup) {
    return value; // what was evicted is in the queue if it has to be written
  }

  @Override
  public boolean isWithExpirationTime() {
    return false;
  }

  @Override
  public TxnReservedCapacityCounter getTxnReservedCapacityCounter() {
    return TxnReservedCapacityCounter.EMPTY_COUNTER;
  }
}
