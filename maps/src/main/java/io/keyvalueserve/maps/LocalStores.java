package io.keyvalueserve.maps;

import org.jspecify.annotations.Nullable;

/**
 * Finds the partitions of one map that are on this member, without a search where that can be.
 * Stays good while the map is destroyed and made anew. Thread-safe.
 */
final class LocalStores {
  private final LocalMaps maps;
  private final String name;
  private volatile @Nullable NativeMapContainer container;

  LocalStores(LocalMaps maps, String name) {
    this.maps = maps;
    this.name = name;
  }

  /** A partition's entries; null if it has none here, or had and has left. */
  @Nullable NativeRecordStore find(int partition) {
    NativeMapContainer known = container();
    if (known == null) {
      return null;
    }
    NativeRecordStore store = known.local(partition);
    if (store == null || store.entries().isClosed()) {
      store = maps.store(partition, name);
      known.local(partition, store);
    }
    return store;
  }

  /** Returns the lock of a partition. Only its holder may write to the partition. */
  PartitionLock lock(int partition) {
    return maps.maps().partitions().lock(partition);
  }

  /**
   * Returns whether a partition has no entries of the map. True only if the map exists and reads
   * need nothing but its entries.
   */
  boolean isNothing(int partition) {
    NativeMapContainer known = container();
    return known != null
        && known.isReadDirectly()
        && known.external() == null
        && maps.store(partition, name) == null
        && !known.isDestroyed();
  }

  /** Returns the stamp of the map; 0 while there is none. It moves on with partitions, too. */
  long stamp() {
    NativeMapContainer known = container();
    return known == null
        ? 0
        : known.stamp().value() + maps.ownership().stamp() * NativeRecordStore.STAMP_OF_VERSION;
  }

  /** Returns the stamp of a partition; without entries it is that of the partition's owners. */
  long stamp(int partition) {
    NativeRecordStore store = find(partition);
    return store == null
        ? NativeRecordStore.stampOfTable(maps.context().getNodeEngine(), partition)
        : store.stamp();
  }

  private @Nullable NativeMapContainer container() {
    NativeMapContainer known = container;
    if (known == null || known.isDestroyed()) {
      known = maps.container(name);
      container = known;
    }
    return known;
  }
}
