package io.keyvalueserve.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DescriptorPlanTest {
  private static final long HEAP = 256L << 20;

  @ParameterizedTest
  @ValueSource(longs = {400, 1024, 4096, 20_000, 65_536, 1 << 20})
  void leavesAReserveForFilesMembersAndHazelcastClients(long descriptors) {
    DescriptorPlan plan = DescriptorPlan.fit(descriptors, 1_000_000, 0, HEAP);
    long reserve = Math.max(256, descriptors / 4);
    assertThat(plan.respClients() + plan.httpConnections() + reserve).isLessThan(descriptors);
    assertThat(plan.respClients()).isPositive();
    assertThat(plan.httpConnections()).isPositive();
  }

  @Test
  void saysWhatItMadeSmaller() {
    DescriptorPlan plan = DescriptorPlan.fit(20_000, 20_000, 0, HEAP);
    assertThat(plan.respClients()).isLessThan(20_000 - 5_000);
    assertThat(plan.note().orElseThrow())
        .contains("20000 file descriptors", "resp.max-clients=" + plan.respClients(), "ulimit -n");
  }

  @Test
  void keepsWhatFits() {
    DescriptorPlan plan = DescriptorPlan.fit(1 << 20, 20_000, 500, HEAP);
    assertThat(plan.respClients()).isEqualTo(20_000);
    assertThat(plan.httpConnections()).isEqualTo(500);
    assertThat(plan.note()).isEmpty();
  }

  @Test
  void keepsTheHeapFreeOfHttpConnections() {
    assertThat(DescriptorPlan.fit(0, 20_000, 0, HEAP).httpConnections())
        .isEqualTo((int) (HEAP / 8 / (24 << 10)));
  }
}
