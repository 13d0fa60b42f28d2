package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.map.impl.recordstore.RecordStore;
import io.keyvalueserve.maps.external.ExternalMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one partition of a map, as changes of its external store reach them that others
 * have made. Nothing of it is written to the store. By who has the partition.
 */
public final class FollowedEntries {
  private final NativeRecordStore store;
  private final ExternalDataStore external;

  private FollowedEntries(NativeRecordStore store) {
    this.store = store;
    this.external = store.external();
  }

  /** Returns the entries of a record store, which is not of a hidden map. */
  public static FollowedEntries of(RecordStore<?> store) {
    return new FollowedEntries(NativeRecordStore.of(store));
  }

  /** Returns the map's external store; null if it has none by now. */
  public @Nullable ExternalMap external() {
    return store.container().external();
  }

  /** Returns whether a write of a key is still to go to the external store. */
  public boolean isWaiting(Data key) {
    return external.queue().get(key) != null;
  }

  /** Returns whether there is an entry. */
  public boolean has(Data key) {
    return store.isPresent(key, Clock.currentTimeMillis());
  }

  /** Returns the value of an entry; null if there is none, or it is on the disk. */
  public @Nullable Data value(Data key) {
    if (store.isOnDisk(key)) {
      return null;
    }
    var entry = store.getRecord(key);
    return entry == null ? null : store.serialized(entry.getValue());
  }

  /** Notes that the row of a key is another: what was said and read of it before holds no more. */
  public void overtake(Data key) {
    external.overtake(key, Clock.currentTimeMillis());
  }

  /** Notes that the row of a key is to be read: the next answer holds. */
  public void await(Data key) {
    external.awaitRow(key);
  }

  /**
   * Notes that any row may be another.
   *
   * @see #overtake
   */
  public void overtakeAll() {
    external.overtakeAll();
  }

  /**
   * Puts an entry, or evicts it if there is no room for the new one.
   *
   * @return whether it is there now
   */
  public boolean put(Data key, Data value, long keptMillis) {
    boolean before = has(key);
    try {
      Object replaced = store.putLoaded(key, value, keptMillis);
      if (!before || replaced != null) {
        return has(key);
      }
    } catch (RefusedException | MemoryShortException e) {
      // the row is loaded when somebody asks for it
    }
    Object _ = store.evict(key, false);
    return false;
  }

  /**
   * Evicts an entry.
   *
   * @return its value; null if there was none
   */
  public @Nullable Object evict(Data key, boolean backup) {
    return store.evict(key, backup);
  }

  /** Evicts an entry, unless a write of it is still to go to the external store. */
  public boolean evictUnwritten(Data key, boolean backup) {
    return !isWaiting(key) && store.evict(key, backup) != null;
  }

  /** Keys that were evicted, and where to go on: -1 at the end. */
  public record Swept(List<Data> keys, long next) {}

  /**
   * Evicts some entries, but for those of which a write is still to go to the external store.
   *
   * @param from where to begin: 0, or what was returned before, by any copy of the partition
   * @param most how many entries are looked at, more or less
   * @param end where to end at the earliest, however many entries that are; -1 for the end
   */
  public Swept sweep(long from, int most, long end, boolean backup) {
    List<Data> keys = new ArrayList<>();
    long next = from;
    do {
      next = store.scan(next, keys::add);
    } while (next >= 0 && keys.size() < most && (end < 0 || next < end));
    keys.removeIf(key -> !evictUnwritten(key, backup));
    return new Swept(keys, next);
  }
}
