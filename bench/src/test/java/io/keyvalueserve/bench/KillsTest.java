package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KillsTest {
  private static final long MILLI = 1_000_000L;
  private static final long HALF_A_SECOND = 500 * MILLI;

  @Test
  void oneKillOfOneMemberTakesItsLastSecond() {
    Kills kills = kills(Promise.EVERYSEC, 1, 1);
    kills.add(0, 10_000 * MILLI);
    assertThat(kills.mayTake(8_499 * MILLI)).isFalse();
    assertThat(kills.mayTake(8_501 * MILLI)).isTrue();
    assertThat(kills.ageNanos(8_501 * MILLI)).hasValue(1_499 * MILLI);
    assertThat(kills.mayTake(15_000 * MILLI)).as("read when it was dead").isTrue();
    assertThat(kills.ageNanos(15_000 * MILLI)).hasValue(0);
  }

  @Test
  void nothingIsTakenWhereNobodyIsKilledOrEverythingIsPromised() {
    assertThat(kills(Promise.EVERYSEC, 1, 1).mayTake(1)).isFalse();
    Kills kills = kills(Promise.ALWAYS, 1, 1);
    kills.add(0, 10_000 * MILLI);
    assertThat(kills.mayTake(10_000 * MILLI)).isFalse();
    assertThat(kills.ageNanos(9_990 * MILLI)).as("but it would tell").hasValue(10 * MILLI);
  }

  @Test
  void oneKillOfThreeMembersTakesNothingThatHasTwoCopies() {
    Kills kills = kills(Promise.EVERYSEC, 3, 2);
    kills.add(1, 10_000 * MILLI);
    assertThat(kills.mayTake(9_999 * MILLI)).isFalse();
    kills.add(1, 10_100 * MILLI);
    assertThat(kills.mayTake(10_000 * MILLI)).as("the same one twice").isFalse();
    kills.add(2, 10_200 * MILLI);
    assertThat(kills.mayTake(10_000 * MILLI)).isTrue();
  }

  @Test
  void staggeredKillsTakeWhatNoneOfThemHadOnDisk() {
    Kills kills = kills(Promise.EVERYSEC, 3, 2);
    kills.add(0, 10_000 * MILLI);
    kills.add(1, 12_000 * MILLI);
    kills.add(2, 14_000 * MILLI);
    assertThat(kills.mayTake(9_900 * MILLI)).as("the second had two seconds for it").isFalse();
    assertThat(kills.mayTake(10_600 * MILLI)).as("the second may have it alone").isTrue();
    assertThat(kills.mayTake(12_300 * MILLI)).as("the third had more than a second").isFalse();
    assertThat(kills.mayTake(13_000 * MILLI)).isTrue();
    assertThat(kills.mayTake(19_000 * MILLI)).as("read when all were dead").isTrue();
  }

  private static Kills kills(Promise promise, int members, int copies) {
    return new Kills(promise, HALF_A_SECOND, members, copies);
  }
}
