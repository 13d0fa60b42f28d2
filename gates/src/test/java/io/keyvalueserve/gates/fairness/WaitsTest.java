package io.keyvalueserve.gates.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.BeforeTry;
import org.junit.jupiter.api.Test;

/**
 * Goal: who waited how long, and in whose favour. Method: beside a scheduler, every session that is
 * ready counts every slice of others.
 */
class WaitsTest {
  /** The first tenants have their numbers for weights, all others 1. */
  private static final int WEIGHTS = 3;

  /** What is served takes less, mostly more than was granted. */
  private static final int LONGEST = Math.toIntExact(4 * Slicing.DEFAULT.most());

  private WaitMeters meters = new WaitMeters();
  private DeficitRoundRobin<Integer> scheduler = scheduler();
  private final List<Claim<Integer>> claims = new ArrayList<>();
  private final Map<Claim<Integer>, Long> readySince = new HashMap<>();
  private final Map<Claim<Integer>, Map<Integer, Long>> behind = new HashMap<>();
  private long now;

  private final Map<Integer, Long> served = new HashMap<>();
  private final Map<Integer, Long> waited = new HashMap<>();
  private final Map<Integer, Long> waits = new HashMap<>();
  private final Map<Integer, Long> longest = new HashMap<>();
  private final Map<Integer, Map<Integer, Long>> blamed = new HashMap<>();

  private DeficitRoundRobin<Integer> scheduler() {
    return new DeficitRoundRobin<>(
        Slicing.DEFAULT, tenant -> tenant <= WEIGHTS ? tenant : 1, meters);
  }

  @BeforeTry
  void beginAnew() {
    meters = new WaitMeters();
    scheduler = scheduler();
    claims.clear();
    List.of(readySince, behind, served, waited, waits, longest, blamed).forEach(Map::clear);
  }

  private void enter(int tenant, int sessions) {
    for (int i = 0; i < sessions; i++) {
      claims.add(scheduler.enter(tenant, tenant));
    }
  }

  private void ready(Claim<Integer> claim) {
    scheduler.ready(claim, now);
    if (readySince.putIfAbsent(claim, now) == null) {
      behind.put(claim, new HashMap<>());
    }
  }

  private void serve(long cost, boolean hasMore) {
    serve(cost, tenant -> hasMore);
  }

  private void serve(long cost, IntPredicate more) {
    Claim<Integer> claim = scheduler.next(now);
    if (claim == null) {
      return;
    }
    int tenant = claim.work();
    boolean hasMore = more.test(tenant);
    long wait = now - removed(readySince, claim);
    if (wait > 0) {
      waits.merge(tenant, 1L, Long::sum);
      waited.merge(tenant, wait, Long::sum);
      longest.merge(tenant, wait, Math::max);
      Map<Integer, Long> sums = blamed.computeIfAbsent(tenant, number -> new HashMap<>());
      removed(behind, claim).forEach((other, nanos) -> sums.merge(other, nanos, Long::sum));
    }
    now += cost;
    served.merge(tenant, cost, Long::sum);
    readySince
        .keySet()
        .forEach(
            waiting -> {
              if (!waiting.work().equals(tenant)) {
                behind
                    .computeIfAbsent(waiting, none -> new HashMap<>())
                    .merge(tenant, cost, Long::sum);
              }
            });
    scheduler.done(now, 0, hasMore);
    if (hasMore) {
      ready(claim);
    }
  }

  private static <V> V removed(Map<Claim<Integer>, V> map, Claim<Integer> claim) {
    V value = map.remove(claim);
    if (value == null) {
      throw new AssertionError("a session is served that was not ready");
    }
    return value;
  }

  private void run(Random random, int steps) {
    for (int step = 0; step < steps; step++) {
      switch (random.nextInt(5)) {
        case 0 -> now += random.nextInt(1_000);
        case 1, 2 -> ready(claims.get(random.nextInt(claims.size())));
        default -> serve(1 + random.nextInt(LONGEST), random.nextBoolean());
      }
    }
  }

