package io.keyvalueserve.gates.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a background thread leaves its core, and how. */
final class CooperativeYieldTest {
  private long now;
  private long awayNanos;
  private int yields;
  private int naps;
  private final CooperativeYield others =
      new CooperativeYield(() -> now, () -> leave(++yields), () -> leave(++naps));

  private void leave(int count) {
    assertThat(count).isPositive();
    now += awayNanos;
  }

  private void work(long nanos) {
    now += nanos;
    others.check();
  }

  @Test
  void itWorksOnForAWhile() {
    for (int i = 0; i < 49; i++) {
      work(1_000);
    }
    assertThat(yields).isZero();
    work(1_000);
    assertThat(yields).isEqualTo(1);
  }

  @Test
  void whatItWasAwayIsNoWork() {
    awayNanos = CooperativeYield.BURST_NANOS;
    work(CooperativeYield.BURST_NANOS);
    work(CooperativeYield.BURST_NANOS - 1);
    assertThat(yields).isEqualTo(1);
  }

  @Test
  void itYieldsWhileItComesBackSoon() {
    awayNanos = CooperativeYield.STARVED_NANOS - 1;
    for (int i = 0; i < 100; i++) {
      work(CooperativeYield.BURST_NANOS);
    }
    assertThat(yields).isEqualTo(100);
    assertThat(naps).isZero();
  }

  @Test
  void itSleepsForAWhileWhenItIsStarved() {
    awayNanos = CooperativeYield.STARVED_NANOS;
    work(CooperativeYield.BURST_NANOS);
    assertThat(yields).isEqualTo(1);
    for (int i = 1; i <= CooperativeYield.NAPS; i++) {
      work(CooperativeYield.BURST_NANOS);
      assertThat(naps).isEqualTo(i);
    }
    work(CooperativeYield.BURST_NANOS); // whether it is still so
    assertThat(yields).isEqualTo(2);
    assertThat(naps).isEqualTo(CooperativeYield.NAPS);
  }
}
