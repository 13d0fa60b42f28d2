package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import io.keyvalueserve.maps.external.QueuedWrite;
import io.keyvalueserve.store.Records;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one partition of a map that the map's external store does not have yet: one at most
 * for each key. They are entries of a {@linkplain HiddenMaps hidden map}, so they are backed up,
 * logged and moved like the entries that were written. By who has the partition, unless said
 * otherwise.
 */
public final class WriteQueue {
  /** Numbers begin with the time, so that those of another owner of the partition differ. */
  private static final int NUMBERS_A_MILLI_BITS = 16;

  private final NativeRecordStore front;
  private long lastNumber;

  WriteQueue(NativeRecordStore front) {
    this.front = front;
  }

  private @Nullable NativeRecordStore store(boolean make) {
    NativeRecordStore store = front.hidden(HiddenMaps.queueOf(front.getName()), make);
    return store == null || store.entries().isClosed() ? null : store;
  }

  /** Returns the write of a key that waits; null if there is none. */
  public @Nullable QueuedWrite get(Data key) {
    NativeRecordStore store = store(false);
    return store == null ? null : get(store, key);
  }

  private static @Nullable QueuedWrite get(NativeRecordStore store, Data key) {
    byte[] stored = store.readBytes(key);
    return stored == null ? null : QueuedWrite.decode(stored);
  }

  /**
   * Adds a write in the place of the one that waits for the same key.
   *
   * @param value serialized; null for a removal
   */
  QueuedWrite add(Data key, @Nullable Data value, long nowMillis) {
    NativeRecordStore store = made();
    QueuedWrite before = get(store, key);
    long number = Math.max(lastNumber, before == null ? 0 : before.number());
    lastNumber = Math.max(number + 1, nowMillis << NUMBERS_A_MILLI_BITS);
    long since = before == null || before.isDead() ? nowMillis : before.sinceMillis();
    QueuedWrite write = new QueuedWrite(lastNumber, since, value, null);
    if (value == null) { // or a tenant at its quota could remove nothing
      store.exempt(() -> put(store, key, write));
    } else {
      put(store, key, write);
    }
    return write;
  }

  /** Replaces the write of a key. */
  public void set(Data key, QueuedWrite write) {
    put(made(), key, write);
  }

  private NativeRecordStore made() {
    NativeRecordStore store = store(true);
    if (store == null) {
      throw new IllegalStateException("the queue of a partition is being given up");
    }
    return store;
  }

  private static void put(NativeRecordStore store, Data key, QueuedWrite write) {
    byte[] encoded = write.encode();
    byte[] payload = DataForm.frame(DataForm.BYTES, encoded.length);
    System.arraycopy(encoded, 0, payload, DataForm.offset(DataForm.BYTES), encoded.length);
    store.putPage(key, new HeapData(payload));
  }

  /** Removes the write of a key. */
  public void remove(Data key) {
    NativeRecordStore store = store(false);
    if (store != null) {
      store.removePage(key);
    }
  }

  /** Returns the number of writes that wait. Any thread may call this. */
  public int size() {
    NativeRecordStore store = store(false);
    return store == null ? 0 : store.size();
  }

  /**
   * Visits writes until the visitor has enough. Any thread may call this; it may miss what comes or
   * goes meanwhile.
   *
   * @param visitor returns whether it wants more
   * @return false if the writes are still being loaded from the disk: then none was visited
   */
  public boolean visit(BiPredicate<Data, QueuedWrite> visitor) {
    NativeRecordStore store = store(false);
    if (store == null) {
      return true;
    }
    NativeEntries entries = store.entries();
    if (entries.isLoading()) {
      return false;
    }
    boolean[] more = {true};
    long cursor = 0;
    while (cursor >= 0 && more[0]) {
      int guard = entries.enter();
      try {
        cursor =
            entries.scan(
                cursor,
                record -> {
                  if (more[0] && Records.valueForm(record) == DataForm.BYTES) {
                    byte[] value = new byte[Records.valueLength(record)];
                    Records.copyValue(record, value, 0);
                    more[0] = visitor.test(DataForm.key(record), QueuedWrite.decode(value));
                  }
                });
      } finally {
        entries.exit(guard);
      }
    }
    return true;
  }
}
