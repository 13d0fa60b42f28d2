package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.aggregation.Aggregators;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.hazelcast.transaction.TransactionContext;
import io.keyvalueserve.grid.turn.PartitionTurns;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Real clients of two tenants share a real member's pools for what is on no partition. One tenant
 * fills them with what cannot end, since a partition thread is held that all of it needs.
 */
@Timeout(180)
class ClientPoolsTest {
  private static final int ENTRIES = 500;
  private static final int QUESTIONS = 200;

  /** More than Hazelcast has threads for transactions: 20 for each processor. */
  private static final int TRANSACTIONS = 30 * Runtime.getRuntime().availableProcessors();

  private final DoorMember member = new DoorMember();
  private final HazelcastInstance acme = member.client("acme");
  private final HazelcastInstance globex = member.client("globex");
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger done = new AtomicInteger();

  @AfterEach
  void stop() {
    acme.getLifecycleService().terminate();
    globex.getLifecycleService().terminate();
    member.close();
    threads.shutdownNow();
  }

  private static final int HELD = Messages.PARTITIONS - 1;
  private static final String OTHER_KEY = keys(1, false).getFirst();

  /** A predicate that partition threads carry out, one partition after the other. */
  private static final Predicate<String, Integer> ON_PARTITION_THREADS =
      Predicates.instanceOf(Integer.class);

  /** Keys of partitions that the thread has that is held, or of others. */
  private static List<String> keys(int count, boolean held) {
    int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> "k" + i)
        .filter(key -> (Messages.partition(Messages.data(key)) % threads == HELD % threads) == held)
        .limit(count)
        .toList();
  }

  /** The thread of a partition that does nothing else. */
  private static final class HeldThread implements PartitionSpecificRunnable, AutoCloseable {
    private final CountDownLatch taken = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    HeldThread() throws InterruptedException {
      nodeEngine().getOperationService().execute(this);
      taken.await();
    }

    @Override
    public int getPartitionId() {
      return HELD;
    }

    @Override
    public void run() {
      taken.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      release.countDown();
    }
  }

  private static IMap<String, Integer> filled(HazelcastInstance client) {
    IMap<String, Integer> map = client.getMap("orders");
    for (int i = 0; i < ENTRIES; i++) {
      map.set("k" + i, i);
    }
    map.set(OTHER_KEY, 0);
    return map;
  }

  private <T> List<Future<T>> flood(int count, Callable<T> question) {
    List<Future<T>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(
          threads.submit(
              () -> {
                T answer = question.call();
                int _ = done.incrementAndGet();
                return answer;
              }));
    }
    return all;
  }

  private void awaitWaiting(String tenant, int count) {
    Awaitility.await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> member.member.waitingRequests(DoorMember.number(tenant)) >= count);
  }

  @Test
  void aQueryIsAnsweredThoughNoneOfAnotherTenantsHundredsEnds() throws Exception {
    IMap<String, Integer> theirs = filled(acme);
    IMap<String, Integer> ours = filled(globex);
    List<Future<Integer>> flood;
    try (HeldThread _ = new HeldThread()) {
      flood = flood(QUESTIONS, () -> theirs.values(ON_PARTITION_THREADS).size());
      awaitWaiting("acme", QUESTIONS);
      for (int i = 0; i < 10; i++) {
        Future<Integer> answer =
            threads.submit(
                () ->
                    ours.values(Predicates.partitionPredicate(OTHER_KEY, ON_PARTITION_THREADS))
                        .size());
        assertThat(answer.get(30, TimeUnit.SECONDS)).isPositive();
      }
      assertThat(done.get()).isZero();
    }
    for (Future<Integer> each : flood) {
      assertThat(each.get(60, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(ENTRIES);
    }
  }

  @Test
  void aQueryOfEverythingIsAnsweredBeforeMostOfAnotherTenantsHundreds() throws Exception {
    member.enter("acme");
    member.enter("globex");
    IMap<String, Integer> theirs = filled(acme);
    IMap<String, Integer> ours = filled(globex);
    List<Future<Long>> flood;
    Future<Integer> doneBefore;
    try (HeldThread _ = new HeldThread()) {
      flood = flood(QUESTIONS, () -> theirs.aggregate(Aggregators.count(), ON_PARTITION_THREADS));
      awaitWaiting("acme", QUESTIONS);
      doneBefore =
          threads.submit(
              () -> {
                assertThat(ours.keySet(ON_PARTITION_THREADS)).isNotEmpty();
                return done.get();
              });
      awaitWaiting("globex", 1);
    }
    assertThat(doneBefore.get(60, TimeUnit.SECONDS)).isBetween(0, QUESTIONS / 4);
    for (Future<Long> each : flood) {
      assertThat(each.get(60, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(ENTRIES);
    }
  }

  private static int put(HazelcastInstance client, String key) {
    TransactionContext transaction = client.newTransactionContext();
    transaction.beginTransaction();
    transaction.getMap("orders").put(key, 1);
    transaction.commitTransaction();
    return 1;
  }

  @Test
  void othersLogInAndHaveTransactionsThoughNoneOfATenantsManyEnds() throws Exception {
    // A key for each: who waits for the lock of another would hold the thread that this one needs.
    List<Future<Integer>> flood = new ArrayList<>();
    try (HeldThread _ = new HeldThread()) {
      for (String key : keys(TRANSACTIONS, true)) {
        flood.addAll(flood(1, () -> put(acme, key)));
      }
      awaitWaiting("acme", 20 * Runtime.getRuntime().availableProcessors());
      Future<Integer> transaction =
          threads.submit(
              () -> {
                HazelcastInstance initech = member.client("initech");
                try {
                  return put(initech, OTHER_KEY);
                } finally {
                  initech.shutdown();
                }
              });
      assertThat(transaction.get(60, TimeUnit.SECONDS)).isEqualTo(1);
      assertThat(done.get()).isZero();
    }
    for (Future<Integer> each : flood) {
      assertThat(each.get(120, TimeUnit.SECONDS)).isEqualTo(1);
    }
    assertThat(acme.getMap("orders").size()).isEqualTo(TRANSACTIONS);
  }

  private static NodeEngineImpl nodeEngine() {
    HazelcastInstance instance = Hazelcast.getAllHazelcastInstances().iterator().next();
    return ((HazelcastInstanceProxy) instance).getOriginal().node.getNodeEngine();
  }

  /** The seam: Hazelcast's engine makes the pools, and they are taken over once. */
  @Test
  void poolsThatAreUsedAlreadyAreNotTakenOver() {
    PartitionTurns turns = new PartitionTurns(tenant -> 1, connection -> -1);
    assertThatThrownBy(() -> new ClientPools(nodeEngine(), turns))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("another kind of pool");
  }
}
