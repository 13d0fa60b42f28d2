package io.keyvalueserve.server.http;

import io.keyvalueserve.journal.spill.SpillStatistics;
import io.keyvalueserve.maps.reclaim.MemoryReclaimer.Held;
import io.keyvalueserve.maps.reclaim.MemoryReclaimer.Total;
import io.keyvalueserve.server.ReclaimView;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;

/** The memory that this member has reclaimed, and its values on the disk. Not thread-safe. */
final class ReclaimMetrics {
  /** The most tenants that have series: those with the largest figures. */
  static final int MOST = 200;

  private final AtomicReference<ReclaimView> latest;
  private final MultiGauge bytes;
  private final MultiGauge records;
  private final MultiGauge held;

  ReclaimMetrics(MeterRegistry registry, ReclaimView first) {
    latest = new AtomicReference<>(first);
    bytes =
        MultiGauge.builder("kvs.reclaimed")
            .description("Memory that came free by reclaiming since the member started")
            .baseUnit("bytes")
            .register(registry);
    records =
        MultiGauge.builder("kvs.reclaimed.records")
            .description("Records that gave up their values, or were deleted, since then")
            .register(registry);
    held =
        MultiGauge.builder("kvs.reclaim.held")
            .description("How often writes of who has too much memory were made to wait since then")
            .baseUnit("times")
            .register(registry);
    FunctionCounter.builder("kvs.memory.compacted", latest, view -> view.get().compactedBytes())
        .description("Pages that came free by moving records")
        .baseUnit("bytes")
        .register(registry);
    if (first.spill() != null) {
      registerSpill(registry);
    }
  }

  private void registerSpill(MeterRegistry registry) {
    gauge(registry, "used", "bytes", "Taken of the disk", SpillStatistics::usedBytes);
    gauge(
        registry, "capacity", "bytes", "May be taken of the disk", SpillStatistics::capacityBytes);
    gauge(registry, "values", "values", "Values on the disk", SpillStatistics::values);
    counter(registry, "written", "Values that left memory", SpillStatistics::valuesWritten);
    counter(registry, "read", "Values that were read back", SpillStatistics::valuesRead);
  }

  private void gauge(
      MeterRegistry registry,
      String name,
      String unit,
      String description,
      ToDoubleFunction<SpillStatistics> figure) {
    Gauge.builder("kvs.spill." + name, latest, view -> figure(view.get(), figure))
        .description(description)
        .baseUnit(unit)
        .register(registry);
  }

  private void counter(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<SpillStatistics> figure) {
    FunctionCounter.builder("kvs.spill." + name, latest, view -> figure(view.get(), figure))
        .description(description)
        .baseUnit("values")
        .register(registry);
  }

  private static double figure(ReclaimView view, ToDoubleFunction<SpillStatistics> figure) {
    return view.spill() == null ? 0 : figure.applyAsDouble(view.spill());
  }

  private static List<Total> largest(List<Total> totals) {
    return totals.stream()
        .sorted(Comparator.comparingLong(Total::bytes).reversed())
        .limit(MOST)
        .toList();
  }

  /** Takes the figures for the next scrape. */
  void update(ReclaimView view) {
    latest.set(view);
    List<Row<?>> byteRows = new ArrayList<>();
    List<Row<?>> recordRows = new ArrayList<>();
    for (Total total : largest(view.totals())) {
      Tags tags =
          Tags.of(
              "tenant",
              total.tenant(),
              "reason",
              ReclaimRoutes.text(total.reason()),
              "action",
              ReclaimRoutes.text(total.action()));
      byteRows.add(Row.of(tags, total.bytes()));
      recordRows.add(Row.of(tags, total.records()));
    }
    List<Row<?>> heldRows = new ArrayList<>();
    List<Held> most =
        view.held().stream()
            .sorted(Comparator.comparingLong(Held::times).reversed())
            .limit(MOST)
            .toList();
    for (Held one : most) {
      heldRows.add(Row.of(Tags.of("tenant", one.tenant()), one.times()));
    }
    held.register(heldRows, true);
    bytes.register(byteRows, true);
    records.register(recordRows, true);
  }
}
