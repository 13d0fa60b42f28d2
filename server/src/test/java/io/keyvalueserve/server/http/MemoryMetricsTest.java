package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.Role;
import io.keyvalueserve.memory.Placement;
import io.keyvalueserve.memory.PoolReport;
import io.keyvalueserve.memory.SlabReport;
import io.keyvalueserve.memory.TierReport;
import io.keyvalueserve.server.MemoryFacts.MapUsage;
import io.keyvalueserve.server.MemoryReport;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MemoryMetricsTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /** Held by the test, as gauges do not hold what they tell of. */
  private final MemoryMetrics metrics = new MemoryMetrics(registry, report(0, List.of()));

  @Test
  void tellsTheFiguresOfEachPoolAndOfBlocks() {
    metrics.update(report(400, List.of()));
    assertThat(registry.scrape())
        .contains("kvs_memory_used_bytes{kind=\"file\",pool=\"p1\",tier=\"fast\"} 400.0")
        .contains("kvs_memory_capacity_bytes{kind=\"file\",pool=\"p1\",tier=\"fast\"} 1000.0")
        .contains(
            "kvs_memory_fragmentation_external_ratio{kind=\"file\",pool=\"p1\",tier=\"fast\"} 0.5")
        .contains("kvs_memory_returned_bytes_total{kind=\"file\",pool=\"p1\",tier=\"fast\"} 7.0")
        .contains("kvs_memory_slabs_bytes{state=\"requested\"} 60.0")
        .contains("kvs_memory_fragmentation_internal_ratio 0.25")
        .contains("kvs_memory_refusals_total 3.0")
        .contains("kvs_memory_pinned_bytes 12.0");
  }

  @Test
  void namesTheLargestMapsAndForgetsThoseThatAreGone() {
    List<MapUsage> maps = new ArrayList<>();
    for (int i = 1; i <= MemoryMetrics.MOST_MAPS + 10; i++) {
      maps.add(new MapUsage("acme", "m" + i, i, 0, i));
    }
    metrics.update(report(0, maps));
    assertThat(registry.scrape().lines().filter(line -> line.startsWith("kvs_map_bytes{")))
        .hasSize(MemoryMetrics.MOST_MAPS + 1)
        .contains("kvs_map_bytes{map=\"m11\",tenant=\"acme\"} 11.0")
        .contains("kvs_map_bytes{map=\"(rest)\",tenant=\"(rest)\"} 55.0");

    metrics.update(report(0, List.of(new MapUsage("globex", "orders", 4, 5, 6))));
    assertThat(registry.scrape().lines().filter(line -> line.startsWith("kvs_map_")))
        .containsExactlyInAnyOrder(
            "kvs_map_bytes{map=\"orders\",tenant=\"globex\"} 6.0",
            "kvs_map_entries{copy=\"primary\",map=\"orders\",tenant=\"globex\"} 4.0",
            "kvs_map_entries{copy=\"backup\",map=\"orders\",tenant=\"globex\"} 5.0");
  }

  private static MemoryReport report(long used, List<MapUsage> maps) {
    PoolReport pool =
        new PoolReport("p1", "file", "/mnt", -1, 1000, used, used, 7, (1000 - used) / 2);
    return new MemoryReport(
        new MemberInfo(new UUID(0, 1), "127.0.0.1:5801", true, "5.7.0", Role.DATA),
        List.of(new TierReport("fast", Placement.LOCAL, List.of(pool))),
        new SlabReport(100, 0, 80, 60, 0),
        3,
        12,
        maps);
  }
}
