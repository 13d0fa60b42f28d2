package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import com.hazelcast.spi.impl.operationexecutor.OperationExecutor;
import io.keyvalueserve.gates.fairness.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A partition thread of a real member serves tenants in turn: told by the order of what is done.
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PartitionTurnsTest {
  private static final int FLOOD = 4_000;
  private static final int QUESTIONS = 400;
  private static final int ENTRIES = 500;

  private final DoorMember member = new DoorMember();
  private final HazelcastInstance acme = member.client("acme");
  private final HazelcastInstance globex = member.client("globex");

  @AfterAll
  void stop() {
    acme.shutdown();
    globex.shutdown();
    member.close();
  }

  private static OperationExecutor executor() {
    HazelcastInstance instance = Hazelcast.getAllHazelcastInstances().iterator().next();
    return ((HazelcastInstanceProxy) instance)
        .getOriginal()
        .node
        .getNodeEngine()
        .getOperationService()
        .getOperationExecutor();
  }

  /** A key of the partition that the test holds. */
  private static String heldKey() {
    int i = 0;
    while (Messages.partition(Messages.data("k" + i)) != Messages.PARTITIONS - 1) {
      i++;
    }
    return "k" + i;
  }

  private static List<CompletableFuture<Void>> flood(
      IMap<String, String> map, String key, int count, AtomicInteger done) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(
          map.setAsync(key, "v" + i)
              .toCompletableFuture()
              .thenRun(
                  () -> {
                    int _ = done.incrementAndGet();
                  }));
    }
    return all;
  }

  private static void awaitWaiting(int count) {
    OperationExecutor executor = executor();
    Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> executor.getQueueSize() >= count);
  }

  @Test
  void oneRequestDoesNotWaitForAnotherTenantsThousands() throws Exception {
    IMap<String, String> theirs = acme.getMap("flooded");
    IMap<String, String> ours = globex.getMap("quiet");
    // Events of one key come in the order in which the partition's thread has made them.
    Queue<String> order = new ConcurrentLinkedQueue<>();
    HazelcastInstance inside = Hazelcast.getAllHazelcastInstances().iterator().next();
    for (String map : List.of("acme/flooded", "globex/quiet")) {
      inside
          .getMap(map)
          .addLocalEntryListener((EntryAddedListener<Object, Object>) event -> order.add(map));
      inside
          .getMap(map)
          .addLocalEntryListener((EntryUpdatedListener<Object, Object>) event -> order.add(map));
    }
    String key = heldKey();
    AtomicInteger done = new AtomicInteger();
    List<CompletableFuture<Void>> flood;
    CompletableFuture<Integer> doneBefore;
    try (HeldPartition _ = HeldPartition.of(member)) {
      flood = flood(theirs, key, FLOOD, done);
      awaitWaiting(FLOOD - 1); // one is at the held partition
      doneBefore =
          ours.setAsync(key, "mine").toCompletableFuture().thenApply(nothing -> done.get());
      awaitWaiting(FLOOD);
    }
    doneBefore.get(60, TimeUnit.SECONDS);
    CompletableFuture.allOf(flood.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
    Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> order.size() == FLOOD + 1);
    assertThat(List.copyOf(order).indexOf("globex/quiet")).isBetween(0, FLOOD / 4);
    assertThat(theirs.get(key)).isEqualTo("v" + (FLOOD - 1)); // in order
    Waits waits =
        member.member.waits().stream()
            .filter(each -> each.tenant() == DoorMember.number("globex"))
            .findAny()
            .orElseThrow();
    assertThat(waits.behindOthersNanos()).isPositive();
    assertThat(waits.aggressors())
        .extracting(Waits.Aggressor::tenant)
        .containsExactly(DoorMember.number("acme"));
  }

  /** Each step of an operation on all partitions adds the next one: as whose the first one was. */
  @ParameterizedTest
  @ValueSource(strings = {"size", "containsValue"})
  void oneQuestionDoesNotWaitForAnotherTenantsHundreds(String what) throws Exception {
    member.enter("acme");
    member.enter("globex");
    IMap<String, String> theirs = acme.getMap("asked-" + what);
    IMap<String, String> ours = globex.getMap("asked-" + what);
    for (int i = 0; i < ENTRIES; i++) {
      theirs.set("k" + i, "v");
      ours.set("k" + i, "v");
    }
    Predicate<IMap<String, String>> question =
        what.equals("size") ? map -> map.size() == ENTRIES : map -> !map.containsValue("w");
    AtomicInteger done = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> flood = new ArrayList<>();
      Future<Integer> doneBefore;
      try (HeldPartition _ = HeldPartition.of(member, 0)) { // where all begin
        for (int i = 0; i < QUESTIONS; i++) {
          flood.add(
              threads.submit(
                  () -> {
                    boolean answer = question.test(theirs);
                    int _ = done.incrementAndGet();
                    return answer;
                  }));
        }
        awaitWaiting(QUESTIONS - 1); // one is at the held partition
        doneBefore =
            threads.submit(
                () -> {
                  assertThat(question.test(ours)).isTrue();
                  return done.get();
                });
        awaitWaiting(QUESTIONS);
      }
      assertThat(doneBefore.get(60, TimeUnit.SECONDS)).isBetween(0, QUESTIONS / 4);
      for (Future<Boolean> each : flood) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isTrue();
      }
    }
  }
}
