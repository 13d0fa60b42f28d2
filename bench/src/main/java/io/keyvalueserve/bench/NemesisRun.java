package io.keyvalueserve.bench;

import com.hazelcast.core.HazelcastInstance;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs rounds of faults against one cluster. In each round clients work on keys that no other round
 * has. A fault is done and ended. When all members serve again, each key is read at each member,
 * and its history is checked. The run ends at the first violation, or when its time is over.
 */
final class NemesisRun {
  private static final String MAP = "nemesis";
  private static final long CALM_MILLIS = 1_000;
  private static final long OPERATION_PATIENCE_SECONDS = 60;
  private static final int CLIENTS_AT_HAZELCAST = 3;
  private static final long READ_PATIENCE_SECONDS = 60;
  private static final long READ_PAUSE_MILLIS = 100;
  private static final long MOST_STEPS = 20_000_000;
  private static final long CLOCK_SLACK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** A clock may be set between two looks at it, forward for one and back for the other. */
  private static final long STEPPED_CLOCK_SLACK_NANOS =
      TimeUnit.SECONDS.toNanos(2L * NemesisFault.LONGEST_STEP_SECONDS + 30);

  private static final int MOST_SETTLED = 3_000;

  private final Progress progress;
  private final CrashPlan crash;
  private final NemesisPlan plan;
  private final Path servers;
  private final SplittableRandom random;
  private final AtomicReference<@Nullable NemesisRound> current = new AtomicReference<>();
  private final List<NemesisWorker> workers = new ArrayList<>();

  /** What keys of rounds that are over have; nobody writes them any more. Empty for nothing. */
  private final Map<String, String> settled = new HashMap<>();

  /** Keys of the last round whose check took too many steps. */
  private int undecided;

  /** Keys of the last round of which a read saw a write that nobody acknowledged and that went. */
  private int seenUnacknowledged;

  NemesisRun(Progress progress, CrashPlan crash, NemesisPlan plan, Path servers) {
    this.progress = progress;
    this.crash = crash;
    this.plan = plan;
    this.servers = servers;
    this.random = new SplittableRandom(crash.seed);
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
      HazelcastInstance client =
          HazelcastNemesisClient.connect(addresses(cluster), OwnServer.TENANT, cluster.key());
      List<Thread> threads = new ArrayList<>();
      try {
        clients(cluster, client);
        for (NemesisWorker worker : workers) {
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
        workers.forEach(worker -> worker.client().close());
        client.shutdown();
      }
    }
    return new NemesisReport(conditions, rounds, errors());
  }

  private static List<String> addresses(NemesisCluster cluster) {
    List<String> addresses = new ArrayList<>();
    for (int i = 1; i <= cluster.size(); i++) {
      addresses.add(cluster.member(i).host() + ":" + cluster.member(i).clientPort());
    }
    return addresses;
  }

  private void clients(NemesisCluster cluster, HazelcastInstance client) {
    for (int i = 1; i <= cluster.size(); i++) {
      OwnCrashServer member = cluster.member(i);
      worker(redis(cluster, i));
      String server = "http://" + member.host() + ":" + member.httpPort();
      worker(new HttpNemesisClient(i, server, OwnServer.TENANT, cluster.key(), MAP));
    }
    for (int i = 0; i < CLIENTS_AT_HAZELCAST; i++) {
      worker(new HazelcastNemesisClient(client, MAP));
    }
  }

  private static RespNemesisClient redis(NemesisCluster cluster, int member) {
    OwnCrashServer server = cluster.member(member);
    return new RespNemesisClient(
        member,
        new InetSocketAddress(server.host(), server.port()),
        OwnServer.TENANT,
        cluster.key(),
        MAP);
  }

  private void worker(NemesisClient client) {
    workers.add(new NemesisWorker(workers.size() + 1, client, current::get, random.split()));
  }

  private NemesisReport.Round round(int number, NemesisCluster cluster) {
    NemesisRound round = new NemesisRound(number);
    long doneBefore = sum(NemesisWorker::done);
    long unknownBefore = sum(NemesisWorker::unknown);
    long notDoneBefore = sum(NemesisWorker::notDone);
    current.set(round);
    Clock.sleepMillis(CALM_MILLIS);
    workers.forEach(NemesisWorker::resetGap);
    NemesisFaults fault =
        NemesisFaults.draw(plan.kinds(), cluster.size(), crash.durability, random);
    cluster.suffer(fault);
    long healed = System.nanoTime();
    cluster.awaitServing();
    long servingNanos = System.nanoTime() - healed;
    long othersNanos =
        workers.stream()
            .filter(each -> each.client().member() != 0 && !fault.hits(each.client().member()))
            .mapToLong(NemesisWorker::longestGapNanos)
            .max()
            .orElse(0);
    cluster.awaitSafe();
    long safeNanos = System.nanoTime() - healed;
    Clock.sleepMillis(CALM_MILLIS);
    round.close();
    Clock.await(
        round::isOver, 10, OPERATION_PATIENCE_SECONDS, "a client got no answer and no error");
    workers.forEach(NemesisWorker::requireWell);
    List<String> violations = check(round, cluster);
    return new NemesisReport.Round(
        number,
        fault,
        sum(NemesisWorker::done) - doneBefore,
        sum(NemesisWorker::unknown) - unknownBefore,
        sum(NemesisWorker::notDone) - notDoneBefore,
        othersNanos,
        servingNanos,
        safeNanos,
        undecided,
        seenUnacknowledged,
        violations);
  }

