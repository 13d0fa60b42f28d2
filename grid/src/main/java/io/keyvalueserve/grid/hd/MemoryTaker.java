package io.keyvalueserve.grid.hd;

import com.hazelcast.spi.impl.operationservice.OperationService;
import io.keyvalueserve.journal.spill.SpillArea;
import io.keyvalueserve.tenancy.admission.Usage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes memory from a tenant's maps on this member, as each map's setting says. One thread at a
 * time.
 */
public final class MemoryTaker {
  private final NativeMaps maps;
  private final @Nullable ValueSpiller spiller;
  private final EntryEvictions evictions;
  private final Compaction compaction;

  MemoryTaker(NativeMaps maps, OperationService operations) {
    SpillArea area = maps.spillArea();
    this.maps = maps;
    this.spiller = area == null ? null : new ValueSpiller(maps, area);
    this.evictions = new EntryEvictions(maps, operations);
    this.compaction = new Compaction(maps);
  }

  /** Whether the tenant has a map here that gives up memory. */
  public boolean mayTakeFrom(Usage usage) {
    return !stores(usage, OverMemory.SPILL).isEmpty() || !stores(usage, OverMemory.EVICT).isEmpty();
  }

  /** Has values of the tenant's maps that allow it go to the disk. */
  public Freed spill(Usage usage, long bytes) {
    return spiller == null
        ? Freed.NOTHING
        : spiller.take(shuffled(stores(usage, OverMemory.SPILL)), bytes);
  }

  /** Deletes entries of the tenant's maps that allow it. */
  public Freed evict(Usage usage, long bytes) {
    return evictions.take(shuffled(stores(usage, OverMemory.EVICT)), bytes);
  }

  /**
   * Gathers what is free in pages that are little used into whole pages.
   *
   * @return how many bytes of pages came free
   */
  public long compact() {
    return compaction.run();
  }

  /** So that it does not always begin with the same partitions. */
  private static List<NativeRecordStore> shuffled(List<NativeRecordStore> stores) {
    Collections.shuffle(stores);
    return stores;
  }

  @SuppressWarnings("ReferenceEquality") // a tenant has one
  private List<NativeRecordStore> stores(Usage usage, OverMemory policy) {
    List<NativeRecordStore> stores = new ArrayList<>();
    maps.forEachStore(
        store -> {
          NativeMapContainer container = store.container();
          if (container.usage() == usage && container.overMemory() == policy) {
            stores.add(store);
          }
        });
    return stores;
  }
}
