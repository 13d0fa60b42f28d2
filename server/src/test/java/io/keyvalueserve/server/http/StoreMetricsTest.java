package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.grid.external.MapStoreStatus;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoreMetricsTest {
  private static final long NOW = 1_000_000;

  private final Map<String, MapStoreStatus> maps = new HashMap<>();

  private String scrape() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.getPrometheusRegistry().register(new StoreMetrics(() -> maps, () -> NOW));
    return registry.scrape(MetricsText.CONTENT_TYPE);
  }

  @Test
  void tellsOfEachMap() {
    assertThat(scrape()).doesNotContain("kvs_store");
    maps.put("acme/orders", new MapStoreStatus(12, 2, NOW - 2_500, 7, 20, 3, 1_000, 4, "down"));
    maps.put("acme/idle", MapStoreStatus.NONE);

    String labels = "{map=\"orders\",tenant=\"acme\"}";
    assertThat(scrape())
        .contains("# TYPE kvs_store_waiting_writes gauge", "# TYPE kvs_store_loaded_rows counter")
        .contains("kvs_store_waiting_writes" + labels + " 12.0")
        .contains("kvs_store_dead_letters" + labels + " 2.0")
        .contains("kvs_store_oldest_write_seconds" + labels + " 2.5")
        .contains("kvs_store_loaded_rows_total" + labels + " 20.0")
        .contains("kvs_store_written_rows_total" + labels + " 1000.0")
        .contains("kvs_store_failures_total" + labels + " 4.0")
        .contains("kvs_store_up" + labels + " 0.0")
        .contains("kvs_store_up{map=\"idle\",tenant=\"acme\"} 1.0")
        .contains("kvs_store_oldest_write_seconds{map=\"idle\",tenant=\"acme\"} 0.0");
  }

  @Test
  void theRestHasOneSeries() {
    for (int i = 0; i < StoreMetrics.MOST_MAPS + 3; i++) {
      maps.put("acme/m%03d".formatted(i), new MapStoreStatus(1, 0, 0, 0, 0, 0, 0, 0, null));
    }
    assertThat(scrape())
        .contains("kvs_store_waiting_writes{map=\"m199\",tenant=\"acme\"} 1.0")
        .contains("kvs_store_waiting_writes{map=\"(rest)\",tenant=\"(rest)\"} 3.0")
        .doesNotContain("m200");
  }
}
