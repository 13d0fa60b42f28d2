package io.keyvalueserve.gates.reclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReclaimConfigTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void everyMistakeNamesItsFieldAndItsRange() {
    assertThatThrownBy(() -> new ReclaimConfig(0, 95, 90, MINUTE, 20, 0))
        .hasMessage("capacityBytes is 1 to 1000000000000000: 0");
    assertThatThrownBy(() -> new ReclaimConfig(1, 101, 90, MINUTE, 20, 0))
        .hasMessage("highPercent is 1 to 100: 101");
    assertThatThrownBy(() -> new ReclaimConfig(1, 80, 81, MINUTE, 20, 0))
        .hasMessage("lowPercent is 1 to 80: 81");
    assertThatThrownBy(() -> new ReclaimConfig(1, 80, 0, MINUTE, 20, 0))
        .hasMessage("lowPercent is 1 to 80: 0");
    assertThatThrownBy(() -> new ReclaimConfig(1, 95, 90, Duration.ZERO, 20, 0))
        .hasMessage("inactiveAfter is 1 ms or more: PT0S");
    assertThatThrownBy(() -> new ReclaimConfig(1, 95, 90, MINUTE, 101, 0))
        .hasMessage("lessActivePercent is 0 to 100: 101");
    assertThatThrownBy(() -> new ReclaimConfig(1, 95, 90, MINUTE, 20, -1))
        .hasMessage("floorBytes is 0 to 1000000000000000: -1");
  }

  @Test
  void mistakesAboutATenantNameTheirField() {
    assertThatThrownBy(() -> usage(0, 0, 0, 1, 0, 1)).hasMessage("tenant is 1 or more: 0");
    assertThatThrownBy(() -> usage(1, -1, 0, 1, 0, 1)).hasMessageStartingWith("heldBytes is 0 to");
    assertThatThrownBy(() -> usage(1, 0, Double.NaN, 1, 0, 1))
        .hasMessage("usesPerSecond is 0 or more: NaN");
    assertThatThrownBy(() -> new TenantMemory(1, 0, 0, 3, 4, 1, 0, 1, ReclaimAction.SPILL))
        .hasMessage("countedPerSecond is 0 to the uses, which are 3.0: 4.0");
    assertThatThrownBy(() -> usage(1, 0, 0, 0, 0, 1)).hasMessage("weight is 1 to 1000: 0");
    assertThatThrownBy(() -> usage(1, 0, 0, 1, 6, 5))
        .hasMessage("reservedBytes is 0 to the quota, which is 5: 6");
  }

  private static TenantMemory usage(
      int tenant, long held, double rate, int weight, long reserved, long quota) {
    return new TenantMemory(tenant, held, 0, rate, 0, weight, reserved, quota, ReclaimAction.SPILL);
  }

  @Test
  void memoryIsNeededAboveTheHighWatermarkDownToTheLow() {
    ReclaimConfig config = new ReclaimConfig(199, 95, 90, MINUTE, 20, 0);
    assertThat(config.neededBytes(189)).isZero();
    assertThat(config.neededBytes(190)).isEqualTo(11);
    ReclaimConfig most = ReclaimConfig.of(ReclaimConfig.MOST_BYTES);
    assertThat(most.neededBytes(ReclaimConfig.MOST_BYTES))
        .isEqualTo(ReclaimConfig.MOST_BYTES / 100 * 7);
  }
}
