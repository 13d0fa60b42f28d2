package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * The rounds of a crash test, on the same data: write, kill, start again, check. What a check found
 * is what the next round begins with. Ends at the first round with a violation.
 */
final class CrashRun {
  private static final long SOONEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long SHORTEST_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LONGEST_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);
  private static final long LONGEST_START_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(400);
  private static final long LONGEST_AFTERMATH_NANOS = TimeUnit.MILLISECONDS.toNanos(1_000);
  private static final int ONE_IN = 3;

  private final Progress progress;
  private final CrashPlan plan;
  private final CrashCluster cluster;
  private final IntUnaryOperator partitions;
  private final SplittableRandom random;
  private final long salt;
  private final List<KeyHistory> keys;
  private KillKind last = KillKind.TOGETHER;

  /**
   * When all that the last check found is on disks. What came from there was; what members have
   * that went on may not be yet.
   */
  private long certainNanos = System.nanoTime();

  private long usualRestartNanos = TimeUnit.SECONDS.toNanos(1);
  private int kills;
  private int killsDuringRecovery;

  /**
   * @param progress gets a line for each round
   * @param partitions the partition of a key, by the key's number
   */
  CrashRun(Progress progress, CrashPlan plan, CrashCluster cluster, IntUnaryOperator partitions) {
    this.progress = progress;
    this.plan = plan;
    this.cluster = cluster;
    this.partitions = partitions;
    this.random = new SplittableRandom(plan.seed);
    this.salt = random.nextLong();
    this.keys = IntStream.range(0, plan.keys).mapToObj(KeyHistory::new).toList();
  }

  List<CrashRound> run() {
    List<CrashRound> rounds = new ArrayList<>();
    for (int number = 1; number <= plan.rounds; number++) {
      CrashRound round = round(number);
      rounds.add(round);
      progress.say("%s", round.line(plan.rounds));
      if (!round.found().violations().isEmpty()) {
        break;
      }
    }
    return rounds;
  }

  private CrashRound round(int number) {
    KillKind kind = plan.kind(random);
    boolean again = plan.isDuring(CrashPlan.During.RECOVERY) && random.nextInt(ONE_IN) == 0;
    boolean migrating =
        plan.isDuring(CrashPlan.During.MIGRATION)
            && kind == KillKind.ONE
            && random.nextInt(ONE_IN) == 0;
    long moment = moment();
    kills = 0;
    killsDuringRecovery = 0;
    Kills taken =
        new Kills(plan.promise(), plan.allowanceNanos(), cluster.size(), cluster.copies());
    WriteTotals writes;
    long restartNanos;
    try (CrashLoad load =
        new CrashLoad(cluster, keys, plan.writers, plan.mix(), salt, random.split())) {
      load.awaitBegun();
      if (!isAnyTime(kind)) {
        cluster.awaitSafe();
      }
      Clock.sleepUntil(certainNanos);
      sleep(moment);
      List<Integer> victims = victims(kind);
      kill(kind, victims, taken);
      if (kind == KillKind.ONE) {
        restartNanos = start(victims, again);
        sleep(random.nextLong(LONGEST_AFTERMATH_NANOS));
        if (migrating) {
          victims = victims(KillKind.TOGETHER);
          kill(KillKind.TOGETHER, victims, taken);
        }
        writes = load.stop();
        certainNanos = migrating ? certainNanos : System.nanoTime() + taken.windowNanos();
        restartNanos = migrating ? start(victims, false) : restartNanos;
      } else {
        writes = load.stop();
        restartNanos = start(victims, again);
      }
    }
    last = kind;
    usualRestartNanos = restartNanos;
    Check.Result found =
        new Check(keys, taken, salt, key -> key % plan.writers, partitions).of(cluster);
    return new CrashRound(
        number, kind, moment, kills, killsDuringRecovery, migrating, writes, restartNanos, found);
  }

  private long moment() {
    return SOONEST_NANOS + random.nextLong(plan.longestNanos());
  }

  /** Whether it does not matter if the others have yet what the killed one has. */
  private boolean isAnyTime(KillKind kind) {
    return kind == KillKind.TOGETHER && last != KillKind.ONE;
  }

  private List<Integer> victims(KillKind kind) {
    List<Integer> all = new ArrayList<>(IntStream.range(0, cluster.size()).boxed().toList());
    Collections.shuffle(all, new Random(random.nextLong()));
    return kind == KillKind.ONE ? all.subList(0, 1) : all;
  }

  private void kill(KillKind kind, List<Integer> victims, Kills taken) {
    if (kind == KillKind.TOGETHER) {
      killTogether(victims, taken);
    } else {
      for (int i = 0; i < victims.size(); i++) {
        if (i > 0) {
          sleep(random.nextLong(SHORTEST_GAP_NANOS, LONGEST_GAP_NANOS));
        }
        kill(victims.get(i), taken);
      }
    }
    kills += victims.size();
  }

  /** Waiting for the end of one before the next is killed would take a tenth of a second each. */
  private void killTogether(List<Integer> victims, Kills taken) {
    try {
      CompletableFuture.allOf(
              victims.stream()
                  .map(
                      v ->
                          CompletableFuture.runAsync(
                              () -> kill(v, taken), Thread::startVirtualThread))
                  .toArray(CompletableFuture<?>[]::new))
          .join();
    } catch (CompletionException e) {
      throw new BenchException("a server could not be killed: " + e.getCause(), e);
    }
  }

  private void kill(int victim, Kills taken) {
    taken.add(victim, System.nanoTime());
    end(victim);
  }

  private void end(int victim) {
    switch (plan.signal) {
      case KILL -> cluster.server(victim).kill();
      case TERM -> cluster.server(victim).askToEnd();
    }
  }

  /**
   * Starts what was killed, and waits until all serve.
   *
   * @param again whether to kill it once more while it starts
   * @return how long it took, from the last start on, in nanoseconds
   */
  private long start(List<Integer> members, boolean again) {
    copy(members);
    if (again) {
      launch(members);
      sleep(random.nextLong(SOONEST_NANOS, SOONEST_NANOS + usualRestartNanos));
      members.forEach(this::end);
      kills += members.size();
      killsDuringRecovery += members.size();
      copy(members);
    }
    long begin = System.nanoTime();
    launch(members);
    cluster.awaitReady();
    return System.nanoTime() - begin;
  }

  private void launch(List<Integer> members) {
    for (int i = 0; i < members.size(); i++) {
      if (i > 0) {
        sleep(random.nextLong(LONGEST_START_GAP_NANOS));
      }
      cluster.server(members.get(i)).launch();
    }
  }

  private void copy(List<Integer> members) {
    if (!plan.copy) {
      return;
    }
    for (int member : members) {
      Path data = cluster.server(member).data();
      try {
        FileTree.copy(data, data.resolveSibling("crashed"));
      } catch (IOException e) {
        throw new UncheckedIOException("what a kill left could not be copied: " + data, e);
      }
    }
  }

  private static void sleep(long nanos) {
    Clock.sleepMillis(TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
