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
   * @param least how many entries at least, if there are so many; at least 1
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
    int[] read = {0};
    long next = cursor;
    while (next >= 0 && read[0] < least) {
      int guard = entries.enter();
      try {
        next =
            entries.scan(
                next,
                record -> {
                  read[0]++;
                  read(entries, record, now, visitor);
                });
      } finally {
        entries.exit(guard);
      }
    }
    return next;
  }

  private static void read(
      NativeEntries entries, long record, long nowMillis, Consumer<StoredEntry> visitor) {
    if (Records.expires(record) && Records.expiresAt(record) <= nowMillis) {
      return;
    }
    Data value = entries.value(record);
    if (value != null) { // or it was removed while it was read
      visitor.accept(StoredEntry.of(record, entries.position(record), value));
    }
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
