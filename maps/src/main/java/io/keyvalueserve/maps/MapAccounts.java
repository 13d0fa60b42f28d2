package io.keyvalueserve.maps;

import io.keyvalueserve.gates.admission.TenantHoldings;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Knows which tenant the entries of a member's maps count for: the owner of their map, or the
 * tenant that wrote them where a map charges writers. Thread-safe.
 */
public final class MapAccounts {
  private final MemberPartitions partitions;
  private final Writers writers = new Writers();
  private final AtomicBoolean recounting = new AtomicBoolean();
  private Function<String, @Nullable TenantHoldings> usages = map -> null;

  MapAccounts(MemberPartitions partitions) {
    this.partitions = partitions;
  }

  /**
   * Has what maps use counted for whom they belong to, and limited. To be called before the member
   * starts.
   *
   * @param tenants finds by a map's name what counts for it; null if it is nobody's
   */
  public void countFor(Function<String, @Nullable TenantHoldings> tenants) {
    usages = tenants;
  }

  /**
   * Has what tenants have written to maps that charge writers counted for them. To be called before
   * the member starts.
   *
   * @param tenants finds by a tenant's number what counts for it; null if there is none
   */
  public void countWritersFor(IntFunction<@Nullable TenantHoldings> tenants) {
    writers.countFor(tenants);
  }

  /** Returns the writers, and which maps charge them. */
  public Writers writers() {
    return writers;
  }

  /** Returns the usage that a map counts for; null if the map belongs to no tenant. */
  public @Nullable TenantHoldings usageOf(String map) {
    return usages.apply(HiddenMaps.inFrontOf(map));
  }

  /** Returns for which tenant writes to a partition of a map count. */
  Charging charging(NativeMapContainer container, int partition) {
    return new Charging(writers, container, partitions.lock(partition));
  }

  /**
   * Says for whom the entries of a map count. When this returns they do on this member.
   *
   * @param next null for what is usual: its owner
   */
  public void setChargedTo(String map, @Nullable ChargedTo next) {
    writers.charge(map, next == ChargedTo.WRITER);
    recount();
  }

  /**
   * Tenants have come or gone: has what they have written counted for them, or for owners, soon.
   */
  public void tenantsChanged() {
    writers.tenantsChange();
    if (recounting.compareAndSet(false, true)) {
      Thread _ =
          Thread.ofVirtual()
              .name("kvs-recount")
              .start(
                  () -> {
                    recounting.set(false);
                    recount();
                  });
    }
  }

  private void recount() {
    if (partitions.areAttached()) {
      partitions.forEachStore(
          store -> {
            if (store.entries().charges().hasNumbers()) {
              partitions.exclusively(store.getPartitionId(), store.entries()::recount);
            }
          });
    }
  }

  /** A map is here no longer. */
  public void destroyed(String map) {
    TenantHoldings usage = usageOf(map);
    if (usage != null) {
      usage.mapGone(map);
    }
  }

  /**
   * Returns the uses of entries by the usage that they count for. Where the entries of a partition
   * count for several tenants, all uses of the partition are returned for each of them.
   */
  public Map<TenantHoldings, EntryUses> uses() {
    Map<TenantHoldings, EntryUses> uses = new HashMap<>();
    partitions.forEachStore(
        store -> {
          TenantHoldings usage = store.container().usage();
          if (usage != null) {
            NativeEntries entries = store.entries();
            long count = store.getLocalRecordStoreStats().getHits() + entries.written();
            EntryUses here = new EntryUses(count, entries.reused());
            add(uses, usage, here);
            store.forEachOther(number -> add(uses, writers.usage(number), here));
          }
        });
    return uses;
  }

  private static void add(
      Map<TenantHoldings, EntryUses> uses, @Nullable TenantHoldings usage, EntryUses more) {
    if (usage != null) {
      EntryUses _ = uses.merge(usage, more, EntryUses::plus);
    }
  }
}
