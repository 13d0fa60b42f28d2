package io.keyvalueserve.server;

import io.keyvalueserve.maps.NativeMapUsage;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.memory.PoolReport;
import io.keyvalueserve.memory.SlabReport;
import io.keyvalueserve.memory.TierReport;
import io.keyvalueserve.server.config.MemoryPlan;
import io.keyvalueserve.server.config.Sizes;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The memory of this member's maps. The grid's member opens and closes it. */
final class MemberMemory implements MemoryFacts {
  private static final Logger LOG = LoggerFactory.getLogger(MemberMemory.class);

  private final NativeMaps maps;

  MemberMemory(NativeMaps maps) {
    this.maps = maps;
  }

  /** Tells the log what there is, a line for each pool. */
  void log(MemoryPlan plan) {
    LOG.info("memory for entries: {} ({})", Sizes.text(plan.heap().capacityBytes()), plan.origin());
    tiers().forEach(MemberMemory::log);
  }

  private static void log(TierReport tier) {
    for (PoolReport pool : tier.pools()) {
      LOG.info(
          "tier {} ({}), pool {}: {} of kind {}{}{}",
          tier.name(),
          tier.placement().name().toLowerCase(Locale.ROOT).replace('_', '-'),
          pool.name(),
          Sizes.text(pool.capacityBytes()),
          pool.kind(),
          pool.detail().isEmpty() ? "" : ", " + pool.detail(),
          pool.node() < 0 ? "" : ", on NUMA node " + pool.node());
    }
  }

  @Override
  public List<TierReport> tiers() {
    return maps.heap().tiers();
  }

  @Override
  public SlabReport blocks() {
    return maps.heap().blocks();
  }

  @Override
  public long refusals() {
    return maps.heap().refusals();
  }

  @Override
  public long pinnedBytes() {
    return maps.heap().pinnedBytes();
  }

  @Override
  public List<MapUsage> maps() {
    return maps.usage().stream().map(MemberMemory::usage).toList();
  }

  private static MapUsage usage(NativeMapUsage usage) {
    return QualifiedName.parse(usage.map())
        .map(name -> usage(name.tenant().value(), name.map().value(), usage))
        .orElseGet(() -> usage("", usage.map(), usage));
  }

  private static MapUsage usage(String tenant, String map, NativeMapUsage usage) {
    return new MapUsage(tenant, map, usage.primaryEntries(), usage.backupEntries(), usage.bytes());
  }

  @Override
  public long returnToOs() {
    return maps.heap().returnToOs();
  }
}
