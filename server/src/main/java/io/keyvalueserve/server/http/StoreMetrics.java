package io.keyvalueserve.server.http;

import io.keyvalueserve.grid.external.MapStoreStatus;
import io.keyvalueserve.tenancy.QualifiedName;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The figures of this member's maps with external stores, as metrics. The first maps by name have
 * series of their own, and the others have one together. Thread-safe.
 */
final class StoreMetrics implements MultiCollector {
  /** The most maps that have series of their own. */
  static final int MOST_MAPS = 200;

  private static final double MILLIS = 1e3;

  private final Supplier<Map<String, MapStoreStatus>> source;
  private final LongSupplier clock;

  /**
   * @param source statuses by maps' names in the grid
   * @param clock the time in milliseconds since 1970
   */
  StoreMetrics(Supplier<Map<String, MapStoreStatus>> source, LongSupplier clock) {
    this.source = source;
    this.clock = clock;
  }

  @Override
  public MetricSnapshots collect() {
    Map<Labels, MapStoreStatus> maps = byLabels();
    if (maps.isEmpty()) {
      return MetricSnapshots.of();
    }
    long now = clock.getAsLong();
    return MetricSnapshots.of(
        gauge(
            "kvs_store_waiting_writes",
            "Keys with a write that the map's external store does not have, dead letters included",
            maps,
            MapStoreStatus::waiting),
        gauge(
            "kvs_store_dead_letters",
            "Writes that the map's external store has refused for good",
            maps,
            MapStoreStatus::dead),
        gauge(
            "kvs_store_oldest_write_seconds",
            "The age of the oldest write that waits for the map's external store; 0 if none does",
            maps,
            status -> age(status, now)),
        counter(
            "kvs_store_loaded_rows",
            "Rows that were loaded from the map's external store",
            maps,
            MapStoreStatus::loaded),
        counter(
            "kvs_store_written_rows",
            "Rows that were written to the map's external store, or deleted there",
            maps,
            MapStoreStatus::written),
        counter(
            "kvs_store_failures",
            "How often the map's external store has not done what it was asked for",
            maps,
            MapStoreStatus::failures),
        gauge(
            "kvs_store_up",
            "1 while the map's external store does what it is asked for, else 0",
            maps,
            status -> status.problem() == null ? 1 : 0));
  }

  private Map<Labels, MapStoreStatus> byLabels() {
    Map<Labels, MapStoreStatus> maps = new LinkedHashMap<>();
    new TreeMap<>(source.get())
        .forEach(
            (name, status) ->
                QualifiedName.parse(name)
                    .ifPresent(
                        map -> maps.merge(labels(map, maps.size()), status, MapStoreStatus::plus)));
    return maps;
  }

  private static Labels labels(QualifiedName map, int before) {
    return before < MOST_MAPS
        ? Labels.of("tenant", map.tenant().value(), "map", map.map().value())
        : Labels.of("tenant", MemoryMetrics.REST, "map", MemoryMetrics.REST);
  }

  private static double age(MapStoreStatus status, long now) {
    return status.oldestMillis() == 0 ? 0 : Math.max(0, now - status.oldestMillis()) / MILLIS;
  }

  private static GaugeSnapshot gauge(
      String name,
      String help,
      Map<Labels, MapStoreStatus> maps,
      ToDoubleFunction<MapStoreStatus> figure) {
    GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(help);
    maps.forEach(
        (labels, status) ->
            gauge.dataPoint(
                GaugeDataPointSnapshot.builder()
                    .labels(labels)
                    .value(figure.applyAsDouble(status))
                    .build()));
    return gauge.build();
  }

  private static CounterSnapshot counter(
      String name,
      String help,
      Map<Labels, MapStoreStatus> maps,
      ToDoubleFunction<MapStoreStatus> figure) {
    CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
    maps.forEach(
        (labels, status) ->
            counter.dataPoint(
                CounterDataPointSnapshot.builder()
                    .labels(labels)
                    .value(figure.applyAsDouble(status))
                    .build()));
    return counter.build();
  }
}
