package io.keyvalueserve.grid.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.gates.fairness.WaitMeters;
import io.keyvalueserve.gates.fairness.Waits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the threads of a pool take next. Each task runs until the test ends it, by a clock of the
 * test's.
 */
@Timeout(120)
class TurnPoolTest {
  private static final int ACME = 1;
  private static final int GLOBEX = 2;
  private static final int INITECH = 3;
  private static final int MOST_WAITING = 1_000;
  private static final long MILLI = 1_000_000;

  private final Map<Integer, Integer> weights = new HashMap<>();
  private final WaitMeters meters = new WaitMeters();
  private final AtomicLong now = new AtomicLong(1);
  private final BlockingQueue<Task> begun = new LinkedBlockingQueue<>();
  private final List<Task> running = new ArrayList<>();
  private final ThreadPoolExecutor threads = threads(2);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private static ThreadPoolExecutor threads(int count) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            count, count, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private TurnPool pool(ThreadPoolExecutor executor, int spare) {
    return new TurnPool(
        executor, spare, MOST_WAITING, tenant -> weights.getOrDefault(tenant, 1), meters, now::get);
  }

  private final class Task implements Runnable {
    private final int tenant;
    private final int number;
    private final CountDownLatch end = new CountDownLatch(1);

    Task(int tenant, int number) {
      this.tenant = tenant;
      this.number = number;
    }

    int tenant() {
      return tenant;
    }

    @Override
    public void run() {
      begun.add(this);
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void add(TurnPool pool, int tenant, int count) {
    for (int i = 0; i < count; i++) {
      pool.execute(tenant, new Task(tenant, i), () -> true);
    }
  }

  /** The next so many that begin. */
  private List<Task> awaitBegun(int count) throws InterruptedException {
    List<Task> next = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Task task = begun.poll(30, TimeUnit.SECONDS);
      if (task == null) {
        throw new AssertionError("nothing begins, but something waits: " + next.size());
      }
      next.add(task);
    }
    running.addAll(next);
    return next;
  }

  private void end(Task task) {
    running.remove(task);
    task.end.countDown();
  }

  @Test
  void aThreadOfItsOwnTakesTheTurnOfOneOfThePools() throws Exception {
    TurnPool pool = pool(threads, 0);
    TurnPool.OwnTurn own = Objects.requireNonNull(pool.tryBegin(ACME));
    add(pool, GLOBEX, 2);
    Task first = awaitBegun(1).getFirst();
    assertThat(pool.tryBegin(ACME)).as("a turn where all are taken").isNull();
    assertThat(pool.running()).isEqualTo(2);
    own.close();
    Task second = awaitBegun(1).getFirst();
    add(pool, GLOBEX, 1);
    end(first);
    Task third = awaitBegun(1).getFirst();
    end(second);
    end(third);
    Awaitility.await().until(() -> pool.running() == 0);
    try (TurnPool.OwnTurn again = pool.tryBegin(INITECH)) {
      assertThat(again).isNotNull();
      assertThat(pool.running()).isEqualTo(1);
    }
    assertThat(pool.running()).isZero();
    threads.shutdown();
    assertThat(pool.tryBegin(ACME)).isNull();
  }

  @Test
  void aTenantAloneHasAllUsualThreadsAndItsOrder() throws Exception {
    TurnPool pool = pool(threads, 2);
    add(pool, ACME, 100);
    awaitBegun(2);
    assertThat(pool.waiting()).isEqualTo(98);
    for (int i = 2; i < 100; i++) {
      end(running.getFirst());
      assertThat(awaitBegun(1)).extracting(task -> task.number).containsExactly(i);
    }
    assertThat(pool.waiting()).isZero();
    List.copyOf(running).forEach(this::end);
    assertThat(begun).isEmpty();
  }

  @Test
  void oneTaskBesideHundredsBeginsThoughNoneOfThemEnds() throws Exception {
    TurnPool pool = pool(threads, 2);
    add(pool, ACME, 200);
    awaitBegun(2);
    add(pool, GLOBEX, 3);
    assertThat(awaitBegun(1)).extracting(Task::tenant).containsExactly(GLOBEX);
    add(pool, INITECH, 1);
    Task last = awaitBegun(1).getFirst();
    assertThat(last.tenant()).isEqualTo(INITECH);
    end(last); // a spare thread is free, and everybody has something that runs
    add(pool, TurnQueue.SYSTEM, 1);
    assertThat(awaitBegun(1)).extracting(Task::tenant).containsExactly(TurnQueue.SYSTEM);
  }

