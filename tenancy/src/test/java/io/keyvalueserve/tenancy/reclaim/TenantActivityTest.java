package io.keyvalueserve.tenancy.reclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TenantActivityTest {
  @Test
  void aSteadyRateIsKnownWhateverTheIntervals() {
    TenantActivity activity = new TenantActivity(5, 1_000);
    long now = 1_000;
    for (int i = 0; i < 400; i++) {
      now += 100 + i * 7 % 900;
      activity.look(5 + (now - 1_000) / 2, now);
    }
    assertThat(activity.requestsPerSecond()).isCloseTo(500, within(5.0));
    assertThat(activity.lastActiveMillis()).isEqualTo(now);
  }

  @Test
  void silenceIsCountedFromTheLastRequest() {
    TenantActivity activity = new TenantActivity(0, 0);
    activity.look(600, 1_000);
    double before = activity.requestsPerSecond();
    activity.look(600, 31_000);
    assertThat(activity.lastActiveMillis()).isEqualTo(1_000);
    assertThat(activity.requestsPerSecond()).isCloseTo(before / Math.E, within(1e-9));
  }

  @Test
  void aCounterThatBeganAnewIsNoHugeNumber() {
    TenantActivity activity = new TenantActivity(1_000_000, 0);
    activity.look(10, 1_000);
    assertThat(activity.requestsPerSecond()).isBetween(0.1, 10.0);
    assertThat(activity.lastActiveMillis()).isEqualTo(1_000);
  }

  @Test
  void aClockThatStandsOrGoesBackChangesNothing() {
    TenantActivity activity = new TenantActivity(0, 1_000);
    activity.look(10, 1_000);
    activity.look(10, 900);
    assertThat(activity.requestsPerSecond()).isZero();
    activity.look(10, 2_000);
    assertThat(activity.requestsPerSecond()).isPositive();
  }
}
