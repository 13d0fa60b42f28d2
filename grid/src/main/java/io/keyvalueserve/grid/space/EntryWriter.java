package io.keyvalueserve.grid.space;

import com.hazelcast.core.EntryEventType;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.MapContainer;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.record.Record;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.wan.impl.CallerProvenance;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.Transition;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.LargeCollections;
import io.keyvalueserve.engine.collection.PageChanges;
import io.keyvalueserve.grid.blocking.KeyWaits;
import io.keyvalueserve.grid.space.EntryState.Times;
import io.keyvalueserve.maps.CollectionData;
import io.keyvalueserve.maps.NativeRecordStore;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Changes entries of one partition of a map as Hazelcast's own operations do, and remembers what is
 * to be told afterwards: to backups (the state that results) and to listeners, near caches and the
 * evictor (every change, in order). Made for one run, by who has the partition for itself.
 *
 * <p>Values are remembered only if the map has listeners or interceptors when the run begins. A
 * listener that is added during the run hears of later runs.
 */
final class EntryWriter {
  private static final long FOR_EVER = 0; // a time to live of 0 overrides the map's default

  private final RecordStore<?> store;
  private final MapContainer container;
  private final long nowMillis;
  private final EntryPages pages;
  private final List<Change> changes = new ArrayList<>();
  private final Set<Data> written = new LinkedHashSet<>();
  private final boolean observed;
  private long rememberedBytes;

  EntryWriter(RecordStore<?> store, long nowMillis) {
    this(store, EntryPages.of(store), nowMillis);
  }

  /**
   * @param pages the pages of the large collections of the store
   */
  EntryWriter(RecordStore<?> store, EntryPages pages, long nowMillis) {
    this.store = store;
    this.pages = pages;
    this.container = store.getMapContainer();
    this.nowMillis = nowMillis;
    this.observed =
        !container.getInterceptorRegistry().getInterceptors().isEmpty()
            || context().getMapEventPublisher().hasEventListener(store.getName());
  }

  /** Brings a command's effect about. */
  void carryOut(Transition transition, Data key, EntryView entry) {
    switch (transition.effect()) {
      case NOTHING -> {}
      case ACCESS -> {
        if (entry.isUnread()) {
          accessUnread(key);
        } else {
          access(key);
        }
      }
      case PUT -> put(transition, key, entry);
      case SET_EXPIRY -> setExpiry(key, transition.expireAtMillis());
      case REMOVE -> remove(key, entry);
    }
  }

  private void put(Transition transition, Data key, EntryView entry) {
    CollectionValue collection = transition.collection();
    Data value = valueOf(transition);
    if (collection == null) {
      putValue(key, value, transition.expireAtMillis(), entry);
    } else {
      withPages(
          key,
          collection,
          transition.pages(),
          entry.value(),
          () -> putValue(key, value, transition.expireAtMillis(), entry));
    }
  }

  /** Writes a value that came from elsewhere, where a large collection is one piece. */
  void put(Data key, Data value, long expireAt, EntryView entry) {
    carried(key, value, entry.value(), stored -> putValue(key, stored, expireAt, entry));
  }

  /**
   * Writes a large collection that a transaction has changed page by page.
   *
   * @param base the head that it was changed from, if it still has pages of that; else null
   * @return false if something else is stored than what it was changed from, as after a split of
   *     the cluster; then that is left as it is
   */
  boolean putPaged(
      Data key,
      Data head,
      PageChanges changed,
      @Nullable Data base,
      long expireAt,
      EntryView entry) {
    CollectionValue collection = KeyData.collection(head);
    if (collection == null) {
      throw new IllegalArgumentException("not the head of a collection");
    }
    Object before = entry.value();
    if (base != null) {
      Data stored = CollectionData.atHand(key, (NativeRecordStore) store);
      if (!base.equals(stored)) {
        return head.equals(stored);
      }
      before = stored; // also if it has expired meanwhile
    }
    withPages(key, collection, changed, before, () -> putValue(key, head, expireAt, entry));
    return true;
  }

  /** Writes a value from elsewhere as it is stored here. */
  private void carried(Data key, Data value, @Nullable Object before, Consumer<Data> write) {
    CollectionValue collection = KeyData.collection(value);
    LargeCollections.Paged paged = collection == null ? null : LargeCollections.paged(collection);
    if (collection == null) {
      write.accept(value);
    } else if (paged == null) {
      withPages(key, collection, PageChanges.NONE, before, () -> write.accept(value));
    } else {
      Data head = KeyData.ofCollection(paged.head());
      withPages(key, paged.head(), paged.pages(), before, () -> write.accept(head));
    }
  }