  @Test
  void withoutSpareThreadsItIsNextWhenOneEnds() throws Exception {
    TurnPool pool = pool(threads, 0);
    add(pool, ACME, 200);
    awaitBegun(2);
    add(pool, GLOBEX, 1);
    now.addAndGet(7 * MILLI);
    assertThat(begun).isEmpty();
    end(running.getFirst());
    assertThat(awaitBegun(1)).extracting(Task::tenant).containsExactly(GLOBEX);
    Waits waits =
        meters.readings(now.get()).stream()
            .filter(each -> each.tenant() == GLOBEX)
            .findAny()
            .orElseThrow();
    assertThat(waits.waitedNanos()).isEqualTo(7 * MILLI);
    assertThat(waits.aggressors()).extracting(Waits.Aggressor::tenant).containsExactly(ACME);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "3, 1", "3, 20"})
  void threadsAreSharedByWeightWhateverTasksTake(int weight, int cost) throws Exception {
    weights.put(ACME, weight);
    ThreadPoolExecutor eight = threads(8);
    try {
      TurnPool pool = pool(eight, 8);
      add(pool, ACME, 900);
      add(pool, GLOBEX, 900);
      awaitBegun(9); // the eighth first, and then one of whom none runs
      Map<Integer, Long> served = new HashMap<>();
      Map<Task, Long> begins = new HashMap<>();
      for (int i = 0; i < 800; i++) {
        for (Task each : running) {
          begins.putIfAbsent(each, now.get());
        }
        // Who has run for as long as it takes: tasks of one tenant take longer.
        Task over = null;
        while (over == null) {
          now.addAndGet(MILLI / 4);
          for (Task each : running) {
            long takes = each.tenant() == ACME ? cost * MILLI : MILLI;
            if (over == null && now.get() - begins.getOrDefault(each, 0L) >= takes) {
              over = each;
            }
          }
        }
        if (i >= 100) {
          served.merge(over.tenant(), now.get() - begins.getOrDefault(over, 0L), Long::sum);
        }
        int before = running.size();
        end(over);
        if (before <= 8 || !isRunning(over.tenant())) {
          awaitBegun(1);
        }
      }
      double ratio = (double) served.getOrDefault(ACME, 0L) / served.getOrDefault(GLOBEX, 1L);
      assertThat(ratio).isBetween(0.8 * weight, 1.25 * weight);
    } finally {
      eight.shutdownNow();
    }
  }

  private boolean isRunning(int tenant) {
    return running.stream().anyMatch(task -> task.tenant() == tenant);
  }

