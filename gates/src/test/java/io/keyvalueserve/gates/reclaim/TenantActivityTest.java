package io.keyvalueserve.gates.reclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TenantActivityTest {
  @Test
  void aSteadyRateIsKnownWhateverTheIntervals() {
    TenantActivity activity = new TenantActivity(5, 0, 1_000);
    long now = 1_000;
    for (int i = 0; i < 400; i++) {
      now += 100 + i * 7 % 900;
      activity.look(5 + (now - 1_000) / 2, 0, now);
    }
    assertThat(activity.usesPerSecond()).isCloseTo(500, within(5.0));
    assertThat(activity.lastActiveMillis()).isEqualTo(now);
  }

  @Test
  void silenceIsCountedFromTheLastRequest() {
    TenantActivity activity = new TenantActivity(0, 0, 0);
    activity.look(600, 0, 1_000);
    double before = activity.usesPerSecond();
    activity.look(600, 0, 31_000);
    assertThat(activity.lastActiveMillis()).isEqualTo(1_000);
    assertThat(activity.usesPerSecond()).isCloseTo(before / Math.E, within(1e-9));
  }

  @Test
  void aCounterThatBeganAnewIsNoHugeNumber() {
    TenantActivity activity = new TenantActivity(1_000_000, 0, 0);
    activity.look(10, 0, 1_000);
    assertThat(activity.usesPerSecond()).isBetween(0.1, 10.0);
    assertThat(activity.lastActiveMillis()).isEqualTo(1_000);
  }

  @Test
  void aClockThatStandsOrGoesBackChangesNothing() {
    TenantActivity activity = new TenantActivity(0, 0, 1_000);
    activity.look(10, 0, 1_000);
    activity.look(10, 0, 900);
    assertThat(activity.usesPerSecond()).isZero();
    activity.look(10, 0, 2_000);
    assertThat(activity.usesPerSecond()).isPositive();
  }

  @Test
  void usesCountAsFarAsEntriesAreUsedAgain() {
    TenantActivity flood = new TenantActivity(0, 0, 0);
    flood.look(100_000, 0, 1_000);
    assertThat(flood.usesPerSecond()).isPositive();
    assertThat(flood.countedPerSecond()).isZero();

    TenantActivity oneKey = new TenantActivity(0, 0, 0);
    oneKey.look(100_000, 1, 1_000);
    assertThat(oneKey.countedPerSecond())
        .isCloseTo(oneKey.usesPerSecond() * 20 / 100_000, within(1e-9));

    TenantActivity usual = new TenantActivity(0, 0, 0);
    usual.look(1_000, 300, 1_000);
    assertThat(usual.countedPerSecond()).isEqualTo(usual.usesPerSecond());
  }
}
