package io.keyvalueserve.grid.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.gates.fairness.WaitMeters;
import io.keyvalueserve.gates.fairness.Waits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a partition thread takes next, by a clock of the test's. */
@Timeout(60)
class TurnQueueTest {
  private static final int ACME = 1;
  private static final int GLOBEX = 2;
  private static final long MICRO = 1_000;

  private final Map<Integer, Integer> weights = new HashMap<>();
  private final WaitMeters meters = new WaitMeters();
  private long now = 1;
  private int clockReadings;
  private final TurnQueue queue =
      new TurnQueue(
          task -> ((Task) task).tenant(),
          tenant -> weights.getOrDefault(tenant, 1),
          meters,
          this::readClock);

  private record Task(int tenant, int number, long cost) {}

  private long readClock() {
    clockReadings++;
    return now;
  }

  private void add(int tenant, int count, long cost) {
    for (int i = 0; i < count; i++) {
      queue.add(new Task(tenant, i, cost), false);
    }
  }

  private @Nullable Task run() {
    Task task = (Task) queue.poll();
    if (task != null) {
      now += task.cost();
    }
    return task;
  }

  private Task mustRun() {
    Task task = run();
    if (task == null) {
      throw new AssertionError("nothing is left to be done");
    }
    return task;
  }

  private static double ratio(Map<Integer, Long> served, int tenant, int other) {
    return (double) served.getOrDefault(tenant, 0L) / served.getOrDefault(other, 1L);
  }

  private List<Task> runAll() {
    List<Task> done = new ArrayList<>();
    for (Task task = run(); task != null; task = run()) {
      done.add(task);
    }
    return done;
  }

  /** How long a tenant was served in the first so many nanoseconds. */
  private Map<Integer, Long> servedIn(long nanos) {
    Map<Integer, Long> served = new HashMap<>();
    long end = now + nanos;
    while (now < end) {
      Task task = mustRun();
      served.merge(task.tenant(), task.cost(), Long::sum);
    }
    return served;
  }

