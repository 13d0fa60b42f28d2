package io.keyvalueserve.gates.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Several threads serve what one scheduler hands out; time goes on by hand. */
class ServedAtOnceTest {
  private static final long MILLI = 1_000_000;
  private static final Slicing SLICING = new Slicing(2 * MILLI, MILLI, MILLI / 10, 10_000 * MILLI);
  private static final int ACME = 1;
  private static final int GLOBEX = 2;
  private static final int INITECH = 3;

  private final WaitMeters meters = new WaitMeters();
  private long now = 1;

  private DeficitRoundRobin<Task> scheduler(int... weights) {
    return new DeficitRoundRobin<>(SLICING, tenant -> weights[tenant], meters);
  }

  private record Task(int tenant, int number) {}

  private record Running(Claim<Task> claim, long end) {}

  private Claim<Task> add(DeficitRoundRobin<Task> scheduler, int tenant, int number) {
    Claim<Task> claim = scheduler.enter(tenant, new Task(tenant, number));
    scheduler.ready(claim, now);
    return claim;
  }

  private static void end(DeficitRoundRobin<Task> scheduler, Claim<Task> claim, long now) {
    scheduler.end(claim, now);
    scheduler.leave(claim);
  }

  private static Claim<Task> must(@Nullable Claim<Task> claim) {
    if (claim == null) {
      throw new AssertionError("nobody is served, but somebody has work");
    }
    return claim;
  }

  private static int tenant(@Nullable Claim<Task> claim) {
    return must(claim).work().tenant();
  }

  /** What waits begins in order, and begins once, whoever asks how. */
  @Property(tries = 300)
  void nothingIsLostOrDoneTwice(
      @ForAll @IntRange(min = 1, max = 8) int tenants, @ForAll Random random) {
    int[] weights = new int[tenants + 1];
    Arrays.setAll(weights, i -> 1 + random.nextInt(10));
    DeficitRoundRobin<Task> scheduler = scheduler(weights);
    List<Queue<Integer>> waiting = new ArrayList<>();
    for (int i = 0; i <= tenants; i++) {
      waiting.add(new ArrayDeque<>());
    }
    int[] going = new int[tenants + 1];
    List<Claim<Task>> running = new ArrayList<>();
    for (int step = 0; step < 2_000; step++) {
      now += random.nextLong(3 * MILLI);
      switch (random.nextInt(step < 1_500 ? 5 : 9)) {
        case 0, 1 -> {
          int tenant = 1 + random.nextInt(tenants);
          add(scheduler, tenant, step);
          waiting.get(tenant).add(step);
        }
        case 2, 5 -> {
          boolean isAny = waiting.stream().anyMatch(queue -> !queue.isEmpty());
          Claim<Task> claim = scheduler.begin(now);
          assertThat(claim != null).isEqualTo(isAny);
          begun(claim, waiting, going, running);
        }
        case 3, 6 -> {
          boolean isAny = false;
          for (int i = 1; i <= tenants; i++) {
            isAny |= going[i] == 0 && !waiting.get(i).isEmpty();
          }
          Claim<Task> claim = scheduler.beginIdle(now);
          assertThat(claim != null).isEqualTo(isAny);
          if (claim != null) {
            assertThat(going[tenant(claim)]).isZero();
          }
          begun(claim, waiting, going, running);
        }
        default -> {
          if (!running.isEmpty()) {
            Claim<Task> claim = running.remove(random.nextInt(running.size()));
            going[tenant(claim)]--;
            end(scheduler, claim, now);
          }
        }
      }
    }
  }

  private static void begun(
      @Nullable Claim<Task> claim,
      List<Queue<Integer>> waiting,
      int[] going,
      List<Claim<Task>> running) {
    if (claim != null) {
      Task task = claim.work();
      assertThat(waiting.get(task.tenant()).poll()).isEqualTo(task.number());
      going[task.tenant()]++;
      running.add(claim);
    }
  }

  /** Tenants that always have work get of the threads' time what their weights say. */
  @Property(tries = 50)
  void timeIsSharedByWeightWhateverTasksTake(
      @ForAll @IntRange(min = 2, max = 5) int tenants,
      @ForAll @IntRange(min = 1, max = 12) int threads,
      @ForAll Random random) {
    int[] weights = new int[tenants + 1];
    long[] usual = new long[tenants + 1];
    Arrays.setAll(weights, i -> 1 + random.nextInt(4));
    Arrays.setAll(usual, i -> (MILLI / 10) << random.nextInt(10));
    double[] served = new double[tenants + 1];
    DeficitRoundRobin<Task> scheduler = scheduler(weights);
    for (int tenant = 1; tenant <= tenants; tenant++) {
      for (int i = 0; i <= threads; i++) {
        add(scheduler, tenant, i);
      }
    }
    PriorityQueue<Running> running =
        new PriorityQueue<>(Comparator.comparingLong((Running each) -> each.end()));
    for (int step = 0; step < 20_000; step++) {
      while (running.size() < threads) {
        Claim<Task> claim = must(scheduler.begin(now));
        int tenant = tenant(claim);
        long cost = usual[tenant] / 2 + random.nextLong(usual[tenant]);
        served[tenant] += (double) cost / weights[tenant];
        running.add(new Running(claim, now + cost));
        add(scheduler, tenant, step);
      }
      Running over = running.remove();
      now = over.end();
      end(scheduler, over.claim(), now);
    }
    double[] sorted = Arrays.stream(served).skip(1).sorted().toArray();
    double ofOneRound = (double) threads * Arrays.stream(usual).max().orElseThrow();
    assertThat(sorted[tenants - 1] - sorted[0])
        .isLessThan(0.02 * sorted[tenants - 1] + 3 * ofOneRound);
  }

