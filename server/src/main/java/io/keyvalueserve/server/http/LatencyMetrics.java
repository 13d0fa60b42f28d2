package io.keyvalueserve.server.http;

import io.keyvalueserve.tenancy.TenantMeters;
import io.keyvalueserve.tenancy.latency.Latencies;
import io.keyvalueserve.tenancy.latency.LatencyMeter;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How long requests took on this member, as histograms of tenants and doors: 12 series for each
 * tenant at each door at which it has asked for anything. So many tenants and doors have their own,
 * in the order in which they were seen, and keep them; those that come later have one for each door
 * together, under the tenant {@code (rest)}. Thread-safe.
 */
final class LatencyMetrics implements Collector {
  /** How many tenants and doors have series of their own. */
  static final int MOST_OWN = 1_000;

  /** The tenant of the rest. No tenant can be called so. */
  static final String REST = "(rest)";

  private static final double NANOS = 1e9;

  private final Supplier<Map<TenantMeters.Key, LatencyMeter>> meters;
  private final Set<TenantMeters.Key> own = new LinkedHashSet<>();

  LatencyMetrics(Supplier<Map<TenantMeters.Key, LatencyMeter>> meters) {
    this.meters = meters;
  }

  private record Series(String tenant, String door) {}

  @Override
  public synchronized MetricSnapshot collect() {
    Map<TenantMeters.Key, LatencyMeter> now = meters.get();
    own.retainAll(now.keySet());
    Map<Series, Latencies> sums = new HashMap<>();
    now.forEach(
        (key, meter) -> {
          Latencies latencies = meter.latencies();
          if (latencies.count() > 0) {
            sums.merge(series(key), latencies, Latencies::plus);
          }
        });
    HistogramSnapshot.Builder histogram =
        HistogramSnapshot.builder()
            .name("kvs_request_seconds")
            .help("From when a request was read until its reply was handed to the network")
            .unit(Unit.SECONDS);
    sums.forEach((series, latencies) -> histogram.dataPoint(point(series, latencies)));
    return histogram.build();
  }

  private Series series(TenantMeters.Key key) {
    boolean isOwn = own.contains(key) || (own.size() < MOST_OWN && own.add(key));
    return new Series(isOwn ? key.tenant().value() : REST, key.door().label());
  }

  private static HistogramDataPointSnapshot point(Series series, Latencies latencies) {
    return HistogramDataPointSnapshot.builder()
        .labels(Labels.of("tenant", series.tenant(), "door", series.door()))
        .classicHistogramBuckets(buckets(latencies))
        .sum(latencies.sumNanos() / NANOS)
        .build();
  }

  private static ClassicHistogramBuckets buckets(Latencies latencies) {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    long[] bounds = Latencies.bounds();
    long[] below = latencies.below();
    long counted = 0;
    for (int i = 0; i < bounds.length; i++) {
      buckets.bucket(bounds[i] / NANOS, below[i] - counted);
      counted = below[i];
    }
    return buckets.bucket(Double.POSITIVE_INFINITY, latencies.count() - counted).build();
  }
}
