package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Runs rounds of faults against one cluster. In each round clients work on keys that no other round
 * has. A fault is done and ended. When all members serve again, what clients saw is checked. The
 * run ends at the first violation, or when its time is over.
 */
final class NemesisRun {
  private static final long CALM_MILLIS = 1_000;
  private static final long OPERATION_PATIENCE_SECONDS = 60;

  private final Progress progress;
  private final CrashPlan crash;
  private final NemesisPlan plan;
  private final Path servers;
  private final SplittableRandom random;
  private final NemesisWork work;
  private List<NemesisWorker<?>> workers = List.of();

  NemesisRun(Progress progress, CrashPlan crash, NemesisPlan plan, Path servers) {
    this.progress = progress;
    this.crash = crash;
    this.plan = plan;
    this.servers = servers;
    this.random = new SplittableRandom(crash.seed);
    this.work = plan.work();
  }

  /**
   * Runs all rounds.
   *
   * @throws BenchException if a member ends by itself or does not serve again
   */
  NemesisReport run(String conditions) throws IOException {
    List<NemesisReport.Round> rounds = new ArrayList<>();
    boolean clocksStep = plan.kinds().contains(NemesisKind.CLOCK);
    try (NemesisCluster cluster =
        new NemesisCluster(servers, crash.members, crash.durability, clocksStep, random.split())) {
      List<Thread> threads = new ArrayList<>();
      try {
        workers = work.connect(cluster, random);
        for (NemesisWorker<?> worker : workers) {
          threads.add(Thread.ofPlatform().name("nemesis").daemon().start(worker));
        }
        long end = System.nanoTime() + (long) (plan.minutes * TimeUnit.MINUTES.toNanos(1));
        while (System.nanoTime() < end && rounds.stream().allMatch(NemesisReport.Round::isWell)) {
          rounds.add(round(rounds.size() + 1, cluster));
          progress.say("%s", rounds.getLast().line());
        }
      } finally {
        workers.forEach(NemesisWorker::stop);
        for (Thread thread : threads) {
          join(thread);
        }
        workers.forEach(NemesisWorker::close);
        work.close();
      }
    }
    return new NemesisReport(
        conditions, rounds, all(NemesisWorker::carriedOut), all(NemesisWorker::errors));
  }

  private NemesisReport.Round round(int number, NemesisCluster cluster) {
    long doneBefore = sum(NemesisWorker::done);
    long unknownBefore = sum(NemesisWorker::unknown);
    long notDoneBefore = sum(NemesisWorker::notDone);
    NemesisRound round = work.begin(number);
    Clock.sleepMillis(CALM_MILLIS);
    awaitWork();
    workers.forEach(NemesisWorker::resetGap);
    NemesisFaults fault =
        NemesisFaults.draw(plan.kinds(), cluster.size(), crash.durability, random);
    cluster.suffer(fault);
    long healed = System.nanoTime();
    cluster.awaitServing();
    long servingNanos = System.nanoTime() - healed;
    long othersNanos =
        workers.stream()
            .filter(each -> each.member() != 0 && !fault.hits(each.member()))
            .mapToLong(NemesisWorker::longestGapNanos)
            .max()
            .orElse(0);
    cluster.awaitSafe();
    long safeNanos = System.nanoTime() - healed;
    Clock.sleepMillis(CALM_MILLIS);
    awaitWork();
    round.close();
    Clock.await(
        round::isOver, 10, OPERATION_PATIENCE_SECONDS, "a client got no answer and no error");
    workers.forEach(NemesisWorker::requireWell);
    NemesisWork.Found found = work.check(cluster);
    return new NemesisReport.Round(
        number,
        fault,
        sum(NemesisWorker::done) - doneBefore,
        sum(NemesisWorker::unknown) - unknownBefore,
        sum(NemesisWorker::notDone) - notDoneBefore,
        othersNanos,
        servingNanos,
        safeNanos,
        found.undecided(),
        found.seenUnacknowledged(),
        found.violations());
  }

  /** Waits until each client has done some more. */
  private void awaitWork() {
    long[] before = workers.stream().mapToLong(NemesisWorker::done).toArray();
    Clock.await(
        () -> {
          workers.forEach(NemesisWorker::requireWell);
          return IntStream.range(0, before.length)
              .allMatch(i -> workers.get(i).done() - before[i] >= work.fewestOperations());
        },
        10,
        OPERATION_PATIENCE_SECONDS,
        "a client had too little carried out");
  }

  private long sum(ToLongFunction<NemesisWorker<?>> what) {
    return workers.stream().mapToLong(what).sum();
  }

  private Map<String, Long> all(Function<NemesisWorker<?>, Map<String, Long>> what) {
    Map<String, Long> all = new TreeMap<>();
    workers.forEach(each -> what.apply(each).forEach((kind, n) -> all.merge(kind, n, Long::sum)));
    return all;
  }

  private static void join(Thread thread) {
    try {
      thread.join(TimeUnit.SECONDS.toMillis(OPERATION_PATIENCE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