  @Test
  void whoComesIsNextThoughAnotherHasThousands() {
    DeficitRoundRobin<Task> scheduler = scheduler(1, 1, 1, 1);
    for (int i = 0; i < 1_000; i++) {
      add(scheduler, ACME, i);
    }
    Claim<Task> first = must(scheduler.begin(now));
    Claim<Task> second = must(scheduler.begin(now));
    assertThat(tenant(first)).isEqualTo(ACME);
    assertThat(tenant(second)).isEqualTo(ACME);
    now += 1_000 * MILLI;
    add(scheduler, GLOBEX, 0);
    end(scheduler, first, now);
    assertThat(tenant(scheduler.begin(now))).isEqualTo(GLOBEX);
  }

  /** It has used what nobody else wanted: nothing is owed for that. */
  @Test
  void whoWasAloneOwesNothing() {
    DeficitRoundRobin<Task> scheduler = scheduler(1, 1, 1, 1);
    for (int i = 0; i < 10; i++) {
      add(scheduler, ACME, i);
      Claim<Task> claim = must(scheduler.begin(now));
      now += 1_000 * MILLI;
      assertThat(tenant(claim)).isEqualTo(ACME);
      end(scheduler, claim, now);
    }
    add(scheduler, GLOBEX, 0);
    add(scheduler, GLOBEX, 1);
    add(scheduler, ACME, 10);
    Claim<Task> one = must(scheduler.begin(now));
    Claim<Task> other = must(scheduler.begin(now));
    assertThat(List.of(tenant(one), tenant(other))).containsExactly(GLOBEX, ACME);
  }

  @Test
  void onlyWhoHasNothingGoingOnIsBegunAsIdle() {
    DeficitRoundRobin<Task> scheduler = scheduler(1, 1, 1, 1);
    for (int i = 0; i < 3; i++) {
      add(scheduler, ACME, i);
    }
    Claim<Task> first = must(scheduler.beginIdle(now));
    assertThat(tenant(first)).isEqualTo(ACME);
    assertThat(scheduler.beginIdle(now)).isNull();
    add(scheduler, GLOBEX, 0);
    assertThat(tenant(scheduler.beginIdle(now))).isEqualTo(GLOBEX);
    end(scheduler, first, now);
    assertThat(tenant(scheduler.beginIdle(now))).isEqualTo(ACME);
  }

  /** Else a tenant of little weight would owe more and more by what it is promised. */
  @Test
  void whatOneGetsThoughItOwesIsNotOwed() {
    DeficitRoundRobin<Task> scheduler = scheduler(1, 1, 1, 1);
    for (int i = 0; i < 1_000; i++) {
      add(scheduler, ACME, i);
      add(scheduler, GLOBEX, i);
    }
    Claim<Task> acme = must(scheduler.begin(now));
    assertThat(tenant(acme)).isEqualTo(ACME);
    for (int i = 0; i < 100; i++) { // one of each at a time, of which GLOBEX never gets its turn
      Claim<Task> idle = must(scheduler.beginIdle(now));
      assertThat(tenant(idle)).isEqualTo(GLOBEX);
      now += 100 * MILLI;
      end(scheduler, idle, now);
    }
    end(scheduler, acme, now);
    int globex = 0;
    for (int i = 0; i < 200; i++) {
      Claim<Task> claim = must(scheduler.begin(now));
      globex += tenant(claim) == GLOBEX ? 1 : 0;
      now += 100 * MILLI;
      end(scheduler, claim, now);
    }
    assertThat(globex).isBetween(100, 205);
  }

  @Test
  void tellsWhoWaitedForWhomAndForWhatPart() {
    DeficitRoundRobin<Task> scheduler = scheduler(1, 1, 1, 1);
    add(scheduler, ACME, 0);
    add(scheduler, INITECH, 0);
    Claim<Task> one = must(scheduler.begin(now));
    Claim<Task> other = must(scheduler.begin(now));
    now += 50 * MILLI;
    add(scheduler, GLOBEX, 0);
    now += 100 * MILLI;
    end(scheduler, one, now);
    end(scheduler, other, now);
    Claim<Task> waited = must(scheduler.begin(now));
    assertThat(tenant(waited)).isEqualTo(GLOBEX);
    Waits waits =
        meters.readings(now).stream()
            .filter(each -> each.tenant() == GLOBEX)
            .findAny()
            .orElseThrow();
    assertThat(waits.waitedNanos()).isEqualTo(100 * MILLI);
    assertThat(waits.behindOthersNanos()).isEqualTo(100 * MILLI);
    assertThat(waits.aggressors())
        .extracting(Waits.Aggressor::tenant)
        .containsExactlyInAnyOrder(ACME, INITECH);
    assertThat(waits.aggressors())
        .extracting(Waits.Aggressor::nanos)
        .containsExactly(50 * MILLI, 50 * MILLI);
  }

  @Test
  void aSliceEndsOnce() {
    DeficitRoundRobin<Task> scheduler = scheduler(1, 1);
    Claim<Task> claim = add(scheduler, ACME, 0);
    assertThatThrownBy(() -> scheduler.end(claim, now)).isInstanceOf(IllegalStateException.class);
    assertThat(scheduler.begin(now)).isSameAs(claim);
    scheduler.end(claim, now);
    assertThatThrownBy(() -> scheduler.end(claim, now)).isInstanceOf(IllegalStateException.class);
  }
}