  /** Writes a collection with its pages, and has those removed that nobody needs any more. */
  private void withPages(
      Data key,
      CollectionValue after,
      PageChanges changed,
      @Nullable Object valueBefore,
      Runnable head) {
    CollectionValue before = KeyData.collection(valueBefore);
    if (changed.isNothing() && (before == null || !before.isPaged())) {
      head.run();
      return;
    }
    List<List<PageChanges.Subtree>> unneeded = new ArrayList<>(1);
    try {
      ((NativeRecordStore) store)
          .movingHead(() -> unneeded.add(pages.write(key, before, after, changed, head)));
    } catch (RuntimeException | Error e) {
      if (pages.leavesPages()) {
        partlyWritten(key);
        PageSweeper.of(context().getNodeEngine()).lookSoon();
      }
      throw e;
    }
    if (!unneeded.getFirst().isEmpty()) {
      PageSweeper.of(context().getNodeEngine())
          .add(store.getName(), store.getPartitionId(), key, unneeded.getFirst());
    }
  }

  /** Writes a value as it is to be stored, and its expiry. */
  private void putValue(Data key, Data value, long expireAt, EntryView entry) {
    if (entry.exists() && entry.expireAtMillis() == expireAt) {
      replace(key, value, entry.value(), expireAt);
    } else {
      put(key, value, entry.value(), expireAt);
    }
  }

  /** The value that a transition puts, as it is to be stored. */
  static Data valueOf(Transition transition) {
    CollectionValue collection = transition.collection();
    if (collection != null) {
      return KeyData.ofCollection(collection);
    }
    byte[] bytes = transition.value();
    if (bytes == null) {
      throw new IllegalStateException("a transition that puts has a value");
    }
    return KeyData.ofValue(bytes);
  }

  /** Writes a value with an expiry of its own. */
  private void put(Data key, Data value, @Nullable Object before, long expireAtMillis) {
    store.set(key, value, timeToLive(expireAtMillis), FOR_EVER);
    pinExpiry(key, expireAtMillis);
    wrote(new Change(Kind.PUT, key, before, value));
  }

  /** Writes a value and leaves the expiry: an idle time begins anew, as with any use. */
  private void replace(Data key, Data value, @Nullable Object before, long expireAtMillis) {
    store.setWithUncountedAccess(key, value, false, timeToLive(expireAtMillis), FOR_EVER);
    access(key);
    wrote(new Change(Kind.PUT, key, before, value));
  }

  /** Writes an entry with all its times. */
  void place(Data key, EntryState state, @Nullable Object before) {
    carried(key, state.value(), before, value -> placeValue(key, value, state.times(), before));
  }

  private void placeValue(Data key, Data value, Times times, @Nullable Object before) {
    store.set(key, value, FOR_EVER, FOR_EVER);
    if (times.expires()) {
      store
          .getExpirySystem()
          .add(
              key,
              times.timeToLive(),
              times.maxIdle(),
              times.expiration(),
              times.lastUpdate(),
              nowMillis);
    }
    wrote(new Change(Kind.PUT, key, before, value));
  }

  /** Writes the expiry of an entry that exists. */
  private void setExpiry(Data key, long expireAtMillis) {
    store.setTtl(key, timeToLive(expireAtMillis));
    pinExpiry(key, expireAtMillis);
    wrote(new Change(Kind.EXPIRY, key, null, null));
  }

  /** Removes an entry. */
  private void remove(Data key, EntryView entry) {
    Object before = entry.isUnread() ? entry.value() : null;
    if (before == null) {
      before = store.remove(key, CallerProvenance.NOT_WAN);
    } else {
      boolean _ = store.delete(key, CallerProvenance.NOT_WAN);
    }
    wrote(new Change(Kind.REMOVAL, key, before, null));
  }

  /** Counts a use of an entry that exists, and whose value is left on the disk. */
  private void accessUnread(Data key) {
    Record<?> record = store.getRecord(key);
    if (record != null) {
      ((NativeRecordStore) store).accessUnread(key, record, nowMillis);
    }
  }

