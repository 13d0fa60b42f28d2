package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.latency.LaneNumbers;
import io.keyvalueserve.gates.latency.LatencyMeter;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.TenantName;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    choose("acme");
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
  void thoseWithoutSeriesOfTheirOwnShareOne() {
    choose("acme");
    meter("acme", Door.RESP).lane().record(1_000_000, 1);
    meter("late", Door.RESP).lane().record(1_000_000, 3);
    meter("later", Door.RESP).lane().record(1_000_000, 4);
    assertThat(metrics.collect().getDataPoints()).hasSize(2);
    assertThat(point("(rest)", "resp").getCount()).isEqualTo(7);
    assertThat(point("acme", "resp").getCount()).isEqualTo(1);
  }

  @Test
  void whatTheOthersDidNeverBecomesLess() {
    choose("acme");
    meter("acme", Door.RESP).lane().record(1_000_000, 1);
    meter("late", Door.RESP).lane().record(1_000_000, 3);
    meter("later", Door.RESP).lane().record(1_000_000, 4);
    assertThat(point("(rest)", "resp").getCount()).isEqualTo(7);

    choose("late"); // acme joins the others, late leaves them
    assertThat(point("late", "resp").getCount()).isEqualTo(3);
    assertThat(point("(rest)", "resp").getCount()).isEqualTo(7);
    meter("acme", Door.RESP).lane().record(1_000_000, 10);
    assertThat(point("(rest)", "resp").getCount()).isEqualTo(17);

    meters.remove(new TenantMeters.Key(new TenantName("later"), Door.RESP));
    assertThat(point("(rest)", "resp").getCount()).isEqualTo(17);
    meter("acme", Door.RESP).lane().record(1_000_000, 1);
    assertThat(point("(rest)", "resp").getCount()).isEqualTo(18);
  }

  private void choose(String... tenants) {
    metrics.choose(Stream.of(tenants).map(TenantName::new).collect(Collectors.toSet()));
  }
}