  @Test
  void whatIsNobodysGoesFirstAndStarvesNobody() throws Exception {
    TurnPool pool = pool(threads, 0);
    add(pool, ACME, 100);
    awaitBegun(2);
    add(pool, TurnQueue.SYSTEM, 60);
    add(pool, GLOBEX, 10);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      now.addAndGet(5 * MILLI);
      end(running.getFirst());
      order.add(awaitBegun(1).getFirst().tenant());
    }
    assertThat(order.subList(0, TurnQueue.MOST_SYSTEM_IN_A_ROW)).containsOnly(TurnQueue.SYSTEM);
    int inARow = 0;
    for (int tenant : order) {
      inARow = tenant == TurnQueue.SYSTEM ? inARow + 1 : 0;
      assertThat(inARow).isLessThanOrEqualTo(TurnQueue.MOST_SYSTEM_IN_A_ROW);
    }
    assertThat(order).contains(GLOBEX).contains(ACME);
  }

  /** Whatever comes and ends when: all is run, in order, and nobody is without a thread in vain. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void nothingIsLostAndNobodyStarves(long seed) throws Exception {
    Random random = new Random(seed);
    int spare = random.nextInt(3);
    TurnPool pool = pool(threads, spare);
    int[] added = new int[6];
    int[] seen = new int[6];
    int waiting = 0;
    for (int step = 0; step < 3_000; step++) {
      now.addAndGet(random.nextLong(3 * MILLI));
      if (step < 2_000 && random.nextInt(2) == 0) {
        int tenant = 1 + random.nextInt(5);
        pool.execute(tenant, new Task(tenant, added[tenant]++), () -> true);
        waiting++;
      } else if (!running.isEmpty()) {
        end(running.get(random.nextInt(running.size())));
      }
      waiting -= settle(pool, waiting, seen);
      assertThat(running.size()).isLessThanOrEqualTo(2 + spare);
      for (int tenant = 1; tenant < added.length; tenant++) {
        if (added[tenant] > seen[tenant] && running.size() < 2 + spare) {
          assertThat(running.size()).isGreaterThanOrEqualTo(2);
          assertThat(isRunning(tenant)).as("tenant %s, step %s", tenant, step).isTrue();
        }
      }
    }
    while (!running.isEmpty()) {
      end(running.getFirst());
      waiting -= settle(pool, waiting, seen);
    }
    assertThat(seen).isEqualTo(added);
  }

  /**
   * Waits until all has begun that can.
   *
   * @param waiting how many waited before
   * @param seen how many of each tenant have begun; those that begin now are the next
   * @return how many have begun
   */
  private int settle(TurnPool pool, int waiting, int[] seen) throws InterruptedException {
    int count = 0;
    // Each that begins waited before; and what the test has ended the pool knows to have ended.
    while (pool.running() != running.size() || pool.waiting() != waiting - count) {
      Task task = begun.poll(1, TimeUnit.MILLISECONDS);
      if (task != null) {
        running.add(task);
        count++;
        sawInOrder(task, seen);
      }
    }
    return count;
  }

  /** Of two that begin at once either may say so first. */
  private void sawInOrder(Task task, int[] seen) {
    long before =
        running.stream()
            .filter(each -> each.tenant() == task.tenant() && each.number > task.number)
            .count();
    assertThat(task.number).isBetween(seen[task.tenant()] - (int) before, seen[task.tenant()] + 1);
    seen[task.tenant()]++;
  }

  @Test
  void whatNobodyWantsAnyMoreIsDropped() throws Exception {
    TurnPool pool = pool(threads, 1);
    add(pool, ACME, 2);
    awaitBegun(2);
    AtomicBoolean isWanted = new AtomicBoolean(true);
    for (int i = 0; i < 50; i++) {
      pool.execute(ACME, new Task(ACME, 100 + i), isWanted::get);
      pool.execute(TurnQueue.SYSTEM, new Task(TurnQueue.SYSTEM, i), isWanted::get);
    }
    Task system = awaitBegun(1).getFirst(); // on the spare thread
    add(pool, ACME, 1);
    isWanted.set(false);
    end(system);
    end(running.getFirst());
    Task next = awaitBegun(1).getFirst();
    assertThat(next.number).isZero();
    assertThat(pool.waiting()).isZero();
    List.copyOf(running).forEach(this::end);
    assertThat(begun).isEmpty();
  }

  @Test
  void oneTenantsQueueThatIsFullIsNoOthers() throws Exception {
    TurnPool pool = pool(threads, 1);
    add(pool, ACME, MOST_WAITING + 2);
    awaitBegun(2);
    assertThatThrownBy(() -> add(pool, ACME, 1)).isInstanceOf(RejectedExecutionException.class);
    add(pool, GLOBEX, 1);
    assertThat(awaitBegun(1)).extracting(Task::tenant).containsExactly(GLOBEX);
    end(running.getFirst());
    end(running.getFirst());
    assertThat(awaitBegun(1)).extracting(Task::tenant).containsExactly(ACME);
    add(pool, ACME, 1);
    assertThat(pool.waiting()).isEqualTo(MOST_WAITING);
  }

  @Test
  void whatWaitsWhenThePoolEndsIsNeverRunAndWhatComesIsRejected() throws Exception {
    TurnPool pool = pool(threads, 1);
    add(pool, ACME, 20);
    add(pool, GLOBEX, 20);
    awaitBegun(3);
    threads.shutdown();
    assertThatThrownBy(() -> add(pool, GLOBEX, 1)).isInstanceOf(RejectedExecutionException.class);
    List.copyOf(running).forEach(this::end);
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(begun).isEmpty();
  }

  /** Tasks end at once, while others come from all sides: nothing is left behind. */
  @Test
  void nothingIsLostHoweverManyAddAtOnce() throws Exception {
    int tasks = 20_000;
    TurnPool pool = new TurnPool(threads, 2, tasks, tenant -> tenant, meters, System::nanoTime);
    Map<Integer, AtomicInteger> done = new ConcurrentHashMap<>();
    List<Thread> adders = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int tenant = i == 0 ? TurnQueue.SYSTEM : i;
      done.put(tenant, new AtomicInteger());
      adders.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int j = 0; j < tasks; j++) {
                      pool.execute(tenant, done.get(tenant)::incrementAndGet, () -> true);
                    }
                  }));
    }
    for (Thread each : adders) {
      each.join();
    }
    Awaitility.await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> done.values().stream().mapToInt(AtomicInteger::get).sum() == 6 * tasks);
    assertThat(done.values()).extracting(AtomicInteger::get).containsOnly(tasks);
    assertThat(pool.waiting()).isZero();
    Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> pool.running() == 0);
    assertThat(threads.getLargestPoolSize()).isLessThanOrEqualTo(4);
    long served = meters.readings(System.nanoTime()).stream().mapToLong(Waits::servedNanos).sum();
    assertThat(served).isPositive();
  }

  @Test
  void aTaskThatThrowsTakesNoThreadAway() {
    AtomicInteger done = new AtomicInteger();
    threads.setThreadFactory(
        task -> {
          Thread thread = new Thread(task);
          thread.setUncaughtExceptionHandler((failed, error) -> {});
          return thread;
        });
    TurnPool pool = pool(threads, 0);
    for (int i = 0; i < 50; i++) {
      boolean fails = i % 2 == 0;
      pool.execute(
          ACME,
          () -> {
            int _ = done.incrementAndGet();
            if (fails) {
              throw new IllegalStateException("as the test wants");
            }
          },
          () -> true);
    }
    Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> done.get() == 50);
    assertThat(pool.waiting()).isZero();
  }
}
