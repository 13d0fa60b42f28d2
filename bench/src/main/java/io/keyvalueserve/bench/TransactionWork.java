package io.keyvalueserve.bench;

import com.hazelcast.core.HazelcastInstance;
import io.keyvalueserve.bench.ListTransaction.Append;
import io.keyvalueserve.bench.ListTransaction.Outcome;
import io.keyvalueserve.bench.ListTransaction.Read;
import io.keyvalueserve.bench.ListTransaction.Step;
import io.keyvalueserve.bench.TransactionClient.Answer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Transactions on several keys, through several doors, on the same keys. When a round is over, all
 * lists are read at each member, and the whole history is checked ({@link SerialCheck}).
 */
final class TransactionWork extends NemesisWork {
  private static final int CLIENTS_AT_REDIS_OF_EACH = 2;
  private static final int CLIENTS_AT_HAZELCAST = 2;
  private static final int FEWEST_TRANSACTIONS = 10;
  private static final int KEYS_AT_ONCE = 40;
  private static final int MOST_SETTLED = 1_000;
  private static final int FIRST_READER = 100;

  private final Set<TransactionDoor> doors;
  private final List<NemesisWorker<?>> workers = new ArrayList<>();
  private volatile @Nullable TransactionRound current;
  private @Nullable HazelcastInstance client;

  /** Lists of keys whose rounds are over; nobody writes them any more. */
  private final Map<String, List<Long>> settled = new LinkedHashMap<>();

  /**
   * @param doors those that clients use, one at least
   */
  TransactionWork(Set<TransactionDoor> doors) {
    this.doors = Set.copyOf(doors);
  }

  @Override
  List<NemesisWorker<?>> connect(NemesisCluster cluster, SplittableRandom random) {
    for (int member = 1; member <= cluster.size(); member++) {
      if (doors.contains(TransactionDoor.REDIS)) {
        for (int i = 0; i < CLIENTS_AT_REDIS_OF_EACH; i++) {
          worker(redis(cluster, member), random);
        }
      }
      if (doors.contains(TransactionDoor.HTTP)) {
        String server = httpAddress(cluster, member);
        worker(
            new HttpTransactionClient(member, server, OwnServer.TENANT, cluster.key(), MAP),
            random);
      }
    }
    if (doors.contains(TransactionDoor.HAZELCAST)) {
      HazelcastInstance shared =
          HazelcastNemesisClient.connect(clientAddresses(cluster), OwnServer.TENANT, cluster.key());
      client = shared;
      for (int i = 0; i < CLIENTS_AT_HAZELCAST; i++) {
        worker(new HazelcastTransactionClient(shared, MAP), random);
      }
    }
    return workers;
  }

  private static RespTransactionClient redis(NemesisCluster cluster, int member) {
    return new RespTransactionClient(
        member, redisAddress(cluster, member), OwnServer.TENANT, cluster.key(), MAP);
  }

  private void worker(TransactionClient client, SplittableRandom random) {
    workers.add(new TransactionWorker(workers.size() + 1, client, () -> current, random.split()));
  }

  @Override
  int fewestOperations() {
    return doors.contains(TransactionDoor.HAZELCAST) ? 1 : FEWEST_TRANSACTIONS;
  }

  @Override
  NemesisRound begin(int number) {
    TransactionRound round = new TransactionRound(number);
    current = round;
    return round;
  }

  @Override
  Found check(NemesisCluster cluster) {
    TransactionRound round = current;
    if (round == null) {
      throw new IllegalStateException("no round has begun");
    }
    List<String> violations = new ArrayList<>();
    Map<String, List<Long>> last = new LinkedHashMap<>();
    for (int member = 1; member <= cluster.size(); member++) {
      try (RespTransactionClient reader = redis(cluster, member)) {
        for (ListTransaction read : readAll(reader, round.keys(), violations)) {
          round.add(read);
          for (Step step : read.steps()) {
            if (step instanceof Read(String key, List<Long> elements)) {
              last.put(key, elements);
            }
          }
        }
        readSettled(reader, violations);
      }
    }
    int gone = 0;
    List<ListTransaction> history = round.history();
    for (SerialAnomaly anomaly : SerialCheck.check(history)) {
      if (anomaly.isViolation()) {
        violations.add(anomaly.toString());
      } else {
        gone++;
      }
    }
    settle(history, last);
    return new Found(0, gone, violations);
  }

  private static List<ListTransaction> readAll(
      RespTransactionClient reader, List<String> keys, List<String> violations) {
    List<ListTransaction> reads = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += KEYS_AT_ONCE) {
      List<String> some = keys.subList(from, Math.min(keys.size(), from + KEYS_AT_ONCE));
      ListTransaction read = read(reader, some);
      if (!read.isDone()) {
        violations.add(some + " cannot be read at member " + reader.member());
        break;
      }
      reads.add(read);
    }
    return reads;
  }

  /** Reads keys at once; again for a while if the member does not serve. */
  private static ListTransaction read(RespTransactionClient reader, List<String> keys) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(READ_PATIENCE_SECONDS);
    while (true) {
      long invoked = System.nanoTime();
      Answer answer = reader.read(keys);
      long returned = System.nanoTime();
      if (answer instanceof Answer.Done || returned > deadline) {
        return TransactionWorker.transaction(
            FIRST_READER + reader.member(), List.of(), answer, invoked, returned);
      }
      Clock.sleepMillis(READ_PAUSE_MILLIS);
    }
  }

  private void readSettled(RespTransactionClient reader, List<String> violations) {
    for (ListTransaction read : readAll(reader, List.copyOf(settled.keySet()), violations)) {
      for (Step step : read.steps()) {
        if (step instanceof Read(String key, List<Long> elements)
            && !elements.equals(settled.get(key))) {
          violations.add(
              "%s was %s at the end of its round, and is %s now at member %d"
                  .formatted(key, settled.get(key), elements, reader.member()));
        }
      }
    }
  }

  /** Remembers what keys have, unless a late write may still change that. */
  private void settle(List<ListTransaction> history, Map<String, List<Long>> last) {
    Set<String> mayChange = new HashSet<>();
    for (ListTransaction each : history) {
      if (each.outcome() == Outcome.UNKNOWN) {
        for (Append append : each.appends()) {
          mayChange.add(append.key());
        }
      }
    }
    last.forEach(
        (key, elements) -> {
          if (!mayChange.contains(key) && settled.size() < MOST_SETTLED) {
            settled.put(key, elements);
          }
        });
  }

  @Override
  public void close() {
    if (client != null) {
      client.shutdown();
    }
  }
}