  @Test
  void aTenantAloneIsServedInOrderAndNoClockIsRead() {
    add(ACME, 10_000, MICRO);
    assertThat(queue.size()).isEqualTo(10_000);
    assertThat(runAll().stream().map(Task::number)).isSorted().hasSize(10_000);
    assertThat(clockReadings).isZero();
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void oneRequestBesideThousandsIsServedWithinASlice() {
    add(ACME, 5_000, 10 * MICRO);
    for (int i = 0; i < 100; i++) {
      run();
    }
    add(GLOBEX, 1, 10 * MICRO);
    int before = 0;
    for (Task task = run(); task != null && task.tenant() != GLOBEX; task = run()) {
      before++;
    }
    assertThat(before).isLessThanOrEqualTo(10); // of 10 us each
    assertThat(queue.normalSize()).isGreaterThan(4_800);
  }

  @Test
  void whoAsksAgainAndAgainGetsNoMoreThanItsPart() {
    add(ACME, 20_000, 10 * MICRO);
    Map<Integer, Long> served = new HashMap<>();
    Task last = null;
    for (int i = 0; i < 5_000; i++) {
      if (last == null || last.tenant() == GLOBEX) {
        add(GLOBEX, 1, 70 * MICRO); // one in flight, and each as dear as seven
      }
      last = mustRun();
      served.merge(last.tenant(), last.cost(), Long::sum);
    }
    assertThat(ratio(served, GLOBEX, ACME)).isBetween(0.9, 1.1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 1000})
  void timeIsSharedByWeightWhateverTasksCost(int weight) {
    weights.put(ACME, weight);
    add(ACME, 100_000, 40 * MICRO);
    add(GLOBEX, 100_000, 3 * MICRO);
    Map<Integer, Long> served = servedIn(500_000 * MICRO);
    assertThat(ratio(served, ACME, GLOBEX)).isBetween(0.9 * weight, 1.1 * weight);
  }

  @Test
  void urgentTasksGoFirstAndAreNobodysTime() {
    add(ACME, 1_000, 10 * MICRO);
    add(GLOBEX, 1_000, 10 * MICRO);
    Map<Integer, Long> served = new HashMap<>();
    for (int i = 0; i < 400; i++) {
      Task next = mustRun();
      served.merge(next.tenant(), next.cost(), Long::sum);
      if (next.tenant() == ACME) { // as if it happened in one tenant's turns only
        queue.add(new Task(TurnQueue.SYSTEM, i, 50 * MICRO), true);
        assertThat(queue.prioritySize()).isEqualTo(1);
        assertThat(run()).isEqualTo(new Task(TurnQueue.SYSTEM, i, 50 * MICRO));
      }
    }
    assertThat(ratio(served, ACME, GLOBEX)).isBetween(0.85, 1.15);
  }

  @Test
  void membersGoBeforeTenantsAndStarveNobody() {
    add(ACME, 100, MICRO);
    add(TurnQueue.SYSTEM, 100, MICRO);
    add(GLOBEX, 100, MICRO);
    List<Integer> order = runAll().stream().map(Task::tenant).toList();
    assertThat(order.subList(0, TurnQueue.MOST_SYSTEM_IN_A_ROW)).containsOnly(TurnQueue.SYSTEM);
    int inARow = 0;
    for (int i = 0; i < order.lastIndexOf(TurnQueue.SYSTEM); i++) {
      inARow = order.get(i) == TurnQueue.SYSTEM ? inARow + 1 : 0;
      assertThat(inARow).isLessThanOrEqualTo(TurnQueue.MOST_SYSTEM_IN_A_ROW);
    }
    assertThat(order.lastIndexOf(TurnQueue.SYSTEM)).isLessThan(100 + 100 / 4);
    assertThat(order).hasSize(300);
  }

  @Test
  void tellsWhoWaitedForWhom() {
    add(ACME, 100, 100 * MICRO);
    add(GLOBEX, 1, MICRO);
    run();
    runAll();
    Waits waits =
        meters.readings(now).stream()
            .filter(each -> each.tenant() == GLOBEX)
            .findAny()
            .orElseThrow();
    assertThat(waits.waits()).isEqualTo(1);
    assertThat(waits.waitedNanos()).isEqualTo(100 * MICRO);
    assertThat(waits.behindOthersNanos()).isEqualTo(100 * MICRO);
    assertThat(waits.aggressors()).extracting(Waits.Aggressor::tenant).containsExactly(ACME);
  }

  @Test
  void accountsEndWhenNobodyHasWaitedForAnotherForAWhile() {
    add(ACME, 10, MICRO);
    add(GLOBEX, 10, MICRO);
    runAll();
    now += TurnQueue.CONTENTION_LASTS_NANOS;
    add(ACME, 1, MICRO);
    runAll();
    int before = clockReadings;
    add(ACME, 1_000, MICRO);
    add(ACME, 1_000, MICRO);
    assertThat(runAll()).hasSize(2_000);
    assertThat(clockReadings).isEqualTo(before);
  }

  @Test
  void aTenantThatIsDeletedIsForgotten() {
    add(ACME, 1, MICRO);
    add(GLOBEX, 1, MICRO);
    runAll();
    assertThat(meters.readings(now)).extracting(Waits::tenant).contains(ACME, GLOBEX);
    queue.forget(GLOBEX);
    queue.forget(ACME);
    assertThat(queue.poll()).isNull();
    assertThat(meters.readings(now)).extracting(Waits::tenant).doesNotContain(ACME, GLOBEX);
    assertThat(queue.isEmpty()).isTrue();
    add(GLOBEX, 2, MICRO); // what was under way yet
    add(ACME, 2, MICRO);
    assertThat(runAll()).hasSize(4);
  }

  /** Against one list for each class: nothing lost, nothing twice, nobody out of order. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void keepsTheOrderOfEachClassWhateverComes(long seed) {
    Random random = new Random(seed);
    Map<Integer, Deque<Task>> model = new HashMap<>();
    Map<Integer, Long> served = new HashMap<>();
    int waiting = 0;
    for (int step = 0; step < 50_000; step++) {
      int burst = random.nextInt(20) == 0 ? random.nextInt(60) : random.nextInt(2);
      for (int i = 0; i < burst; i++) {
        int tenant = TurnQueue.SYSTEM + random.nextInt(5);
        Task task = new Task(tenant, step, MICRO * (1 + random.nextInt(60)));
        boolean urgent = random.nextInt(30) == 0;
        model.computeIfAbsent(urgent ? -2 : tenant, any -> new ArrayDeque<>()).add(task);
        queue.add(task, urgent);
        waiting++;
      }
      if (random.nextInt(1_000) == 0) {
        now += TurnQueue.CONTENTION_LASTS_NANOS;
        queue.forget(random.nextInt(5));
      }
      for (int runs = random.nextInt(4); runs > 0; runs--) {
        Deque<Task> urgent = model.computeIfAbsent(-2, any -> new ArrayDeque<>());
        boolean isUrgent = !urgent.isEmpty();
        Task task = run();
        if (task == null) {
          assertThat(waiting).isZero();
          break;
        }
        Deque<Task> expected =
            isUrgent ? urgent : model.computeIfAbsent(task.tenant(), any -> new ArrayDeque<>());
        assertThat(expected.poll()).isSameAs(task);
        served.merge(task.tenant(), 1L, Long::sum);
        waiting--;
      }
    }
    waiting -= runAll().size();
    assertThat(waiting).isZero();
    assertThat(queue.isEmpty()).isTrue();
    assertThat(served).hasSize(5);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoTakesIsWokenAndParksWhenNothingIsThere(boolean urgent) throws InterruptedException {
    BlockingQueue<Object> taken = new LinkedBlockingQueue<>();
    Thread thread = startTaking(taken);
    for (int i = 0; i < 200; i++) {
      if (i % 20 == 0) {
        awaitParked(thread);
      }
      Task task = new Task(ACME, i, 0);
      queue.add(task, urgent);
      assertThat(taken.poll(30, TimeUnit.SECONDS)).isSameAs(task);
    }
    awaitParked(thread);
    thread.interrupt();
    thread.join();
  }

  @Test
  void whoIsInterruptedStopsWaitingAndLosesNothing() throws InterruptedException {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> queue.take(false)).isInstanceOf(InterruptedException.class);
    add(ACME, 1, 0);
    assertThat(queue.take(false)).isEqualTo(new Task(ACME, 0, 0));
    assertThat(Thread.interrupted()).isFalse();
  }

  private static void awaitParked(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  private Thread startTaking(BlockingQueue<Object> taken) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (true) {
                  taken.add(queue.take(false));
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.setDaemon(true);
    queue.takenBy(thread);
    thread.start();
    return thread;
  }

  @Test
  void manyThreadsAddAndNothingIsLostOrTwiceOrOutOfOrder() throws InterruptedException {
    int producers = 6;
    int each = 100_000;
    TurnQueue real =
        new TurnQueue(task -> ((Task) task).tenant(), any -> 1, meters, System::nanoTime);
    real.takenBy(Thread.currentThread());
    CountDownLatch begin = new CountDownLatch(1);
    for (int i = 0; i < producers; i++) {
      int producer = i;
      Thread thread =
          new Thread(
              () -> {
                try {
                  begin.await();
                } catch (InterruptedException e) {
                  return;
                }
                for (int number = 0; number < each; number++) {
                  // A tenant for every two producers, and now and then something urgent.
                  boolean urgent = number % 50 == 7;
                  int tenant = producer / 2 == 2 ? TurnQueue.SYSTEM : 1 + producer / 2;
                  real.add(new Task(tenant, number, producer + (urgent ? 100 : 0)), urgent);
                }
              });
      thread.setDaemon(true);
      thread.start();
    }
    begin.countDown();
    Map<Long, Integer> last = new HashMap<>();
    Set<Task> seen = new HashSet<>();
    for (int i = 0; i < producers * each; i++) {
      Task task = (Task) real.take(false);
      assertThat(seen.add(task)).isTrue();
      Integer before = last.put(task.cost(), task.number());
      if (before != null && before >= task.number()) {
        throw new AssertionError(task + " came after " + before);
      }
    }
    assertThat(real.poll()).isNull();
    assertThat(real.isEmpty()).isTrue();
  }
}
