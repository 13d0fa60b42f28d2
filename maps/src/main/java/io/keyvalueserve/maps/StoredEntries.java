package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.map.impl.MapService;
import io.keyvalueserve.store.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Reads the entries of maps in this member's partitions, to be kept elsewhere, and puts entries
 * back into partitions of any member. Nobody waits for the reader: what is written meanwhile may be
 * read as it was before or as it is afterwards, and a {@link ChangeTap} tells of it. Thread-safe.
 */
public final class StoredEntries {
  /** The cursor after the last entry. */
  public static final long END = -1;

  /** No more entries are copied at a time when they have so many bytes. */
  private static final long MOST_BYTES = 4 << 20;

  private final MemberPartitions partitions;

  StoredEntries(MemberPartitions partitions) {
    this.partitions = partitions;
  }

  /** Returns the maps that have entries in a partition, ordered by their names in the grid. */
  public List<String> maps(int partition, Predicate<String> wanted) {
    return partitions.stores(partition).stream()
        .map(NativeRecordStore::getName)
        .filter(wanted)
        .sorted()
        .toList();
  }

  /** Returns about how many bytes the entries of a map have in a partition, on the disk too. */
  public long bytes(String map, int partition) {
    NativeRecordStore store = partitions.store(map, partition);
    return store == null ? 0 : store.entries().bytes() + store.entries().spilled().bytes();
  }

  /** Returns whether this member owns a partition. */
  public boolean owns(int partition) {
    return partitions.isPrimary(partition);
  }

  /** Returns the number of partitions of the cluster. */
  public int partitions() {
    return partitions.count();
  }

  /**
   * Reads some entries that have not expired, in the order of their positions. Waits for entries
   * that are still loaded from the disk, and for values that are there.
   *
   * @param cursor 0 to begin with, or what another call returned
   * @param least how many entries at least, if there are so many and they are not long; at least 1
   * @return where to go on; {@link #END} at the end
   */
  public long read(
      String map, int partition, long cursor, int least, Consumer<StoredEntry> visitor) {
    NativeRecordStore store = partitions.store(map, partition);
    if (store == null) {
      return END;
    }
    NativeEntries entries = store.entries();
    long now = System.currentTimeMillis();
    List<StoredEntry> copies = new ArrayList<>();
    long[] bytes = {0};
    long next = cursor;
    entries.awaitLoaded();
    while (next >= 0 && copies.size() < least && bytes[0] < MOST_BYTES) {
      int guard = entries.enter();
      try {
        next = entries.scan(next, record -> bytes[0] += copy(entries, record, now, copies));
      } finally {
        entries.exit(guard);
      }
    }
    copies.forEach(visitor); // without the guard: it may take its time
    return next;
  }

  private static int copy(
      NativeEntries entries, long record, long nowMillis, List<StoredEntry> copies) {
    if (Records.expires(record) && Records.expiresAt(record) <= nowMillis) {
      return 0;
    }
    Data value = entries.value(record);
    if (value == null) {
      return 0; // it was removed while it was read
    }
    StoredEntry copy = StoredEntry.of(record, entries.position(record), value);
    copies.add(copy);
    return copy.bytes();
  }

  /** Returns the partition that a key belongs to. */
  public int partitionOf(byte[] key) {
    return partitions.of(new HeapData(key));
  }

  /**
   * Puts entries back into a partition of a map, and into its backups, whatever is there under
   * their keys. No quota refuses them. Does not block.
   *
   * @param map its name in the grid
   * @return the number of entries that were put: all but those that have expired
   */
  public CompletableFuture<Long> restore(String map, int partition, List<StoredEntry> entries) {
    List<MergedEntry> sent = new ArrayList<>(entries.size());
    for (StoredEntry entry : entries) {
      sent.add(
          new MergedEntry(
              new HeapData(entry.key()),
              new HeapData(entry.value()),
              0,
              entry.ttlMillis(),
              entry.maxIdleMillis(),
              entry.expiresAtMillis()));
    }
    return partitions
        .operations()
        .<Long>invokeOnPartitionAsync(
            MapService.SERVICE_NAME, new RestoreEntries(map, sent), partition)
        .toCompletableFuture();
  }
}
