package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.Role;
import io.keyvalueserve.memory.SlabReport;
import io.keyvalueserve.server.MemoryFacts.MapUsage;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MemoryReportTest {
  private static final List<MapUsage> MAPS =
      List.of(
          new MapUsage("acme", "small", 1, 2, 10),
          new MapUsage("globex", "orders", 10, 20, 300),
          new MapUsage("", "kvs.catalogue", 5, 0, 50),
          new MapUsage("acme", "orders", 100, 200, 295));

  @Test
  void sortsMapsAndSumsTenantsWithTheLargestFirst() {
    MemoryReport report = report();
    assertThat(report.maps()).extracting(MapUsage::bytes).containsExactly(300L, 295L, 50L, 10L);
    assertThat(report.tenants())
        .containsExactly(
            new MapUsage("acme", "", 101, 202, 305), new MapUsage("globex", "", 10, 20, 300));
  }

  @Test
  void putsAllButTheLargestMapsTogether() {
    assertThat(report().largestMaps(4, "(rest)")).isEqualTo(report().maps());
    assertThat(report().largestMaps(2, "(rest)"))
        .hasSize(3)
        .endsWith(new MapUsage("(rest)", "(rest)", 6, 2, 60));
  }

  private static MemoryReport report() {
    MemberInfo member = new MemberInfo(new UUID(0, 1), "127.0.0.1:5801", true, "5.7.0", Role.DATA);
    return new MemoryReport(member, List.of(), new SlabReport(0, 0, 0, 0, 0), 0, 0, MAPS);
  }
}
