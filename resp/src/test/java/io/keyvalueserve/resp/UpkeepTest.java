package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UpkeepTest {
  private static final long ROUND = 50_000;

  private final Upkeep upkeep = new Upkeep();
  private long now = 1_000_000;

  /** A round in which so many sessions are served, and what the loop does then. */
  private void round(int sessions, long upkeepNanos, boolean isNextDue) {
    upkeep.begin(now);
    for (int i = 0; i < sessions; i++) {
      upkeep.served();
    }
    now += ROUND;
    upkeep.end(now, isNextDue);
    now += upkeepNanos;
  }

  private long expected(int sessions) {
    upkeep.begin(now);
    for (int i = 0; i < sessions; i++) {
      upkeep.served();
    }
    return upkeep.expectedNanos();
  }

  @Test
  void learnsWhatASessionTakes() {
    assertThat(expected(10)).isZero();
    for (int i = 0; i < 200; i++) {
      int sessions = 1 + i % 20;
      round(sessions, 7_000L * sessions, true);
    }
    assertThat(expected(10)).isBetween(65_000L, 70_000L);
    for (int i = 0; i < 200; i++) {
      round(20, 40_000, true);
    }
    assertThat(expected(10)).isBetween(20_000L, 22_000L);
  }

  @Test
  void learnsNothingFromALoopThatHadNothingToDo() {
    for (int i = 0; i < 200; i++) {
      round(10, 10_000_000, false);
    }
    assertThat(expected(10)).isZero();
  }

  @Test
  void takesNoStallForUpkeep() {
    for (int i = 0; i < 200; i++) {
      round(10, 30_000, true);
    }
    round(10, 50_000_000, true);
    assertThat(expected(10)).isBetween(28_000L, 36_000L);
  }

  @Test
  void aRoundThatServedNobodyTeachesNothing() {
    for (int i = 0; i < 200; i++) {
      round(10, 30_000, true);
    }
    long before = expected(10);
    round(0, 90_000, true);
    assertThat(expected(10)).isEqualTo(before);
  }

  /** Logins of others between two rounds are nothing that those who were served have cost. */
  @Test
  void learnsNothingFromATimeInWhichTheLoopDidSomethingElse() {
    for (int i = 0; i < 200; i++) {
      round(10, 20_000, true);
    }
    long before = expected(10);
    for (int i = 0; i < 200; i++) {
      upkeep.interrupted();
      round(10, 5_000_000, true);
    }
    upkeep.interrupted();
    assertThat(expected(10)).isEqualTo(before);
  }
}
