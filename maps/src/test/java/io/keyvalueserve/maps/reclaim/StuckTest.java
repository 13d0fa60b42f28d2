package io.keyvalueserve.maps.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StuckTest {
  private final Stuck stuck = new Stuck();

  @Test
  void aTenantIsLeftAloneForAWhile() {
    assertThat(stuck.isOne(1, 1_000, 0)).isFalse();
    stuck.note(1, 1_000, 0);
    assertThat(stuck.isOne(1, 1_000, 9_999)).isTrue();
    assertThat(stuck.isOne(2, 1_000, 9_999)).isFalse();
    assertThat(stuck.isOne(1, 1_000, 10_000)).isFalse();
    assertThat(stuck.isOne(1, 1_000, 1)).as("it was forgotten").isFalse();
  }

  @Test
  void whoHoldsMoreIsAskedAgain() {
    stuck.note(1, 1_000, 0);
    assertThat(stuck.isOne(1, 1_050, 1)).isTrue();
    assertThat(stuck.isOne(1, 1_051, 1)).isFalse();
  }
}
