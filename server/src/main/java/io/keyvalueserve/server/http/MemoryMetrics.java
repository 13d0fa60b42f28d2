package io.keyvalueserve.server.http;

import io.keyvalueserve.memory.PoolReport;
import io.keyvalueserve.memory.SlabReport;
import io.keyvalueserve.memory.TierReport;
import io.keyvalueserve.server.MemoryFacts.MapUsage;
import io.keyvalueserve.server.MemoryReport;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The memory of this member as metrics. Pools are few and the same for life; maps come and go, and
 * a tenant can make any number of them: so the largest have series of their own, and the rest has
 * one together. Not thread-safe.
 */
final class MemoryMetrics {
  /** The most maps that have series of their own. */
  static final int MOST_MAPS = 200;

  /** The tenant and map of the rest. No tenant can be called so. */
  static final String REST = "(rest)";

  private final AtomicReference<MemoryReport> latest;
  private final MultiGauge entries;
  private final MultiGauge bytes;

  MemoryMetrics(MeterRegistry registry, MemoryReport first) {
    latest = new AtomicReference<>(first);
    for (int tier = 0; tier < first.tiers().size(); tier++) {
      for (int pool = 0; pool < first.tiers().get(tier).pools().size(); pool++) {
        registerPool(registry, tier, pool);
      }
    }
    registerBlocks(registry);
    FunctionCounter.builder("kvs.memory.refusals", latest, report -> report.get().refusals())
        .description("How often no tier had room for a block")
        .register(registry);
    Gauge.builder("kvs.memory.pinned", latest, report -> report.get().pinnedBytes())
        .description("Of large values that are being sent to clients, or received from them")
        .baseUnit("bytes")
        .register(registry);
    entries =
        MultiGauge.builder("kvs.map.entries")
            .description("Entries on this member, of the largest maps and of the rest")
            .register(registry);
    bytes =
        MultiGauge.builder("kvs.map")
            .description("Memory on this member, of the largest maps and of the rest")
            .baseUnit("bytes")
            .register(registry);
  }

  /** Takes the figures for the next scrape. */
  void update(MemoryReport report) {
    latest.set(report);
    List<Row<?>> entryRows = new ArrayList<>();
    List<Row<?>> byteRows = new ArrayList<>();
    for (MapUsage map : report.largestMaps(MOST_MAPS, REST)) {
      Tags tags = Tags.of("tenant", map.tenant(), "map", map.map());
      entryRows.add(Row.of(tags.and("copy", "primary"), map.entries()));
      entryRows.add(Row.of(tags.and("copy", "backup"), map.backupEntries()));
      byteRows.add(Row.of(tags, map.bytes()));
    }
    entries.register(entryRows, true);
    bytes.register(byteRows, true);
  }

  private void registerPool(MeterRegistry registry, int tierIndex, int poolIndex) {
    TierReport tier = latest.get().tiers().get(tierIndex);
    PoolReport first = tier.pools().get(poolIndex);
    Tags tags = Tags.of("tier", tier.name(), "pool", first.name(), "kind", first.kind());
    Function<AtomicReference<MemoryReport>, PoolReport> pool =
        report -> report.get().tiers().get(tierIndex).pools().get(poolIndex);
    bytes(registry, "capacity", "May be held by the pool", tags, pool, PoolReport::capacityBytes);
    bytes(registry, "used", "Taken from the pool, in pages", tags, pool, PoolReport::usedBytes);
    bytes(
        registry, "resident", "Touched and not given back", tags, pool, PoolReport::residentBytes);
    bytes(
        registry,
        "largest.free.run",
        "The longest run of free pages",
        tags,
        pool,
        PoolReport::largestFreeRunBytes);
    Gauge.builder(
            "kvs.memory.fragmentation.external",
            latest,
            report -> pool.apply(report).externalFragmentation())
        .description("The part of the pool's free bytes outside its longest free run")
        .baseUnit("ratio")
        .tags(tags)
        .register(registry);
    FunctionCounter.builder(
            "kvs.memory.returned", latest, report -> pool.apply(report).returnedBytes())
        .description("Given back to the operating system")
        .baseUnit("bytes")
        .tags(tags)
        .register(registry);
  }

  private void bytes(
      MeterRegistry registry,
      String name,
      String description,
      Tags tags,
      Function<AtomicReference<MemoryReport>, PoolReport> pool,
      ToDoubleFunction<PoolReport> figure) {
    Gauge.builder("kvs.memory." + name, latest, report -> figure.applyAsDouble(pool.apply(report)))
        .description(description)
        .baseUnit("bytes")
        .tags(tags)
        .register(registry);
  }

  private void registerBlocks(MeterRegistry registry) {
    blocks(registry, "held", SlabReport::held);
    blocks(registry, "cached", SlabReport::cached);
    blocks(registry, "blocks", SlabReport::blocks);
    blocks(registry, "requested", SlabReport::requested);
    blocks(registry, "limbo", SlabReport::limbo);
    ratio(
        registry,
        "internal",
        "The part of blocks in use that nobody asked for",
        SlabReport::internalFragmentation);
    ratio(registry, "slab", "The part of slabs that is not in use", SlabReport::slabFragmentation);
  }

  private void blocks(MeterRegistry registry, String state, ToDoubleFunction<SlabReport> figure) {
    Gauge.builder("kvs.memory.slabs", latest, report -> figure.applyAsDouble(report.get().blocks()))
        .description("What the pages in use are made of")
        .baseUnit("bytes")
        .tag("state", state)
        .register(registry);
  }

  private void ratio(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<SlabReport> figure) {
    Gauge.builder(
            "kvs.memory.fragmentation." + name,
            latest,
            report -> figure.applyAsDouble(report.get().blocks()))
        .description(description)
        .baseUnit("ratio")
        .register(registry);
  }
}
