package io.keyvalueserve.maps;

import com.hazelcast.internal.nio.Disposable;
import com.hazelcast.internal.serialization.Data;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Hands the values over that this member's side of a split has changed in maps with {@link
 * HandedOverMergePolicy}: all values of a store if not all changes are known. Runs once, on one
 * thread, after the member has joined the other side; then gives the memory of the entries back.
 */
public final class LeavingValues implements Runnable, Disposable {
  private final List<NativeRecordStore> stores;
  private final BiConsumer<String, List<Data>> taker;

  LeavingValues(List<NativeRecordStore> stores, BiConsumer<String, List<Data>> taker) {
    this.stores = List.copyOf(stores);
    this.taker = taker;
  }

  @Override
  public void run() {
    Map<String, List<Data>> values = new HashMap<>();
    for (NativeRecordStore store : stores) {
      addChanged(store, values.computeIfAbsent(store.getName(), map -> new ArrayList<>()));
      store.giveBackAfterMerge();
    }
    values.forEach(taker);
  }

  private static void addChanged(NativeRecordStore store, List<Data> to) {
    StoreChanges changes = store.leavingChanges();
    boolean all = changes == null || changes.isIncomplete();
    NativeEntries entries = store.entries();
    for (long cursor = 0; cursor >= 0; ) {
      int guard = entries.enter();
      try {
        cursor =
            entries.scan(
                cursor,
                record -> {
                  if (changes == null || all || changes.of(entries.hash(record)) != 0) {
                    Data value = entries.value(record);
                    if (value != null) {
                      to.add(value);
                    }
                  }
                });
      } finally {
        entries.exit(guard);
      }
    }
  }

  @Override
  public void dispose() {
    stores.forEach(NativeRecordStore::disposeOnSplitBrainHeal);
  }
}
