package io.keyvalueserve.gates.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Random limits and demands: none, some, and far too many. */
class ShareDivisionTest {
  private static final long MOST = 1_000_000_000_000_000L;

  /** A share is rounded down twice. */
  private static final long ROUNDING = 2;

  private static long[] demands(int members, long limit, Random random) {
    long[] demands = new long[members];
    for (int i = 0; i < members; i++) {
      demands[i] =
          switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> random.nextLong(limit / members + 1);
            case 2 -> random.nextLong(limit + 1);
            case 3 -> limit / members;
            default -> random.nextLong(Math.min(Long.MAX_VALUE, limit * 100));
          };
    }
    return demands;
  }

  @Property
  void sharesAreTheLimitAndNotMore(
      @ForAll @LongRange(min = 1, max = MOST) long limit,
      @ForAll @IntRange(min = 1, max = 30) int members,
      @ForAll Random random) {
    long[] shares = divide(limit, demands(members, limit, random));
    assertThat(Arrays.stream(shares).sum())
        .isBetween(limit - ROUNDING * members - limit / (1L << 49), limit);
    assertThat(Arrays.stream(shares).min().orElseThrow()).isNotNegative();
  }

  @Property
  void nobodyHasLessThanItsDemandOrAFairShareOrAFloor(
      @ForAll @LongRange(min = 1, max = MOST) long limit,
      @ForAll @IntRange(min = 1, max = 30) int members,
      @ForAll Random random) {
    long[] demands = demands(members, limit, random);
    long[] shares = divide(limit, demands);
    for (int i = 0; i < members; i++) {
      assertThat(shares[i])
          .isGreaterThanOrEqualTo(Math.min(demands[i], limit / members))
          .isGreaterThanOrEqualTo(limit / members / 50);
    }
  }

  @Property
  void nobodyHasMoreThanItAsksForWhileOthersWant(
      @ForAll @LongRange(min = 10_000, max = MOST) long limit,
      @ForAll @IntRange(min = 2, max = 30) int members,
      @ForAll Random random) {
    long[] demands = demands(members, limit, random);
    long[] shares = divide(limit, demands);
    boolean wants = false;
    for (int i = 0; i < members; i++) {
      wants |= shares[i] < Math.min(limit, demands[i]);
    }
    for (int i = 0; i < members && wants; i++) {
      assertThat(shares[i]).isLessThanOrEqualTo(Math.max(demands[i], limit / members / 50));
      for (int j = 0; j < members; j++) {
        if (shares[i] < demands[i]) {
          assertThat(shares[j]).as("who wants has the most").isLessThanOrEqualTo(shares[i]);
        }
      }
    }
  }

  @Property
  void whoAsksForMoreHasNoLessAndTheOthersNoMore(
      @ForAll @LongRange(min = 1, max = MOST) long limit,
      @ForAll @IntRange(min = 1, max = 12) int members,
      @ForAll Random random) {
    long[] demands = demands(members, limit, random);
    int who = random.nextInt(members);
    long[] before = divide(limit, demands);
    demands[who] += random.nextLong(limit) / (1 + random.nextInt(100));
    long[] after = divide(limit, demands);
    long rounding = ROUNDING * members + limit / (1L << 49);
    for (int i = 0; i < members; i++) {
      if (i == who) {
        assertThat(after[i]).isGreaterThanOrEqualTo(before[i] - rounding);
      } else {
        assertThat(after[i]).isLessThanOrEqualTo(before[i] + rounding);
      }
    }
  }

  @Property
  void theOrderOfMembersMakesNoDifference(
      @ForAll @LongRange(min = 1, max = MOST) long limit,
      @ForAll @IntRange(min = 1, max = 12) int members,
      @ForAll Random random) {
    long[] demands = demands(members, limit, random);
    long[] shares = divide(limit, demands);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    long[] shuffled = divide(limit, order.stream().mapToLong(i -> demands[i]).toArray());
    assertThat(shuffled).isEqualTo(order.stream().mapToLong(i -> shares[i]).toArray());
  }

  @Property
  void aSingleMemberHasTheLimit(
      @ForAll @LongRange(min = 0, max = MOST) long limit,
      @ForAll @LongRange(min = 0, max = MOST) long demand) {
    assertThat(divide(limit, new long[] {demand})).containsExactly(limit);
  }

  @Property
  void equalDemandsHaveEqualShares(
      @ForAll @LongRange(min = 0, max = MOST) long limit,
      @ForAll @LongRange(min = 0, max = MOST) long demand,
      @ForAll @IntRange(min = 1, max = 30) int members) {
    long[] demands = new long[members];
    Arrays.fill(demands, demand);
    long[] shares = divide(limit, demands);
    assertThat(shares).containsOnly(shares[0]);
    assertThat(shares[0])
        .isBetween(limit / members - ROUNDING - limit / (1L << 49), limit / members);
  }

  @Property
  void oneBusyMemberAmongIdleOnesHasNearlyAll(
      @ForAll @LongRange(min = 1000, max = MOST) long limit,
      @ForAll @IntRange(min = 1, max = 30) int members) {
    long[] demands = new long[members];
    demands[members / 2] = limit;
    assertThat((double) divide(limit, demands)[members / 2])
        .isGreaterThanOrEqualTo(0.98 * limit - 1);
  }

  @Test
  void whoPausesForAMomentKeepsMostOfWhatNobodyElseAsksFor() {
    long[] shares = ShareDivision.divide(3000, new long[] {0, 0, 0}, new long[] {3000, 0, 0});
    assertThat(shares[0]).isGreaterThan(1900);
    assertThat(shares[1]).isPositive().isEqualTo(shares[2]);
    assertThat(ShareDivision.divide(3000, new long[] {0, 3000, 0}, new long[] {3000, 3000, 0}))
        .as("but nothing of what somebody asks for")
        .satisfies(now -> assertThat(now[1]).isGreaterThan(2800));
  }

  /** Of members that ask for as much as of late. */
  private static long[] divide(long limit, long[] demands) {
    return ShareDivision.divide(limit, demands, demands);
  }
}
