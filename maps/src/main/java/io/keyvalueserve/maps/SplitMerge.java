package io.keyvalueserve.maps;

import com.hazelcast.internal.nio.Disposable;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.recordstore.expiry.ExpiryMetadata;
import com.hazelcast.spi.impl.InternalCompletableFuture;
import io.keyvalueserve.engine.collection.CollectionTooLargeException;
import io.keyvalueserve.engine.collection.CorruptCollectionException;
import io.keyvalueserve.store.Records;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what this member's side of a split has changed to the side that it has joined. Sends the
 * keys that were changed since the split, each with the time of its last change, and all entries
 * where the other side may have had no copy, or where not all changes are known. Runs once, on one
 * thread, after the member has joined; then gives the memory of the entries back.
 */
public final class SplitMerge implements Runnable, Disposable {
  private static final Logger LOG = LoggerFactory.getLogger(SplitMerge.class);
  private static final int MOST_UNDER_WAY = 32;
  private static final int MOST_ENTRIES = 256;
  private static final int MOST_BYTES = 512 << 10;
  private static final int MOST_REMOVED = 8_192;
  private static final long PATIENCE_SECONDS = 120;

  private final NativeMaps maps;
  private final List<NativeRecordStore> stores;
  private final Deque<Sent> underWay = new ArrayDeque<>();
  private final long[] sums = new long[MergeChanges.WANTS_ALL];
  private long failed;

  /** Something was sent of the entries of a store. */
  private record Sent(Sending of, int changes, InternalCompletableFuture<long[]> answer) {}

  /** The state of sending one store's changes. */
  private final class Sending {
    private final NativeRecordStore store;
    private final NativeEntries entries;
    private final @Nullable StoreChanges changes;
    private final KeyTimes found = new KeyTimes();
    private List<MergedEntry> batch = new ArrayList<>();
    private int bytes;
    private boolean wantsAll;
    private boolean hasUnchanged;
    private int sent;
    private final @Nullable NativeRecordStore pages;

    Sending(NativeRecordStore store, @Nullable NativeRecordStore pages) {
      this.store = store;
      this.pages = pages;
      this.entries = store.entries();
      this.changes = store.leavingChanges();
      this.wantsAll = changes == null || changes.isIncomplete();
    }

    /** Sends what has changed. */
    void sendChanges() {
      scan(false);
      sendRemoved();
      if (sent == 0 && hasUnchanged) { // whether the other side has them
        send(new MergeChanges(store.getName(), List.of(), new long[0], new long[0], 0), 0);
      }
    }

    /** Sends what has not changed, if the other side wants it. Once all answers are there. */
    void sendRest() {
      if (wantsAll && hasUnchanged) {
        scan(true);
      }
    }

    private void scan(boolean unchanged) {
      long now = System.currentTimeMillis();
      for (long cursor = 0; cursor >= 0; ) {
        int guard = entries.enter();
        try {
          cursor = entries.scan(cursor, record -> visit(record, unchanged, now));
        } finally {
          entries.exit(guard);
        }
        if (batch.size() >= MOST_ENTRIES || bytes >= MOST_BYTES) {
          flush();
        }
      }
      flush();
    }

    private void visit(long record, boolean unchanged, long now) {
      long hash = entries.hash(record);
      long time = changes == null ? 0 : changes.of(hash);
      hasUnchanged |= time == 0;
      if (unchanged != (time == 0) || Records.expiresAt(record) <= now) {
        return;
      }
      var value = entries.value(record);
      if (value == null) {
        return;
      }
      Data key = DataForm.key(record);
      Data whole = whole(key, value);
      if (whole == null) {
        return;
      }
      ExpiryMetadata expiry = NativeExpiry.snapshot(record);
      boolean expires = expiry.hasExpiry();
      MergedEntry entry =
          new MergedEntry(
              key,
              whole,
              time,
              expiry.getTtl(),
              expiry.getMaxIdle(),
              expires ? expiry.getExpirationTime() : Long.MAX_VALUE);
      if (!unchanged) {
        boolean _ = found.note(hash, time, null);
      }
      batch.add(entry);
      bytes += entry.bytes();
    }

    /** A value with its pages; null if it is lost, as it cannot be carried over. */
    private @Nullable Data whole(Data key, Data value) {
      try {
        return CollectionData.portable(key, value, pages);
      } catch (CollectionTooLargeException | CorruptCollectionException e) {
        failed++;
        LOG.error(
            "a large collection of this side of a split is lost, as it could not be merged: map={}"
                + " partition={}: {}",
            store.getName(),
            store.getPartitionId(),
            e.getMessage());
        return null;
      }
    }

