package io.keyvalueserve.server.http;

import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.latency.Latencies;
import io.keyvalueserve.gates.latency.LatencyMeter;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.TenantName;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The latencies of requests on this member, as histograms of tenants and doors. There are 12 series
 * for each tenant at each door at which it has asked for anything. Some tenants have their own.
 * Those of all others are added up for each door, under the tenant {@code (rest)}. Thread-safe.
 */
final class LatencyMetrics implements Collector {
  private static final double NANOS = 1e9;

  private final Supplier<Map<TenantMeters.Key, LatencyMeter>> meters;
  private final Map<TenantMeters.Key, Latencies> own = new HashMap<>();
  private final Map<Door, Rest> rest = new EnumMap<>(Door.class);
  private Set<TenantName> chosen = Set.of();

  LatencyMetrics(Supplier<Map<TenantMeters.Key, LatencyMeter>> meters) {
    this.meters = meters;
  }

  /** Sets the tenants with series of their own. */
  synchronized void choose(Set<TenantName> tenants) {
    chosen = Set.copyOf(tenants);
  }

  @Override
  public synchronized MetricSnapshot collect() {
    Map<TenantMeters.Key, LatencyMeter> now = meters.get();
    own.forEach(
        (key, last) -> {
          if (!chosen.contains(key.tenant()) && now.containsKey(key)) {
            rest.computeIfAbsent(key.door(), door -> new Rest()).joins(last);
          }
        });
    own.clear();
    Map<Door, Latencies> others = new EnumMap<>(Door.class);
    now.forEach(
        (key, meter) -> {
          Latencies latencies = meter.latencies();
          if (latencies.count() > 0) {
            if (chosen.contains(key.tenant())) {
              own.put(key, latencies);
            } else {
              others.merge(key.door(), latencies, Latencies::plus);
            }
          }
        });
    HistogramSnapshot.Builder histogram =
        HistogramSnapshot.builder()
            .name("kvs_request_seconds")
            .help("From when a request was read until its reply was handed to the network")
            .unit(Unit.SECONDS);
    own.forEach(
        (key, latencies) ->
            histogram.dataPoint(
                point(key.tenant().value(), key.door(), counts(latencies), latencies.sumNanos())));
    others.forEach((door, sum) -> rest.computeIfAbsent(door, added -> new Rest()).update(sum));
    rest.forEach(
        (door, each) ->
            histogram.dataPoint(point(OwnTenants.REST, door, each.counts(), each.sum.shown())));
    return histogram.build();
  }

  /** The sum of all other tenants at one door. */
  private static final class Rest {
    final List<RestCounter> buckets =
        Stream.generate(RestCounter::new).limit(Latencies.bounds().length + 1L).toList();
    final RestCounter sum = new RestCounter();

    void update(Latencies latencies) {
      long[] counts = LatencyMetrics.counts(latencies);
      for (int i = 0; i < counts.length; i++) {
        long _ = buckets.get(i).update(counts[i]);
      }
      long _ = sum.update(latencies.sumNanos());
    }

    void joins(Latencies last) {
      long[] counts = LatencyMetrics.counts(last);
      for (int i = 0; i < counts.length; i++) {
        buckets.get(i).joins(counts[i]);
      }
      sum.joins(last.sumNanos());
    }

    long[] counts() {
      return buckets.stream().mapToLong(RestCounter::shown).toArray();
    }
  }

  /** Returns the number of requests between two bounds each, and beyond the last one. */
  private static long[] counts(Latencies latencies) {
    long[] below = latencies.below();
    long[] counts = new long[Latencies.bounds().length + 1];
    long counted = 0;
    for (int i = 0; i < below.length; i++) {
      counts[i] = below[i] - counted;
      counted = below[i];
    }
    counts[below.length] = latencies.count() - counted;
    return counts;
  }

  private static HistogramDataPointSnapshot point(
      String tenant, Door door, long[] counts, long sumNanos) {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    long[] bounds = Latencies.bounds();
    for (int i = 0; i < counts.length; i++) {
      buckets.bucket(i < bounds.length ? bounds[i] / NANOS : Double.POSITIVE_INFINITY, counts[i]);
    }
    return HistogramDataPointSnapshot.builder()
        .labels(Labels.of("tenant", tenant, "door", door.label()))
        .classicHistogramBuckets(buckets.build())
        .sum(sumNanos / NANOS)
        .build();
  }
}