  /** Counts a use of an entry that exists. */
  private void access(Data key) {
    Record<?> record = store.getRecord(key);
    if (record != null) {
      store.accessRecord(key, record, nowMillis);
    }
  }

  /** An entry was changed, though not as it was to be: backups get what it is now. */
  void partlyWritten(Data key) {
    boolean _ = written.add(key);
  }

  /** Returns whether anything was written. */
  boolean hasWritten() {
    return !written.isEmpty();
  }

  /** Returns how many bytes of values are remembered for listeners. */
  long rememberedBytes() {
    return rememberedBytes;
  }

  /** Returns an operation that brings a backup to the same state, however often it is applied. */
  Operation backup() {
    return new KeyBackup(written(), pagesWritten(), store, nowMillis);
  }

  /** Returns the pages that were written or removed. */
  PageReplicas pagesWritten() {
    return PageReplicas.of(pages.touched(), pages.touched().isEmpty() ? null : pages.store());
  }

  /** Returns the keys of the entries that were written. */
  List<Data> written() {
    return List.copyOf(written);
  }

  /**
   * Tells everybody who wants to know. To be called once, after the answer is on its way.
   *
   * @param operation that made the changes
   */
  void publish(MapOperation operation) {
    for (Change change : changes) {
      switch (change.kind()) {
        case PUT -> published(change, operation);
        case REMOVAL -> removed(change, operation);
        case EXPIRY -> operation.invalidateNearCache(change.key());
      }
    }
    changes.clear();
    if (!observed) {
      for (Data key : written) {
        operation.invalidateNearCache(key);
        operation.evict(key);
      }
    }
  }

  private void published(Change change, MapOperation operation) {
    Data key = change.key();
    Object after = change.after();
    Record<?> record = store.getRecord(key);
    if (record != null && operation.isPostProcessingOrHasInterceptor(store)) {
      after = record.getValue();
    }
    if (after != null) {
      context().interceptAfterPut(container.getInterceptorRegistry(), after);
    }
    EntryEventType type = change.before() == null ? EntryEventType.ADDED : EntryEventType.UPDATED;
    tell(type, key, change.before(), after, operation);
  }

  private void removed(Change change, MapOperation operation) {
    Data key = change.key();
    Object before = change.before();
    if (before != null) {
      before = context().toData(before);
      context().interceptAfterRemove(container.getInterceptorRegistry(), before);
    }
    tell(EntryEventType.REMOVED, key, before, null, operation);
  }

  private void tell(
      EntryEventType type,
      Data key,
      @Nullable Object before,
      @Nullable Object after,
      MapOperation operation) {
    context()
        .getMapEventPublisher()
        .publishEvent(operation.getCallerAddress(), store.getName(), type, key, before, after);
    operation.invalidateNearCache(key);
    operation.evict(key);
  }

  private MapServiceContext context() {
    return container.getMapServiceContext();
  }

  private void wrote(Change change) {
    Data after = change.after();
    if (after != null && CollectionData.typeOf(after.getType()) != null) {
      KeyWaits.of(context().getNodeEngine()).wrote(store.getName(), change.key(), after.getType());
    }
    if (observed) {
      changes.add(change);
      rememberedBytes += bytesOf(change.before()) + bytesOf(change.after());
    }
    boolean _ = written.add(change.key());
  }

  private static long bytesOf(@Nullable Object value) {
    return value instanceof Data data ? data.totalSize() : 0;
  }

  /** The store computes an expiry from its own reading of the clock: this sets the very time. */
  private void pinExpiry(Data key, long expireAtMillis) {
    boolean expires = expireAtMillis != Expiry.NONE;
    if (!expires && store.getExpirySystem().isEmpty()) {
      return;
    }
    store
        .getExpirySystem()
        .add(
            key,
            expires ? timeToLive(expireAtMillis) : Long.MAX_VALUE,
            Long.MAX_VALUE,
            expires ? Math.min(expireAtMillis, Long.MAX_VALUE - 1) : Long.MAX_VALUE,
            nowMillis,
            nowMillis);
  }

  private long timeToLive(long expireAtMillis) {
    return expireAtMillis == Expiry.NONE ? FOR_EVER : Math.max(1, expireAtMillis - nowMillis);
  }

  private enum Kind {
    PUT,
    EXPIRY,
    REMOVAL
  }

  private record Change(Kind kind, Data key, @Nullable Object before, @Nullable Data after) {}
}