  private long behindOthers(int tenant) {
    return blamed.getOrDefault(tenant, Map.of()).values().stream().mapToLong(Long::longValue).sum();
  }

  @Property(tries = 100)
  void sumsAreExact(@ForAll @IntRange(min = 1, max = 12) int tenants, @ForAll Random random) {
    for (int tenant = 1; tenant <= tenants; tenant++) {
      enter(tenant, 1 + random.nextInt(4));
    }
    run(random, 2_000);
    assertThat(meters.readings(now)).hasSize(tenants);
    for (Waits each : meters.readings(now)) {
      int tenant = each.tenant();
      assertThat(each.servedNanos()).isEqualTo(served.getOrDefault(tenant, 0L));
      assertThat(each.waits()).isEqualTo(waits.getOrDefault(tenant, 0L));
      assertThat(each.waitedNanos()).isEqualTo(waited.getOrDefault(tenant, 0L));
      assertThat(each.longestNanos()).isEqualTo(longest.getOrDefault(tenant, 0L));
      assertThat(each.behindOthersNanos()).isEqualTo(behindOthers(tenant));
      long sum = each.aggressors().stream().mapToLong(Waits.Aggressor::nanos).sum();
      assertThat(sum).isLessThanOrEqualTo(each.behindOthersNanos());
      assertThat(sum).isGreaterThan(each.behindOthersNanos() - 4 * each.waits() - 1);
    }
  }

  @Test
  void whoWasServedMostIsBlamedMost() {
    for (int tenant = 1; tenant <= 30; tenant++) {
      enter(tenant, tenant <= WEIGHTS ? 10 : 1);
    }
    claims.stream().limit(10 * WEIGHTS).forEach(this::ready);
    Random random = new Random(1);
    for (int step = 0; step < 300_000; step++) {
      if (step % 8 == 0) {
        ready(claims.get(random.nextInt(claims.size())));
      }
      serve(1 + random.nextInt(LONGEST), tenant -> tenant <= WEIGHTS);
    }
    for (Waits each : meters.readings(now)) {
      Map<Integer, Long> truth = blamed.getOrDefault(each.tenant(), Map.of());
      for (int aggressor = 1; aggressor <= WEIGHTS; aggressor++) {
        int wanted = aggressor;
        if (each.tenant() != wanted) {
          long known =
              each.aggressors().stream()
                  .filter(blamedOne -> blamedOne.tenant() == wanted)
                  .mapToLong(Waits.Aggressor::nanos)
                  .sum();
          assertThat((double) known)
              .isCloseTo(truth.getOrDefault(wanted, 0L), within(0.1 * each.behindOthersNanos()));
        }
      }
    }
  }

  @Test
  void waitsThatAreOldAreTheLongestNoMore() {
    enter(1, 1);
    enter(2, 1);
    ready(claims.get(0));
    ready(claims.get(1));
    serve(5_000, false);
    serve(1, false);
    assertThat(longestOf(2)).isEqualTo(5_000);
    now += WaitMeter.INTERVAL_NANOS;
    ready(claims.get(0));
    ready(claims.get(1));
    serve(3_000, false);
    serve(1, false);
    assertThat(longestOf(2)).isEqualTo(5_000);
    now += WaitMeter.INTERVAL_NANOS;
    assertThat(longestOf(2)).isEqualTo(3_000);
    now += WaitMeter.INTERVAL_NANOS;
    assertThat(longestOf(2)).isZero();
  }

  private long longestOf(int tenant) {
    return meters.readings(now).stream()
        .filter(each -> each.tenant() == tenant)
        .findAny()
        .orElseThrow()
        .longestNanos();
  }

