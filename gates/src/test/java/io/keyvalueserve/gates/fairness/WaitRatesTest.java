package io.keyvalueserve.gates.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Goal: what is shown of waits is of late, and names those that were served meanwhile. */
class WaitRatesTest {
  private static final long SECOND = 1_000_000_000L;

  private final WaitRates rates = new WaitRates();

  @Test
  void oneLookSaysNothing() {
    rates.look(List.of(waits(1, 5 * SECOND, 4 * SECOND, aggressor(2, 4 * SECOND, 0))), 0);
    assertThat(rates.of(1)).isEqualTo(WaitRates.Rates.NONE);
  }

  @Test
  void tellsWhatWasWaitedBetweenLooksAndBehindWhom() {
    rates.look(List.of(waits(1, SECOND, SECOND, aggressor(2, SECOND, 0))), 0);
    rates.look(
        List.of(
            waits(1, 4 * SECOND, 3 * SECOND, aggressor(2, 2 * SECOND, 0), aggressor(3, SECOND, 0))),
        2 * SECOND);
    assertThat(rates.of(1)).isEqualTo(new WaitRates.Rates(1.5, 1.0, 7, Map.of(2, 0.5, 3, 0.5)));
  }

  @Test
  void whoWasNotServedAnyMoreIsNotNamed() {
    rates.look(List.of(waits(1, SECOND, SECOND, aggressor(2, SECOND, 0))), 0);
    rates.look(List.of(waits(1, SECOND, SECOND, aggressor(2, SECOND, 0))), SECOND);
    assertThat(rates.of(1)).isEqualTo(new WaitRates.Rates(0, 0, 7, Map.of()));
  }

  @Test
  void whatWasTakenFromAnotherIsNotHeldAgainstTheNext() {
    rates.look(List.of(waits(1, 0, 0)), 0);
    rates.look(List.of(waits(1, SECOND, SECOND, aggressor(9, SECOND, SECOND / 2))), SECOND);
    assertThat(rates.of(1).behind()).isEqualTo(Map.of(9, 0.5));
  }

  @Test
  void whoHasJustComeIsShownAtOnce() {
    rates.look(List.of(), 0);
    rates.look(List.of(waits(1, SECOND, SECOND, aggressor(2, SECOND, 0))), 2 * SECOND);
    assertThat(rates.of(1)).isEqualTo(new WaitRates.Rates(0.5, 0.5, 7, Map.of(2, 0.5)));
  }

  @Test
  void onlyTheLastLooksCount() {
    for (int i = 0; i <= 30; i++) {
      long waited = Math.min(i, 15) * SECOND;
      rates.look(List.of(waits(1, waited, 0)), i * SECOND);
    }
    assertThat(rates.of(1).waited()).isZero();
  }

  private static Waits.Aggressor aggressor(int tenant, long nanos, long errorNanos) {
    return new Waits.Aggressor(tenant, nanos, errorNanos);
  }

  private static Waits waits(
      int tenant, long waited, long behindOthers, Waits.Aggressor... aggressors) {
    return new Waits(tenant, 0, 1, waited, behindOthers, 7, List.of(aggressors));
  }
}
