package io.keyvalueserve.gates.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class TenantGrowthsTest {
  private final TenantGrowths growths = new TenantGrowths();

  @Test
  void whatWasThereAtFirstIsNoGrowthAndWhatCameLongAgoHardlyCounts() {
    growths.look(1, 1_000);
    assertThat(growths.bytes(1)).isZero();
    growths.look(1, 1_400);
    assertThat(growths.bytes(1)).isEqualTo(400);
    growths.look(1, 1_300);
    growths.look(1, 1_310);
    assertThat(growths.bytes(1)).isEqualTo(110);
    for (int i = 0; i < 10; i++) {
      growths.look(1, 1_310);
    }
    assertThat(growths.bytes(1)).isZero();
  }

  /** It writes as fast as it is taken from. */
  @Test
  void whatIsTakenMeanwhileHidesNoGrowth() {
    growths.look(1, 1_000);
    growths.look(2, 1_000);
    growths.taken(1, 300);
    growths.taken(2, 300);
    growths.look(1, 1_000);
    growths.look(2, 700);
    assertThat(growths.bytes(1)).isEqualTo(300);
    assertThat(growths.bytes(2)).isZero();
    growths.taken(2, 5_000);
    growths.look(2, 0);
    assertThat(growths.bytes(2)).isZero();
  }

  @Test
  void whoIsGoneIsForgotten() {
    growths.look(1, 0);
    growths.look(1, 500);
    growths.look(2, 0);
    growths.look(2, 500);
    growths.keepOnly(Set.of(2));
    assertThat(growths.bytes(1)).isZero();
    assertThat(growths.bytes(2)).isEqualTo(500);
    growths.taken(1, 5);
    assertThat(growths.bytes(1)).isZero();
  }
}