  private long sum(ToLongFunction<NemesisWorker> what) {
    return workers.stream().mapToLong(what).sum();
  }

  private List<String> check(NemesisRound round, NemesisCluster cluster) {
    List<String> violations = new ArrayList<>();
    undecided = 0;
    seenUnacknowledged = 0;
    long slack =
        plan.kinds().contains(NemesisKind.CLOCK) ? STEPPED_CLOCK_SLACK_NANOS : CLOCK_SLACK_NANOS;
    for (int member = 1; member <= cluster.size(); member++) {
      try (RespNemesisClient reader = redis(cluster, member)) {
        readAll(round, reader, violations);
        readSettled(reader, violations);
      }
    }
    for (NemesisKey key : round.keys()) {
      check(key, slack, violations);
      violations.addAll(LockCheck.overlaps(key.holds()));
      settle(key);
    }
    return violations;
  }

  private void check(NemesisKey key, long slack, List<String> violations) {
    List<KeyOperation> history = key.history();
    Verdict verdict = LinearCheck.check(history, slack, MOST_STEPS);
    if (verdict instanceof Verdict.Violation) {
      verdict = LinearCheck.check(history, slack, MOST_STEPS, UnknownWrites.MAY_BE_UNDONE);
      seenUnacknowledged += verdict instanceof Verdict.Linearizable ? 1 : 0;
    }
    switch (verdict) {
      case Verdict.Linearizable() -> {}
      case Verdict.Violation(String text) ->
          violations.add(key.name + " (" + key.use + "): " + text);
      case Verdict.Undecided(long _) -> undecided++;
    }
  }

  private void readAll(NemesisRound round, RespNemesisClient reader, List<String> violations) {
    for (NemesisKey key : round.keys()) {
      long invoked = System.nanoTime();
      if (read(reader, key.name) instanceof NemesisClient.Outcome.Done(String value)) {
        key.add(
            new KeyOperation(
                100 + reader.member(),
                reader.door(),
                KeyOperation.Kind.GET,
                invoked,
                System.nanoTime(),
                null,
                null,
                0,
                value));
      } else {
        violations.add(key.name + " cannot be read at member " + reader.member());
        return;
      }
    }
  }

  private void readSettled(RespNemesisClient reader, List<String> violations) {
    for (Map.Entry<String, String> each : settled.entrySet()) {
      if (read(reader, each.getKey()) instanceof NemesisClient.Outcome.Done(String value)) {
        String found = value == null ? "" : value;
        if (!found.equals(each.getValue())) {
          violations.add(
              "%s was '%s' at the end of its round, and is '%s' now at member %d"
                  .formatted(each.getKey(), each.getValue(), found, reader.member()));
        }
      } else {
        violations.add(each.getKey() + " cannot be read at member " + reader.member());
        return;
      }
    }
  }

  /** Reads a key; again for a while if the member does not serve, as it may just join again. */
  private static NemesisClient.Outcome read(RespNemesisClient reader, String key) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(READ_PATIENCE_SECONDS);
    while (true) {
      NemesisClient.Outcome outcome = reader.perform(KeyOperation.Kind.GET, key, "", "", 0);
      if (outcome instanceof NemesisClient.Outcome.Done || System.nanoTime() > deadline) {
        return outcome;
      }
      Clock.sleepMillis(READ_PAUSE_MILLIS);
    }
  }

  /** Remembers what a key has, unless that may still change by itself or by a late write. */
  private void settle(NemesisKey key) {
    List<KeyOperation> history = key.history();
    boolean mayChange =
        history.stream()
            .anyMatch(each -> each.isUnknown() || each.kind() == KeyOperation.Kind.SET_WITH_EXPIRY);
    if (!mayChange && settled.size() < MOST_SETTLED) {
      String value = history.getLast().result();
      settled.put(key.name, value == null ? "" : value);
    }
  }

  private Map<String, Long> errors() {
    Map<String, Long> all = new TreeMap<>();
    workers.forEach(each -> each.errors().forEach((kind, n) -> all.merge(kind, n, Long::sum)));
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
