package io.keyvalueserve.server.http;

import io.keyvalueserve.server.Hibernating;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

/** The figures of tenants that leave memory, as metrics. Thread-safe. */
final class HibernationMetrics implements MultiCollector {
  private static final double MILLIS = 1e3;

  private final Hibernating hibernating;

  HibernationMetrics(Hibernating hibernating) {
    this.hibernating = hibernating;
  }

  @Override
  public MetricSnapshots collect() {
    Hibernating.Figures figures = hibernating.figures();
    return MetricSnapshots.of(
        gauge(
            "kvs_hibernated_tenants",
            "Tenants of the cluster that are not in memory",
            (double) figures.asleep()),
        gauge(
            "kvs_hibernated_bytes",
            "Bytes that these tenants have in repositories",
            (double) figures.asleepBytes()),
        counter(
            "kvs_hibernations",
            "Tenants that this member has put to sleep",
            (double) figures.slept()),
        counter(
            "kvs_wakes",
            "Tenants that this member has read back into memory",
            (double) figures.woken()),
        counter(
            "kvs_wake_first_seconds",
            "The time until what the first request needs was there, of all wakes together",
            figures.firstMillis() / MILLIS),
        gauge(
            "kvs_wake_first_longest_seconds",
            "The longest time until what the first request needs was there",
            figures.longestMillis() / MILLIS));
  }

  private static GaugeSnapshot gauge(String name, String help, double value) {
    return GaugeSnapshot.builder()
        .name(name)
        .help(help)
        .dataPoint(GaugeDataPointSnapshot.builder().value(value).build())
        .build();
  }

  private static CounterSnapshot counter(String name, String help, double value) {
    return CounterSnapshot.builder()
        .name(name)
        .help(help)
        .dataPoint(CounterDataPointSnapshot.builder().value(value).build())
        .build();
  }
}
