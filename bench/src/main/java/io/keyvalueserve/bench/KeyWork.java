package io.keyvalueserve.bench;

import com.hazelcast.core.HazelcastInstance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Operations on single keys, through all doors. When a round is over, each key is read at each
 * member, and its history is checked ({@link LinearCheck}).
 */
final class KeyWork extends NemesisWork {
  private static final int CLIENTS_AT_HAZELCAST = 3;
  private static final long MOST_STEPS = 20_000_000;
  private static final long CLOCK_SLACK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** A clock may be set between two looks at it, forward for one and back for the other. */
  private static final long STEPPED_CLOCK_SLACK_NANOS =
      TimeUnit.SECONDS.toNanos(2L * NemesisFault.LONGEST_STEP_SECONDS + 30);

  private static final int MOST_SETTLED = 3_000;

  private final long slackNanos;
  private final List<NemesisWorker<?>> workers = new ArrayList<>();
  private volatile @Nullable KeyRound current;
  private @Nullable HazelcastInstance client;

  /** Values of keys whose rounds are over; nobody writes them any more. Empty for nothing. */
  private final Map<String, String> settled = new HashMap<>();

  private int undecided;
  private int seenUnacknowledged;

  /**
   * @param clocksStep whether faults set clocks
   */
  KeyWork(boolean clocksStep) {
    slackNanos = clocksStep ? STEPPED_CLOCK_SLACK_NANOS : CLOCK_SLACK_NANOS;
  }

  @Override
  List<NemesisWorker<?>> connect(NemesisCluster cluster, SplittableRandom random) {
    HazelcastInstance shared =
        HazelcastNemesisClient.connect(clientAddresses(cluster), OwnServer.TENANT, cluster.key());
    client = shared;
    for (int i = 1; i <= cluster.size(); i++) {
      worker(redis(cluster, i), random);
      worker(
          new HttpNemesisClient(i, httpAddress(cluster, i), OwnServer.TENANT, cluster.key(), MAP),
          random);
    }
    for (int i = 0; i < CLIENTS_AT_HAZELCAST; i++) {
      worker(new HazelcastNemesisClient(shared, MAP), random);
    }
    return workers;
  }

  private static RespNemesisClient redis(NemesisCluster cluster, int member) {
    return new RespNemesisClient(
        member, redisAddress(cluster, member), OwnServer.TENANT, cluster.key(), MAP);
  }

  private void worker(NemesisClient client, SplittableRandom random) {
    workers.add(new KeyWorker(workers.size() + 1, client, () -> current, random.split()));
  }

  /** There are so many operations that time is enough. */
  @Override
  int fewestOperations() {
    return 0;
  }

  @Override
  NemesisRound begin(int number) {
    KeyRound round = new KeyRound(number);
    current = round;
    return round;
  }

  @Override
  Found check(NemesisCluster cluster) {
    KeyRound round = current;
    if (round == null) {
      throw new IllegalStateException("no round has begun");
    }
    List<String> violations = new ArrayList<>();
    undecided = 0;
    seenUnacknowledged = 0;
    for (int member = 1; member <= cluster.size(); member++) {
      try (RespNemesisClient reader = redis(cluster, member)) {
        readAll(round, reader, violations);
        readSettled(reader, violations);
      }
    }
    for (NemesisKey key : round.keys()) {
      check(key, violations);
      violations.addAll(LockCheck.overlaps(key.holds()));
      settle(key);
    }
    return new Found(undecided, seenUnacknowledged, violations);
  }

  private void check(NemesisKey key, List<String> violations) {
    List<KeyOperation> history = key.history();
    Verdict verdict = LinearCheck.check(history, slackNanos, MOST_STEPS);
    if (verdict instanceof Verdict.Violation) {
      verdict = LinearCheck.check(history, slackNanos, MOST_STEPS, UnknownWrites.MAY_BE_UNDONE);
      seenUnacknowledged += verdict instanceof Verdict.Linearizable ? 1 : 0;
    }
    switch (verdict) {
      case Verdict.Linearizable() -> {}
      case Verdict.Violation(String text) ->
          violations.add(key.name + " (" + key.use + "): " + text);
      case Verdict.Undecided(long _) -> undecided++;
    }
  }

  private void readAll(KeyRound round, RespNemesisClient reader, List<String> violations) {
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

  @Override
  public void close() {
    if (client != null) {
      client.shutdown();
    }
  }
}
