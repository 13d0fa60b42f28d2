package io.keyvalueserve.gates.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Time goes on by hand: what a slice costs is what the test says. */
class DeficitRoundRobinTest {
  private static final Slicing SLICING = Slicing.DEFAULT;

  private long now;

  private static int[] weights(int tenants, Random random) {
    int most = random.nextBoolean() ? 4 : DeficitRoundRobin.MOST_WEIGHT;
    return IntStream.rangeClosed(0, tenants).map(i -> 1 + random.nextInt(most)).toArray();
  }

  /** Mostly as long as granted, sometimes shorter or much longer. */
  private static long cost(long granted, Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> 1 + random.nextLong(granted);
      case 1 -> granted + random.nextLong(10 * SLICING.visits());
      default -> granted + random.nextLong(granted);
    };
  }

  private DeficitRoundRobin<Integer> scheduler(int... weights) {
    return new DeficitRoundRobin<>(SLICING, tenant -> weights[tenant], new WaitMeters());
  }

  private Claim<Integer> begin(DeficitRoundRobin<Integer> scheduler) {
    Claim<Integer> claim = scheduler.next(now);
    if (claim == null) {
      throw new AssertionError("nobody is served, but somebody has work");
    }
    return claim;
  }

  /** Serves whoever is next; who that was. */
  private int serve(DeficitRoundRobin<Integer> scheduler, long cost, boolean hasMore) {
    int work = begin(scheduler).work();
    now += cost;
    scheduler.done(now, 0, hasMore);
    return work;
  }

  private int serveSlice(DeficitRoundRobin<Integer> scheduler) {
    int work = begin(scheduler).work();
    now += scheduler.sliceNanos();
    scheduler.done(now, 0, true);
    return work;
  }

  // ---- against the model

  @Property(tries = 300)
  void servesWhomTheModelServesForAsLong(
      @ForAll @IntRange(min = 1, max = 6) int tenants, @ForAll Random random) {
    int[] weights = weights(tenants, random);
    Slicing slicing = new Slicing(1_000, 250, 20, 3_000);
    DeficitRoundRobin<Integer> scheduler =
        new DeficitRoundRobin<>(slicing, tenant -> weights[tenant], new WaitMeters());
    NaiveRoundRobin model = new NaiveRoundRobin(slicing, tenant -> weights[tenant]);
    List<Claim<Integer>> claims = new ArrayList<>();
    now = random.nextLong();
    for (int step = 0; step < 2_000; step++) {
      switch (random.nextInt(12)) {
        case 0 -> {
          int tenant = 1 + random.nextInt(tenants);
          claims.add(scheduler.enter(tenant, claims.size()));
          model.enter(tenant, claims.size() - 1);
        }
        case 1 -> now += random.nextLong(2_000);
        case 2 -> {
          if (!claims.isEmpty() && random.nextInt(4) == 0) {
            leave(scheduler, model, claims.get(random.nextInt(claims.size())));
          }
        }
        case 3, 4, 5, 6 -> {
          if (!claims.isEmpty()) {
            ready(scheduler, model, claims.get(random.nextInt(claims.size())));
          }
        }
        default -> serveBoth(scheduler, model, claims, random);
      }
    }
  }

  private void ready(
      DeficitRoundRobin<Integer> scheduler, NaiveRoundRobin model, Claim<Integer> claim) {
    scheduler.ready(claim, now);
    model.ready(claim.work(), now);
  }

  private void leave(
      DeficitRoundRobin<Integer> scheduler, NaiveRoundRobin model, Claim<Integer> claim) {
    scheduler.leave(claim);
    model.leave(claim.work());
  }

  private void serveBoth(
      DeficitRoundRobin<Integer> scheduler,
      NaiveRoundRobin model,
      List<Claim<Integer>> claims,
      Random random) {
    boolean hasReady = scheduler.hasReady();
    Claim<Integer> claim = scheduler.next(now);
    @Nullable Integer expected = model.next(now);
    assertThat(claim == null ? null : claim.work()).isEqualTo(expected);
    assertThat(claim != null).isEqualTo(hasReady);
    if (claim == null) {
      return;
    }
    assertThat(scheduler.sliceNanos()).isEqualTo(model.sliceNanos());
    now += 1 + random.nextLong(random.nextInt(10) == 0 ? 5_000 : 300);
    if (random.nextInt(10) == 0) {
      ready(scheduler, model, claims.get(random.nextInt(claims.size())));
    }
    if (random.nextInt(20) == 0) {
      leave(scheduler, model, claim);
    }
    boolean hasMore = random.nextInt(3) > 0;
    scheduler.done(now, 0, hasMore);
    model.done(now, hasMore);
  }

  // ---- how fair it is

  @Property(tries = 200)
  void theDifferenceOfTwoThatHaveWorkIsBounded(
      @ForAll @IntRange(min = 2, max = 8) int tenants, @ForAll Random random) {
    int[] weights = weights(tenants, random);
    DeficitRoundRobin<Integer> scheduler = scheduler(weights);
    List<Claim<Integer>> others = new ArrayList<>();
    for (int tenant = 1; tenant <= tenants; tenant++) {
      for (int i = random.nextInt(10); i >= 0; i--) {
        Claim<Integer> claim = scheduler.enter(tenant, tenant);
        if (tenant <= 2) {
          scheduler.ready(claim, now);
        } else {
          others.add(claim);
        }
      }
    }
    long[] served = new long[tenants + 1];
    long dearest = 0;
    double least = 0;
    double greatest = 0;
    for (int i = 0; i < 5_000; i++) {
      if (!others.isEmpty() && random.nextInt(3) == 0) {
        scheduler.ready(others.get(random.nextInt(others.size())), now);
      }
      int tenant = begin(scheduler).work();
      long cost = cost(scheduler.sliceNanos(), random);
      now += cost;
      scheduler.done(now, 0, tenant <= 2 || random.nextBoolean());
      served[tenant] += cost;
      dearest = Math.max(dearest, cost);
      double difference = (double) served[1] / weights[1] - (double) served[2] / weights[2];
      least = Math.min(least, difference);
      greatest = Math.max(greatest, difference);
    }
    double quantum = Math.max(1.0, (double) SLICING.most() / Math.max(weights[1], weights[2]));
    double owed = dearest + SLICING.visit(2); // when both come they are lent a visit each
    assertThat(greatest - least)
        .isLessThanOrEqualTo(3 * quantum + owed / weights[1] + owed / weights[2]);
    assertThat(Math.min(served[1], served[2])).isPositive();
  }

  @Property(tries = 30)
  void equalTenantsAreServedEquallyWhateverTheirSessionsAndCosts(
      @ForAll @IntRange(min = 2, max = 30) int tenants, @ForAll Random random) {
    int[] weights = new int[tenants + 1];
    Arrays.fill(weights, 1);
    long[] served = serveBacklogged(weights, 4_000L * tenants, random);
    long[] all = Arrays.stream(served).skip(1).sorted().toArray();
    assertThat((double) all[0] / all[tenants - 1]).isGreaterThanOrEqualTo(0.99);
  }

  /** Equal requests take one tenant a tenth longer than another: they are served equally many. */
  @Property(tries = 30)
  void equalWorkIsServedEquallyThoughItTakesALittleLonger(@ForAll Random random) {
    double[] requests = requestsServed(new double[] {0.95, 1, 1.05, 1.0}, random);
    assertThat(Arrays.stream(requests).min().orElseThrow())
        .isGreaterThan(0.99 * Arrays.stream(requests).max().orElseThrow());
  }

  /** By what is usual alone, one could have requests served that cost far more than they seem. */
  @Property(tries = 10)
  void whoseWorkTakesMuchLongerThanUsualIsChargedWhatItTakes(@ForAll Random random) {
    double[] requests = requestsServed(new double[] {0.7, 1, 3}, random);
    assertThat(requests[0] / requests[1]).isBetween(1.35, 1.5);
    assertThat(requests[1] / requests[2]).isBetween(2.9, 3.1);
  }

  @Property(tries = 10)
  void nobodyGainsMoreThanAnEighthByWhatIsUsual(@ForAll Random random) {
    double dearness = 0.8 + 0.4 * random.nextDouble();
    double[] requests = requestsServed(new double[] {1, dearness}, random);
    double times = requests[1] * dearness / requests[0];
    assertThat(times).isBetween(0.87, 1.13);
  }

  /**
   * Tenants that always have work, each request of which usually takes 1 us.
   *
   * @param dearness by which factor it takes longer, for each tenant
   * @return how many requests each was served
   */
  private double[] requestsServed(double[] dearness, Random random) {
    int[] weights = new int[dearness.length + 1];
    Arrays.fill(weights, 1);
    DeficitRoundRobin<Integer> scheduler = scheduler(weights);
    for (int tenant = 1; tenant <= dearness.length; tenant++) {
      scheduler.ready(scheduler.enter(tenant, tenant), now);
    }
    double[] requests = new double[dearness.length];
    for (int i = 0; i < 40_000; i++) {
      int tenant = begin(scheduler).work();
      double scatter = 0.9 + 0.2 * random.nextDouble();
      long cost = scheduler.sliceNanos() + random.nextLong(5_000);
      double done = cost / (1_000 * dearness[tenant - 1] * scatter);
      now += cost;
      scheduler.done(now, 0, true, (long) (done * 1_000));
      requests[tenant - 1] += done;
    }
    return requests;
  }

  @Property(tries = 30)
  void sharesFollowWeights(@ForAll Random random) {
    int[] weights = {0, 1, 2, 5, 10};
    long[] served = serveBacklogged(weights, 100_000, random);
    double one = (double) Arrays.stream(served).sum() / 18;
    for (int tenant = 1; tenant < weights.length; tenant++) {
      assertThat(served[tenant] / one / weights[tenant]).isBetween(0.98, 1.02);
    }
  }

  /** One to a hundred sessions, whose slices cost up to twice as much as granted, or a tenth. */
  private long[] serveBacklogged(int[] weights, long slices, Random random) {
    DeficitRoundRobin<Integer> scheduler = scheduler(weights);
    double[] share = new double[weights.length];
    for (int tenant = 1; tenant < weights.length; tenant++) {
      share[tenant] = 0.1 + 1.9 * random.nextDouble();
      for (int i = random.nextInt(100); i >= 0; i--) {
        scheduler.ready(scheduler.enter(tenant, tenant), now);
      }
    }
    long[] served = new long[weights.length];
    for (long i = 0; i < slices; i++) {
      int tenant = begin(scheduler).work();
      long cost = 1 + (long) (share[tenant] * scheduler.sliceNanos() * random.nextDouble());
      now += cost;
      scheduler.done(now, 0, true);
      served[tenant] += cost;
    }
    return served;
  }

  @Test
  void shortBurstsDoNotCheat() {
    DeficitRoundRobin<Integer> scheduler = scheduler(0, 1, 1);
    Claim<Integer> burst = scheduler.enter(1, 1);
    scheduler.ready(scheduler.enter(2, 2), now);
    long[] served = new long[3];
    for (int i = 0; i < 10_000; i++) {
      scheduler.ready(burst, now);
      int tenant = begin(scheduler).work();
      long cost = tenant == 1 ? 4 * SLICING.most() : scheduler.sliceNanos();
      now += cost;
      scheduler.done(now, 0, tenant == 2);
      served[tenant] += cost;
    }
    assertThat((double) served[1] / served[2]).isBetween(0.98, 1.02);
  }

  @Test
  void nobodyIsChargedForAThreadThatDidNotRun() {
    DeficitRoundRobin<Integer> scheduler = scheduler(0, 1, 1);
    scheduler.ready(scheduler.enter(1, 1), now);
    scheduler.ready(scheduler.enter(2, 2), now);
    begin(scheduler);
    now += 100 * SLICING.most();
    scheduler.done(now, 99 * SLICING.most(), true);
    assertThat(serve(scheduler, SLICING.most(), true)).isEqualTo(2);
    assertThat(serve(scheduler, SLICING.most(), true)).isEqualTo(1);
  }

  @Test
  void debtIsForgottenAfterAWhile() {
    DeficitRoundRobin<Integer> scheduler = scheduler(0, 1, 1);
    Claim<Integer> debtor = scheduler.enter(1, 1);
    Claim<Integer> other = scheduler.enter(2, 2);
    scheduler.ready(debtor, now);
    scheduler.ready(other, now);
    assertThat(serve(scheduler, 10 * SLICING.most(), false)).isEqualTo(1);
    scheduler.ready(debtor, now);
    for (int i = 0; i < 10; i++) {
      assertThat(serve(scheduler, SLICING.most(), true)).isEqualTo(2);
    }
    assertThat(serve(scheduler, 10 * SLICING.most(), false)).isEqualTo(1);
    now += SLICING.debtLasts();
    scheduler.ready(debtor, now);
    assertThat(serve(scheduler, SLICING.most(), true)).isEqualTo(1);
    assertThat(serve(scheduler, SLICING.most(), true)).isEqualTo(2);
  }

  @Test
  void whoComesAndOwesNothingIsServedNext() {
    DeficitRoundRobin<Integer> scheduler = scheduler(0, 1, 1, 1, 1);
    List<Claim<Integer>> claims = new ArrayList<>();
    for (int tenant = 1; tenant <= 4; tenant++) {
      claims.add(scheduler.enter(tenant, tenant));
    }
    claims.subList(0, 3).forEach(claim -> scheduler.ready(claim, now));
    for (int i = 0; i < 12; i++) {
      serveSlice(scheduler);
    }
    Claim<Integer> newcomer = claims.getLast();
    for (int i = 0; i < 100; i++) {
      scheduler.ready(newcomer, now);
      assertThat(serve(scheduler, 10, false)).isEqualTo(4);
      for (int j = 0; j < 6; j++) {
        assertThat(serveSlice(scheduler)).isLessThan(4);
      }
    }
  }

  @Test
  void tellsWhenThoseWhoCameHaveBeenServed() {
    DeficitRoundRobin<Integer> scheduler = scheduler(1, 1, 1, 1);
    for (int busy = 1; busy <= 2; busy++) {
      scheduler.ready(scheduler.enter(busy, busy), now);
    }
    Claim<Integer> third = scheduler.enter(3, 3);
    Claim<Integer> fourth = scheduler.enter(3, 4);
    for (int i = 0; i < 20; i++) {
      int _ = serveSlice(scheduler);
    }
    assertThat(scheduler.hasServedNewcomers()).as("all are known").isFalse();
    scheduler.ready(third, now);
    scheduler.ready(fourth, now);
    assertThat(serve(scheduler, 1, false)).isEqualTo(3);
    assertThat(scheduler.hasServedNewcomers()).as("one more session is waiting").isFalse();
    assertThat(serve(scheduler, 1, false)).isEqualTo(4);
    assertThat(scheduler.hasServedNewcomers()).isTrue();
    assertThat(serveSlice(scheduler)).isLessThan(3);
    assertThat(scheduler.hasServedNewcomers()).isFalse();
  }

  @Test
  void whoComesAndGoesGainsNothing() {
    DeficitRoundRobin<Integer> scheduler = scheduler(0, 1, 1, 1, 1);
    long[] served = new long[5];
    for (int tenant = 1; tenant <= 3; tenant++) {
      scheduler.ready(scheduler.enter(tenant, tenant), now);
    }
    Claim<Integer> restless = scheduler.enter(4, 4);
    for (int i = 0; i < 10_000; i++) {
      scheduler.ready(restless, now);
      int tenant = begin(scheduler).work();
      now += SLICING.most();
      served[tenant] += SLICING.most();
      scheduler.done(now, 0, tenant != 4);
    }
    assertThat((double) served[4] / served[1]).isBetween(0.98, 1.02);
  }

  @Test
  void idlenessEarnsNothing() {
    DeficitRoundRobin<Integer> scheduler = scheduler(0, 1, 1);
    Claim<Integer> idle = scheduler.enter(1, 1);
    scheduler.ready(scheduler.enter(2, 2), now);
    for (int i = 0; i < 1_000; i++) {
      serve(scheduler, SLICING.most(), true);
    }
    scheduler.ready(idle, now);
    long[] served = new long[3];
    for (int i = 0; i < 1_000; i++) {
      served[serve(scheduler, SLICING.most(), true)] += SLICING.most();
    }
    assertThat(served[1] - served[2]).isBetween(-2 * SLICING.most(), 2 * SLICING.most());
  }

  @Test
  void aTenantThatIsAloneOwesOnlyWhatASliceTookTooLong() {
    DeficitRoundRobin<Integer> scheduler = scheduler(0, 1, 1);
    scheduler.ready(scheduler.enter(1, 1), now);
    Claim<Integer> other = scheduler.enter(2, 2);
    serve(scheduler, SLICING.most(), true);
    scheduler.ready(other, now);
    assertThat(serve(scheduler, SLICING.most(), false)).isEqualTo(2);
    serve(scheduler, 4 * SLICING.most(), true);
    scheduler.ready(other, now);
    for (int i = 0; i < 3; i++) {
      assertThat(serve(scheduler, SLICING.most(), true)).isEqualTo(2);
    }
    assertThat(serve(scheduler, SLICING.most(), true)).isEqualTo(1);
  }

  // ---- sessions and slices

  @Test
  void sessionsOfATenantTakeTurns() {
    DeficitRoundRobin<Integer> scheduler = scheduler(0, 1);
    for (int i = 0; i < 3; i++) {
      scheduler.ready(scheduler.enter(1, i), now);
    }
    assertThat(IntStream.range(0, 7).map(i -> serve(scheduler, 1, true)).toArray())
        .containsExactly(0, 1, 2, 0, 1, 2, 0);
  }

  @Test
  void slicesAreShorterTheMoreTenantsWait() {
    int[] weights = new int[101];
    Arrays.fill(weights, 1);
    DeficitRoundRobin<Integer> scheduler = scheduler(weights);
    long[] granted = new long[101];
    for (int tenant = 1; tenant <= 100; tenant++) {
      scheduler.ready(scheduler.enter(tenant, tenant), now);
      for (int i = 0; i <= 2 * tenant; i++) {
        begin(scheduler);
        granted[tenant] = scheduler.sliceNanos();
        now += granted[tenant];
        scheduler.done(now, 0, true);
      }
    }
    assertThat(granted[1]).isEqualTo(SLICING.most());
    assertThat(granted[2]).isEqualTo(SLICING.most());
    assertThat(granted[10]).isEqualTo(SLICING.visits() / 10);
    assertThat(granted[100]).isEqualTo(SLICING.least());
  }

  @Test
  void aSessionIsReadyOnceAndNotWhileItIsServed() {
    DeficitRoundRobin<Integer> scheduler = scheduler(0, 1);
    Claim<Integer> claim = scheduler.enter(1, 1);
    scheduler.ready(claim, now);
    scheduler.ready(claim, now);
    assertThat(scheduler.next(now)).isSameAs(claim);
    scheduler.ready(claim, now);
    scheduler.done(now + 1, 0, false);
    assertThat(scheduler.next(now + 1)).isNull();
    assertThat(scheduler.hasReady()).isFalse();
  }

  @Test
  void whoLeavesIsNotServedAndTenantsWithSessionsAreCounted() {
    DeficitRoundRobin<Integer> scheduler = scheduler(0, 1, 1);
    Claim<Integer> one = scheduler.enter(1, 1);
    assertThat(scheduler.isContended()).isFalse();
    Claim<Integer> two = scheduler.enter(2, 2);
    assertThat(scheduler.isContended()).isTrue();
    scheduler.ready(one, now);
    scheduler.ready(two, now);
    scheduler.leave(one);
    scheduler.leave(one);
    assertThat(scheduler.isContended()).isFalse();
    assertThat(serve(scheduler, 1, false)).isEqualTo(2);
    scheduler.ready(one, now);
    assertThat(scheduler.next(now)).isNull();
  }

  @Test
  void aSliceThatHasNotBegunCannotEnd() {
    assertThatThrownBy(() -> scheduler(0, 1).done(now, 0, true))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void slicesMustBeInOrder() {
    assertThatThrownBy(() -> new Slicing(100, 200, 10, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("visits=100 most=200");
  }
}
