package io.keyvalueserve.grid.space;

import com.hazelcast.cluster.Address;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.map.impl.record.Record;
import com.hazelcast.map.impl.recordstore.RecordStore;
import io.keyvalueserve.engine.Current;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.PageSource;
import io.keyvalueserve.maps.NativeRecordStore;
import org.jspecify.annotations.Nullable;

/**
 * The entry that a command looks at: found in the record store, or loaded from the map's external
 * store, when first asked for. One view serves a whole batch, entry after entry. Partition thread
 * only.
 */
final class EntryView implements Current {
  private final RecordStore<?> store;
  private final SerializationService serialization;
  private final Address caller;
  private final long nowMillis;
  private final EntryPages pages;

  private @Nullable Data key;
  private boolean looked;
  private @Nullable Object value;
  private long expireAtMillis;

  EntryView(
      RecordStore<?> store, SerializationService serialization, Address caller, long nowMillis) {
    this(store, EntryPages.of(store), serialization, caller, nowMillis);
  }

  /**
   * @param pages the pages of the large collections of the store
   */
  EntryView(
      RecordStore<?> store,
      EntryPages pages,
      SerializationService serialization,
      Address caller,
      long nowMillis) {
    this.pages = pages;
    this.store = store;
    this.serialization = serialization;
    this.caller = caller;
    this.nowMillis = nowMillis;
  }

  /** The time of the batch, in milliseconds since 1970. */
  long nowMillis() {
    return nowMillis;
  }

  /** Turns to another entry. */
  EntryView of(Data key) {
    this.key = key;
    looked = false;
    value = null;
    expireAtMillis = Expiry.NONE;
    return this;
  }

  /** The value as it is stored, null if there is none. */
  @Nullable Object value() {
    look();
    return value;
  }

  @Override
  public boolean exists() {
    return value() != null;
  }

  @Override
  public byte @Nullable [] bytes() {
    return ValueText.bytes(present(), serialization);
  }

  @Override
  public @Nullable CollectionValue collection() {
    return KeyData.collection(present());
  }

  @Override
  public @Nullable PageSource pages() {
    return key == null ? null : pages.under(key);
  }

  @Override
  public int length() {
    if (isUnread() && key != null && store instanceof NativeRecordStore natively) {
      int length = natively.plainLengthOnDisk(key);
      if (length >= 0) {
        return length;
      }
    }
    return ValueText.length(present(), serialization);
  }

  @Override
  public long expireAtMillis() {
    look();
    return expireAtMillis;
  }

  /** Returns the value as it is stored, read from the disk if it is there. The entry exists. */
  Object stored() {
    return present();
  }

  @Override
  public long idleMillis() {
    return key != null && store instanceof NativeRecordStore natively
        ? Math.max(0, nowMillis - natively.lastUsedMillis(key))
        : 0;
  }

  @Override
  public long storedBytes() {
    Record<?> record = key == null ? null : store.getRecord(key);
    return record == null ? Math.max(length(), 0) : record.getCost();
  }

  private Object present() {
    Object present = value();
    if (isUnread() && key != null) {
      present = store.get(key, false, caller, false);
      value = present;
    }
    if (present == null) {
      throw new IllegalStateException("a command asks for nothing but exists() of an absence");
    }
    return present;
  }

  /** Returns whether the value is on the disk and was not read. */
  @SuppressWarnings("ReferenceEquality") // it is the one
  boolean isUnread() {
    return value() == NativeRecordStore.UNREAD;
  }

  private boolean isUnreadOnDisk(Data of) {
    return store instanceof NativeRecordStore natively
        && natively.isOnDisk(of)
        && natively.isUnobserved();
  }

  private void look() {
    if (looked || key == null) {
      return;
    }
    looked = true;
    Object found =
        isUnreadOnDisk(key) ? NativeRecordStore.UNREAD : store.get(key, false, caller, false);
    if (found == null) {
      return;
    }
    if (!store.getExpirySystem().isEmpty()) {
      long at = store.getExpirySystem().getExpiryMetadata(key).getExpirationTime();
      expireAtMillis = at == Long.MAX_VALUE ? Expiry.NONE : at;
    }
    // The store keeps an entry beyond its time while its key is locked.
    value = Expiry.hasPassed(expireAtMillis, nowMillis) ? null : found;
  }
}
