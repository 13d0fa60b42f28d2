package io.keyvalueserve.gates.reclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Random budgets, weights, guarantees and demands: too little, enough, and far too much. */
class FairSharesTest {
  private record Case(int[] weights, long[] guarantees, long[] demands) {
    static Case random(int tenants, long budget, Random random) {
      Case made = new Case(new int[tenants], new long[tenants], new long[tenants]);
      for (int i = 0; i < tenants; i++) {
        made.weights[i] = random.nextBoolean() ? 1 : 1 + random.nextInt(TenantMemory.MOST_WEIGHT);
        made.demands[i] =
            switch (random.nextInt(4)) {
              case 0 -> 0;
              case 1 -> random.nextLong(budget / tenants + 1);
              case 2 -> ReclaimConfig.MOST_BYTES;
              default -> random.nextLong(budget + 1);
            };
        made.guarantees[i] =
            random.nextInt(3) > 0
                ? 0
                : random.nextLong(Math.min(made.demands[i], budget / tenants) + 1);
      }
      return made;
    }

    long[] divide(long budget) {
      return FairShares.divide(budget, weights, guarantees, demands);
    }
  }

  @Property
  void sharesAreTheBudgetOrAllDemandsToTheByte(
      @ForAll @LongRange(min = 0, max = ReclaimConfig.MOST_BYTES) long budget,
      @ForAll @IntRange(min = 1, max = 30) int tenants,
      @ForAll Random random) {
    Case given = Case.random(tenants, budget, random);
    long[] shares = given.divide(budget);
    assertThat(Arrays.stream(shares).sum())
        .isEqualTo(Math.min(budget, Arrays.stream(given.demands).sum()));
    for (int i = 0; i < tenants; i++) {
      assertThat(shares[i]).isBetween(0L, given.demands[i]);
    }
  }

  @Property
  void guaranteesAreKept(
      @ForAll @LongRange(min = 0, max = ReclaimConfig.MOST_BYTES) long budget,
      @ForAll @IntRange(min = 1, max = 30) int tenants,
      @ForAll Random random) {
    Case given = Case.random(tenants, budget, random);
    long[] shares = given.divide(budget);
    for (int i = 0; i < tenants; i++) {
      assertThat(shares[i]).isGreaterThanOrEqualTo(given.guarantees[i]);
    }
  }

  /** Max-min: what one has too little of, nobody has more of for its weight beyond a guarantee. */
  @Property
  void whoWantsMoreHasNoLessForItsWeightThanAnyWithoutAGuarantee(
      @ForAll @LongRange(min = 0, max = ReclaimConfig.MOST_BYTES) long budget,
      @ForAll @IntRange(min = 2, max = 30) int tenants,
      @ForAll Random random) {
    Case given = Case.random(tenants, budget, random);
    long[] shares = given.divide(budget);
    for (int i = 0; i < tenants; i++) {
      for (int j = 0; j < tenants && shares[i] < given.demands[i]; j++) {
        if (shares[j] > given.guarantees[j]) {
          // bytes are whole: a level may be begun and not be reached
          long level = shares[i] / given.weights[i] + 1;
          assertThat(shares[j]).isLessThanOrEqualTo(level * given.weights[j]);
        }
      }
    }
  }

  @Test
  void guaranteesThatDoNotFitAreRefused() {
    assertThatThrownBy(() -> FairShares.divide(9, new int[] {1}, new long[] {10}, new long[] {10}))
        .hasMessage("guarantees are at most the budget: 10 9");
  }

  @Test
  void dividesByWeightAndGivesOnWhatIsNotWanted() {
    long[] shares =
        FairShares.divide(
            100, new int[] {1, 1, 2, 4}, new long[] {0, 0, 0, 0}, new long[] {4, 90, 90, 24});
    assertThat(shares).containsExactly(4, 24, 48, 24);
  }
}
