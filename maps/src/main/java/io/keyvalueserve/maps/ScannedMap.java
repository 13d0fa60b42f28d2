package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.util.HashUtil;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.map.impl.recordstore.RecordStore;
import io.keyvalueserve.maps.index.IndexReader;
import io.keyvalueserve.memory.Epochs;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One map on this member, for a thread that reads many of its entries: partition by partition,
 * without an operation and without a lock. Stays good while the map is destroyed and made anew.
 * Thread-safe.
 */
public final class ScannedMap {
  private final NativeMaps maps;
  private final Ownership ownership;
  private final MapServiceContext context;
  private final String name;

  private ScannedMap(NativeMaps maps, String name) {
    this.maps = maps;
    this.ownership = maps.local().ownership();
    this.context = maps.local().context();
    this.name = name;
  }

  /**
   * Returns a map by its name in the grid, whether it has entries or not.
   *
   * @throws IllegalStateException if no member has been started with these maps
   */
  public static ScannedMap of(NativeMaps maps, String name) {
    if (maps.partitions().container(name) instanceof NativeMapContainer container) {
      container.noteUse();
    }
    return new ScannedMap(maps, name);
  }

  /** Returns the name in the grid. */
  public String name() {
    return name;
  }

  /** Returns whether the map's entries are all that a read needs: it has no external store. */
  public boolean isReadDirectly() {
    return container().isPlain();
  }

  /** Returns the number of partitions. */
  public int partitionCount() {
    return ownership.partitionCount();
  }

  /** Returns the partition of a serialized key. */
  public int partitionOf(Data key) {
    return context.getNodeEngine().getPartitionService().getPartitionId(key);
  }

  /**
   * Returns the partition of a serialized key.
   *
   * @param payload with the key's bytes at its begin
   */
  public int partitionOf(byte[] payload, int length) {
    int carried = DataForm.partitionHash(payload, 0);
    int hash =
        carried != 0
            ? carried
            : HashUtil.MurmurHash3_x86_32(
                payload, HeapData.DATA_OFFSET, length - HeapData.DATA_OFFSET); // as HeapData
    return HashUtil.hashToIndex(hash, partitionCount());
  }

  /**
   * Returns the hash of a serialized key, the same on all members.
   *
   * @param payload with the key's bytes at its begin
   */
  public long hashOf(byte[] payload, int length) {
    return maps.hashOf(payload, length);
  }

  /**
   * Begins to read: records that are found stay readable until {@link #exit}.
   *
   * @return what is to be handed to {@link #exit}
   */
  public int enter() {
    return epochs().enter();
  }

  /** Ends what {@link #enter} began. */
  public void exit(int guard) {
    epochs().exit(guard);
  }

  /** Returns the indexes of the map that are kept off the heap. */
  public List<IndexReader> indexes() {
    return IndexReader.of(container().getGlobalIndexRegistry());
  }

  /** Returns the map's container, which is made if there is none. */
  public NativeMapContainer container() {
    return (NativeMapContainer) context.getMapContainer(name);
  }

  /** Returns what makes objects of serialized keys and values. */
  public InternalSerializationService serialization() {
    return (InternalSerializationService) context.getNodeEngine().getSerializationService();
  }

  private Epochs epochs() {
    return maps.heap().epochs();
  }

  /** Returns the partitions that this member may read now. */
  public BitSet readable() {
    BitSet readable = new BitSet();
    for (int partition = 0; partition < partitionCount(); partition++) {
      readable.set(partition, ownership.mayRead(partition));
    }
    return readable;
  }

  /** Returns about how many entries there are in the partitions of this member. */
  public long size() {
    long sum = 0;
    for (int partition = 0; partition < partitionCount(); partition++) {
      NativeRecordStore store = store(partition);
      if (store != null && ownership.mayRead(partition)) {
        sum += store.entries().size();
      }
    }
    return sum;
  }

  /**
   * Returns the number of a partition's entries, if none of them expires.
   *
   * @return -1 if some expire, or if they cannot be read at this moment
   */
  public long countOfLasting(int partition) {
    NativeRecordStore store = isReadable(partition) ? store(partition) : null;
    if (store == null) {
      return isReadable(partition) ? 0 : -1;
    }
    NativeEntries entries = store.entries();
    return entries.expiring() == 0 && !entries.isClosed() ? entries.size() : -1;
  }

  /**
   * Begins to read a partition.
   *
   * @return null if its entries are another member's, or cannot be read at this moment
   */
  public @Nullable ScannedPartition open(int partition) {
    int stamp = ownership.stamp();
    int version = version(partition);
    if (!ownership.mayRead(partition) || isHeld()) {
      return null;
    }
    NativeRecordStore store = store(partition);
    if (store == null) {
      NativeMapContainer container = container();
      return container.isPlain()
          ? new ScannedPartition(this, partition, null, stamp, version)
          : null;
    }
    if (store.entries().isLoading() || !isLoaded(store)) {
      return null;
    }
    return new ScannedPartition(this, partition, store.entries(), stamp, version);
  }

  /** Returns whether {@link #open} would open a partition. */
  public boolean isReadable(int partition) {
    if (!ownership.mayRead(partition) || isHeld()) {
      return false;
    }
    NativeRecordStore store = store(partition);
    return store == null ? container().isPlain() : !store.entries().isLoading() && isLoaded(store);
  }

  /** Returns a stamp of the partitions that this member has, for {@link #isStill(int)}. */
  public int stamp() {
    return ownership.stamp();
  }

  /** Returns whether this member has had its partitions all the time since a stamp. */
  public boolean isStill(int stamp) {
    return ownership.isStill(stamp) && !isHeld();
  }

  /** Returns whether the map's tenant is held, and tells that somebody waits for it. */
  private boolean isHeld() {
    return maps.heldTenants().demand(name);
  }

  /** A map with an external store is read when the store has filled it. */
  private static boolean isLoaded(NativeRecordStore store) {
    return store.container().isPlain() || store.isLoaded();
  }

  /**
   * Returns whether the entries that were found in a partition since it was opened are those of its
   * owner. The stamp says so for all partitions. While some of them move, it is asked whether this
   * one does: a partition that is about to move is marked before its first entry leaves, and
   * remains so until its new owner is known here.
   */
  boolean isStill(int partition, int stamp, int version) {
    return !isHeld()
        && (ownership.isStill(stamp)
            || (ownership.mayRead(partition)
                && version(partition) == version
                && maps.lease().holds()));
  }

  private int version(int partition) {
    return context.getNodeEngine().getPartitionService().getPartition(partition, false).version();
  }

  private @Nullable NativeRecordStore store(int partition) {
    RecordStore<?> store = context.getExistingRecordStore(partition, name);
    return (NativeRecordStore) store;
  }
}
