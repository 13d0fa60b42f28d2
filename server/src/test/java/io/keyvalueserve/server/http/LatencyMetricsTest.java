package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.TenantMeters;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.latency.LaneNumbers;
import io.keyvalueserve.tenancy.latency.LatencyMeter;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LatencyMetricsTest {
  private final Map<TenantMeters.Key, LatencyMeter> meters = new HashMap<>();
  private final LatencyMetrics metrics = new LatencyMetrics(() -> meters);

  private LatencyMeter meter(String tenant, Door door) {
    return meters.computeIfAbsent(
        new TenantMeters.Key(new TenantName(tenant), door),
        added -> new LatencyMeter(new LaneNumbers(2)));
  }

  private HistogramDataPointSnapshot point(String tenant, String door) {
    return ((HistogramSnapshot) metrics.collect())
        .getDataPoints().stream()
            .filter(point -> tenant.equals(point.getLabels().get("tenant")))
            .filter(point -> door.equals(point.getLabels().get("door")))
            .findFirst()
            .orElseThrow();
  }

  @Test
  void bucketsHaveTheRequestsBelowTheirBounds() {
    meter("acme", Door.RESP).lane().record(65_535, 1);
    meter("acme", Door.RESP).lane().record(65_536, 2);
    meter("acme", Door.RESP).lane().record(9_000_000_000L, 4);

    HistogramDataPointSnapshot point = point("acme", "resp");

    assertThat(point.getCount()).isEqualTo(7);
    assertThat(point.getClassicBuckets().size()).isEqualTo(10);
    assertThat(point.getClassicBuckets().getUpperBound(0)).isEqualTo(65_536e-9);
    assertThat(point.getClassicBuckets().getCount(0)).isEqualTo(1);
    assertThat(point.getClassicBuckets().getCount(1)).isEqualTo(2);
    assertThat(point.getClassicBuckets().getCount(9)).isEqualTo(4);
    assertThat(point.getSum()).isEqualTo(36.000196607);
  }

  @Test
  void aTenantThatAsksForNothingHasNoSeries() {
    assertThat(meter("acme", Door.HTTP).latencies().count()).isZero();
    assertThat(metrics.collect().getDataPoints()).isEmpty();
  }

  @Test
  void thoseWhoComeWhenThereAreManyShareSeries() {
    for (int i = 0; i < LatencyMetrics.MOST_OWN; i++) {
      meter("t" + i, Door.RESP).lane().record(1_000_000, 1);
    }
    assertThat(metrics.collect().getDataPoints()).hasSize(LatencyMetrics.MOST_OWN);
    meter("late", Door.RESP).lane().record(1_000_000, 3);
    meter("later", Door.RESP).lane().record(1_000_000, 4);
    assertThat(metrics.collect().getDataPoints()).hasSize(LatencyMetrics.MOST_OWN + 1);
    assertThat(point("(rest)", "resp").getCount()).isEqualTo(7);
    assertThat(point("t0", "resp").getCount()).isEqualTo(1);

    // A place that a deleted tenant leaves is taken.
    meters.remove(new TenantMeters.Key(new TenantName("t0"), Door.RESP));
    assertThat(metrics.collect().getDataPoints()).hasSize(LatencyMetrics.MOST_OWN + 1);
    assertThat(point("(rest)", "resp").getCount()).isIn(3L, 4L);
  }
}