    private void flush() {
      if (!batch.isEmpty()) {
        send(new MergeChanges(store.getName(), batch, new long[0], new long[0], 0), batch.size());
        batch = new ArrayList<>();
        bytes = 0;
      }
    }

    /**
     * Sends removals for the keys that were changed and are not here: they were removed, or have
     * expired since.
     */
    private void sendRemoved() {
      if (changes == null) {
        return;
      }
      long clearedAt = changes.clearedAt();
      int most = changes.times().size();
      long[] hashes = new long[most];
      long[] times = new long[most];
      int[] count = {0};
      changes
          .times()
          .forEach(
              (hash, time) -> {
                if (time >= clearedAt && found.of(hash) == 0) {
                  hashes[count[0]] = hash;
                  times[count[0]++] = time;
                }
              });
      if (count[0] == 0 && clearedAt > 0) {
        send(new MergeChanges(store.getName(), List.of(), new long[0], new long[0], clearedAt), 1);
      }
      for (int from = 0; from < count[0]; from += MOST_REMOVED) {
        int to = Math.min(count[0], from + MOST_REMOVED);
        send(
            new MergeChanges(
                store.getName(),
                List.of(),
                Arrays.copyOfRange(hashes, from, to),
                Arrays.copyOfRange(times, from, to),
                clearedAt),
            to - from);
      }
    }

    private void send(MergeChanges operation, int count) {
      sent++;
      while (underWay.size() >= MOST_UNDER_WAY) {
        settle(underWay.removeFirst());
      }
      underWay.addLast(
          new Sent(
              this,
              count,
              maps.partitions()
                  .operations()
                  .invokeOnPartitionAsync(
                      MapService.SERVICE_NAME, operation, store.getPartitionId())));
    }
  }

  SplitMerge(NativeMaps maps, List<NativeRecordStore> stores) {
    this.maps = maps;
    this.stores = List.copyOf(stores);
  }

  @Override
  public void run() {
    long begin = System.nanoTime();
    maps.changes().merging();
    List<Sending> all = new ArrayList<>();
    Map<String, NativeRecordStore> behind = new HashMap<>();
    for (NativeRecordStore store : stores) {
      if (HiddenMaps.isPages(store.getName())) {
        behind.put(HiddenMaps.inFrontOf(store.getName()) + '/' + store.getPartitionId(), store);
      }
    }
    for (NativeRecordStore store : stores) {
      if (!HiddenMaps.isHidden(
          store.getName())) { // pages go with their collections, queues with their entries
        Sending sending =
            new Sending(store, behind.get(store.getName() + '/' + store.getPartitionId()));
        all.add(sending);
        attempt(store, sending::sendChanges);
      }
    }
    settleAll();
    for (Sending sending : all) {
      attempt(sending.store, sending::sendRest);
    }
    settleAll();
    stores.forEach(NativeRecordStore::giveBackAfterMerge);
    maps.changes().gaveWay(failed);
    LOG.info(
        "the changes of this side of a split were merged in {} ms: taken={} discarded={}"
            + " removed={} failed={}",
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin),
        sums[MergeChanges.TAKEN],
        sums[MergeChanges.DISCARDED],
        sums[MergeChanges.REMOVED],
        failed);
  }

  private void attempt(NativeRecordStore store, Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      failed++;
      LOG.error(
          "changes of a map's partition are lost, as they could not be merged: map={}"
              + " partition={}",
          store.getName(),
          store.getPartitionId(),
          e);
    }
  }

  private void settleAll() {
    while (!underWay.isEmpty()) {
      settle(underWay.removeFirst());
    }
  }

  private void settle(Sent sent) {
    try {
      long[] outcome = sent.answer().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      for (int i = 0; i < sums.length; i++) {
        sums[i] += outcome[i];
      }
      sent.of().wantsAll |= outcome[MergeChanges.WANTS_ALL] != 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failed += sent.changes();
    } catch (ExecutionException | TimeoutException e) {
      failed += sent.changes();
      LOG.error(
          "{} changes are lost, as they could not be merged: map={} partition={}: {}",
          sent.changes(),
          sent.of().store.getName(),
          sent.of().store.getPartitionId(),
          e.getMessage());
    }
  }

  @Override
  public void dispose() {
    stores.forEach(NativeRecordStore::disposeOnSplitBrainHeal);
  }
}
