package io.keyvalueserve.maps.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.gates.reclaim.ReclaimAction;
import io.keyvalueserve.gates.reclaim.ReclaimReason;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReclaimHistoryTest {
  private static final Instant BEGIN = Instant.parse("2026-11-22T10:00:00Z");

  private final ReclaimHistory history = new ReclaimHistory();

  @Test
  void whatGoesOnIsOneEventForAMinute() {
    assertThat(history.add(event("acme", 0, 100, ""))).isTrue();
    assertThat(history.add(event("acme", 59, 200, ""))).isFalse();
    assertThat(history.latest())
        .containsExactly(
            new ReclaimHistory.Event(
                BEGIN,
                BEGIN.plusSeconds(59),
                "acme",
                ReclaimAction.SPILL,
                new ReclaimReason.OverQuota(200),
                300,
                2,
                ""));
    assertThat(history.add(event("acme", 60, 1, ""))).isTrue();
    assertThat(history.latest()).hasSize(2);
  }

  @Test
  void anotherTenantOrObstacleIsAnotherEventAndTheLastOneIsFirst() {
    history.add(event("acme", 0, 1, ""));
    assertThat(history.add(event("beta", 1, 1, ""))).isTrue();
    assertThat(history.add(event("acme", 2, 1, "the disk is full"))).isTrue();
    assertThat(history.add(event("acme", 3, 1, ""))).isFalse();
    assertThat(history.latest())
        .extracting(ReclaimHistory.Event::tenant)
        .containsExactly("acme", "acme", "beta");
    assertThat(history.latest().getFirst().bytes()).isEqualTo(2);
  }

  @Test
  void keepsTheLatestOnly() {
    for (int i = 0; i < 250; i++) {
      history.add(event("tenant-" + i, i, 1, ""));
    }
    assertThat(history.latest()).hasSize(200);
    assertThat(history.latest().getLast().tenant()).isEqualTo("tenant-50");
  }

  private static ReclaimHistory.Event event(
      String tenant, int seconds, long bytes, String obstacle) {
    Instant at = BEGIN.plusSeconds(seconds);
    return new ReclaimHistory.Event(
        at,
        at,
        tenant,
        ReclaimAction.SPILL,
        new ReclaimReason.OverQuota(bytes),
        bytes,
        1,
        obstacle);
  }
}
