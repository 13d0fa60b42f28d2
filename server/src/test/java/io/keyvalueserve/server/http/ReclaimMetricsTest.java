package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.gates.reclaim.ReclaimAction;
import io.keyvalueserve.gates.reclaim.ReclaimConfig;
import io.keyvalueserve.gates.reclaim.ReclaimReason;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.Role;
import io.keyvalueserve.maps.reclaim.MemoryReclaimer.Held;
import io.keyvalueserve.maps.reclaim.MemoryReclaimer.Total;
import io.keyvalueserve.server.ReclaimView;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReclaimMetricsTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  private static ReclaimView view(List<Total> totals, List<Held> held) {
    return new ReclaimView(
        new MemberInfo(new UUID(0, 1), "127.0.0.1:5801", true, "5.7.0", Role.DATA),
        new ReclaimConfig(1000, 95, 93, Duration.ofMinutes(10), 20, 10),
        null,
        0,
        0,
        totals,
        held,
        List.of());
  }

  @Test
  void tellsWhatWasTakenAndWhoWasMadeToWait() {
    ReclaimMetrics metrics = new ReclaimMetrics(registry, view(List.of(), List.of()));
    Total total = new Total("acme", ReclaimReason.Kind.LESS_ACTIVE, ReclaimAction.SPILL, 700, 7);
    metrics.update(view(List.of(total), List.of(new Held("globex", 3))));
    assertThat(registry.scrape())
        .contains(
            "kvs_reclaimed_bytes{action=\"spill\",reason=\"less-active\",tenant=\"acme\"} 700.0")
        .contains(
            "kvs_reclaimed_records{action=\"spill\",reason=\"less-active\",tenant=\"acme\"} 7.0")
        .contains("kvs_reclaim_held_times{tenant=\"globex\"} 3.0");

    metrics.update(view(List.of(), List.of()));
    assertThat(registry.scrape()).doesNotContain("globex", "acme");
  }
}