  @Test
  void threadsAreSummedAndOnlyTheWorstAggressorsAreKept() {
    Waits one = new Waits(1, 10, 1, 100, 90, 50, List.of(aggressor(2, 60), aggressor(3, 30)));
    List<Waits.Aggressor> many = new ArrayList<>();
    for (int tenant = 3; tenant < 11; tenant++) {
      many.add(aggressor(tenant, 40 - tenant));
    }
    Waits sum = one.plus(new Waits(1, 20, 2, 300, 280, 70, many));
    assertThat(sum.servedNanos()).isEqualTo(30);
    assertThat(sum.waits()).isEqualTo(3);
    assertThat(sum.waitedNanos()).isEqualTo(400);
    assertThat(sum.behindOthersNanos()).isEqualTo(370);
    assertThat(sum.longestNanos()).isEqualTo(70);
    assertThat(sum.aggressors()).hasSize(8).startsWith(aggressor(3, 67), aggressor(2, 60));
  }

  private static Waits.Aggressor aggressor(int tenant, long nanos) {
    return new Waits.Aggressor(tenant, nanos, 0);
  }

  @Test
  void aTenantThatIsForgottenIsNotToldOf() {
    enter(1, 1);
    scheduler.forget(1);
    assertThat(meters.readings(now)).hasSize(1);
    scheduler.leave(claims.getFirst());
    scheduler.forget(1);
    scheduler.forget(7);
    assertThat(meters.readings(now)).isEmpty();
  }

  @Test
  void aReadingIsOfOneInstant() throws InterruptedException {
    WaitMeter meter = new WaitMeter(1);
    AtomicBoolean isOver = new AtomicBoolean();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; !isOver.get(); i = (i + 1) % 100) {
                    meter.begin();
                    meter.waited(3, 2, 0);
                    meter.aggressors().add(1 + i % 5, 2);
                    meter.end();
                    for (int pause = 0; pause < 100; pause++) {
                      Thread.onSpinWait(); // who writes without end is not read
                    }
                    if (i == 0) {
                      LockSupport.parkNanos(1); // nor in pauses shorter than a reading
                    }
                  }
                });
    try {
      long before = 0;
      for (int changes = 0; changes < 2_000; ) { // else all were read before the writer began
        Waits reading = meter.reading(0);
        changes += reading.waits() == before ? 0 : 1;
        before = reading.waits();
        assertThat(reading.waitedNanos()).isEqualTo(3 * reading.waits());
        assertThat(reading.behindOthersNanos()).isEqualTo(2 * reading.waits());
        assertThat(reading.aggressors().stream().mapToLong(Waits.Aggressor::nanos).sum())
            .isEqualTo(2 * reading.waits());
      }
    } finally {
      isOver.set(true);
      writer.join();
    }
  }

  // ---- Space-Saving

  @Property(tries = 200)
  void sumsOfTheGreatestAreRightUpToTheirErrors(
      @ForAll @IntRange(min = 1, max = 100) int tenants, @ForAll Random random) {
    HeavyHitters hitters = new HeavyHitters();
    Map<Integer, Long> truth = new HashMap<>();
    long total = 0;
    for (int i = 0; i < 2_000; i++) {
      int tenant = 1 + (int) (tenants * Math.pow(random.nextDouble(), 3));
      long amount = 1 + random.nextLong(100);
      hitters.add(tenant, amount);
      truth.merge(tenant, amount, Long::sum);
      total += amount;
    }
    List<Waits.Aggressor> known = hitters.toList();
    assertThat(known.stream().mapToLong(Waits.Aggressor::nanos).sum()).isEqualTo(total);
    for (Waits.Aggressor each : known) {
      assertThat(truth.get(each.tenant()))
          .isBetween(each.nanos() - each.errorNanos(), each.nanos());
    }
    long eighth = total / HeavyHitters.SIZE;
    truth.forEach(
        (tenant, sum) -> {
          if (sum > eighth) {
            assertThat(known).anyMatch(each -> each.tenant() == tenant);
          }
        });
  }
}
