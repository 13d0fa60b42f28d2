package io.keyvalueserve.maps;

import com.hazelcast.spi.impl.operationservice.OperationService;
import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.gates.fairness.CooperativeYield;
import io.keyvalueserve.journal.spill.SpillArea;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private final CooperativeYield others = new CooperativeYield();
  private final Map<TenantHoldings, List<NativeRecordStore>> spilling = new HashMap<>();
  private final Map<TenantHoldings, List<NativeRecordStore>> evicting = new HashMap<>();

  MemoryTaker(NativeMaps maps, OperationService operations, Runnable meanwhile) {
    SpillArea area = maps.spilling().area();
    this.maps = maps;
    this.spiller = area == null ? null : new ValueSpiller(maps, area, meanwhile);
    this.evictions = new EntryEvictions(maps, operations, meanwhile);
    this.compaction = new Compaction(maps);
  }

  /** Looks what each tenant has here that gives up memory: what follows goes by that. */
  public void look() {
    spilling.clear();
    evicting.clear();
    maps.partitions()
        .forEachStore(
            store -> {
              TenantHoldings usage = store.container().usage();
              if (usage != null) {
                look(store, usage);
                store.forEachOther(
                    number -> {
                      TenantHoldings other = maps.writers().usage(number);
                      if (other != null) {
                        look(store, other);
                      }
                    });
              }
              others.check();
            });
  }

  private void look(NativeRecordStore store, TenantHoldings usage) {
    switch (store.container().overMemory()) {
      case SPILL -> add(spilling, usage, store);
      case EVICT -> add(evicting, usage, store);
      case REFUSE -> {}
    }
  }

  private static void add(
      Map<TenantHoldings, List<NativeRecordStore>> stores,
      TenantHoldings usage,
      NativeRecordStore store) {
    stores.computeIfAbsent(usage, absent -> new ArrayList<>()).add(store);
  }

  /** Returns whether the tenant has a map here that gives up memory. */
  public boolean mayTakeFrom(TenantHoldings usage) {
    return spilling.containsKey(usage) || evicting.containsKey(usage);
  }

  /** Has values of the tenant's maps that allow it go to the disk. */
  public Freed spill(TenantHoldings usage, long bytes) {
    return spiller == null ? Freed.NOTHING : spiller.take(shuffled(spilling, usage), usage, bytes);
  }

  /** Deletes entries of the tenant's maps that allow it. */
  public Freed evict(TenantHoldings usage, long bytes) {
    return evictions.take(shuffled(evicting, usage), usage, bytes);
  }

  /**
   * Gathers what is free in pages that are little used into whole pages.
   *
   * @return how many bytes of pages came free
   */
  public long compact() {
    return compaction.run();
  }

  /**
   * Returns a tenant's stores in random order, so that memory is not always taken from the same
   * partitions first.
   */
  private static List<NativeRecordStore> shuffled(
      Map<TenantHoldings, List<NativeRecordStore>> stores, TenantHoldings usage) {
    List<NativeRecordStore> found = stores.getOrDefault(usage, List.of());
    if (found.size() > 1) {
      Collections.shuffle(found);
    }
    return found;
  }
}
