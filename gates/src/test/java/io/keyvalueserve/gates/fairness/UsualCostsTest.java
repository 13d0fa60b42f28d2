package io.keyvalueserve.gates.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What work takes is what the test says. */
class UsualCostsTest {
  private static final Offset<Long> ROUNDING = within(1L);

  private final UsualCosts costs = new UsualCosts(3);

  private void slice(int sort, long amount, long nanos) {
    costs.begin();
    costs.did(sort, amount);
    costs.took(nanos);
  }

  private long usual(int sort, long amount) {
    costs.begin();
    costs.did(sort, amount);
    return costs.usualNanos();
  }

  @Test
  void knowsNothingOfWhatWasNeverDone() {
    assertThat(usual(0, 1)).isZero();
    slice(0, 1, 100);
    assertThat(usual(0, 1)).isEqualTo(100);
    assertThat(usual(1, 1)).isZero();
    assertThat(usual(0, 2)).as("another magnitude").isZero();
  }

  @Test
  void tellsSortsAndMagnitudesApart() {
    slice(0, 1, 100);
    slice(1, 1, 900);
    slice(0, 64, 1_280);
    assertThat(usual(0, 1)).isEqualTo(100);
    assertThat(usual(1, 1)).isEqualTo(900);
    assertThat(usual(0, 96)).isCloseTo(1_920, ROUNDING);
  }

  @Test
  void addsUpWhatWasDone() {
    slice(0, 1, 100);
    slice(1, 1, 900);
    costs.begin();
    costs.did(0, 1);
    costs.did(1, 1);
    costs.did(0, 1);
    assertThat(costs.usualNanos()).isCloseTo(1_100, ROUNDING);
  }

  @Test
  void whatIsNewTakesWhatTheRestDoesNotExplain() {
    slice(0, 1, 100);
    costs.begin();
    costs.did(0, 1);
    costs.did(1, 1);
    assertThat(costs.usualNanos()).isZero();
    costs.took(350);
    assertThat(usual(0, 1)).isEqualTo(100);
    assertThat(usual(1, 1)).isEqualTo(250);
  }

  @Test
  void followsWhatChanges() {
    slice(0, 1, 100);
    for (int i = 0; i < 1_000; i++) {
      slice(0, 1, 300);
    }
    assertThat(usual(0, 1)).isBetween(297L, 300L);
  }

  @Test
  void oneSliceChangesLittle() {
    slice(0, 1, 1_000);
    slice(0, 1, 1_000_000_000);
    assertThat(usual(0, 1)).isLessThanOrEqualTo(1_016);
    slice(0, 1, 1);
    assertThat(usual(0, 1)).isGreaterThan(1_000);
  }

  @Test
  void tooManyKindsAreNotExpectedToTakeAnything() {
    UsualCosts many = new UsualCosts(20);
    for (int sort = 0; sort < 20; sort++) {
      many.begin();
      many.did(sort, 1);
      many.took(100);
    }
    many.begin();
    for (int sort = 0; sort < 20; sort++) {
      many.did(sort, 1);
    }
    assertThat(many.usualNanos()).isZero();
    many.took(1_000_000); // nothing is learnt of it
    many.begin();
    many.did(3, 1);
    assertThat(many.usualNanos()).isEqualTo(100);
  }

  @Test
  void amountsHaveNoBound() {
    slice(0, 0, 100);
    assertThat(usual(0, 1)).isEqualTo(100);
    slice(0, Long.MAX_VALUE / 2, 1_000_000);
    assertThat(usual(0, Long.MAX_VALUE / 4)).isCloseTo(500_000, within(10L));
  }

  @Test
  void refusesSortsThatThereAreNot() {
    assertThatThrownBy(() -> costs.did(3, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sort must be from 0 to 2: 3");
    assertThatThrownBy(() -> costs.did(-1, 1)).isInstanceOf(IllegalArgumentException.class);
  }

  /** Slices of several sorts in any mixture, whose times scatter. */
  @Property(tries = 50)
  void findsWhatEachSortTakes(@ForAll Random random) {
    long[] nanos = {200, 1_000, 7_000};
    UsualCosts learnt = new UsualCosts(nanos.length);
    for (int slice = 0; slice < 20_000; slice++) {
      learnt.begin();
      double took = 0;
      for (int i = 1 + random.nextInt(20); i > 0; i--) {
        int sort = random.nextInt(nanos.length);
        learnt.did(sort, 1);
        took += nanos[sort];
      }
      learnt.took((long) (took * (0.95 + random.nextDouble() * 0.1)));
    }
    long[] found = new long[nanos.length];
    Arrays.setAll(
        found,
        sort -> {
          learnt.begin();
          learnt.did(sort, 1);
          return learnt.usualNanos();
        });
    assertThat(found[1]).isBetween(800L, 1_200L);
    assertThat(found[2]).isBetween(6_500L, 7_500L);
  }
}
