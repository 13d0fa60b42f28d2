package io.keyvalueserve.grid.space;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.blocking.KeyWaiting;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.ListOperation;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waiting for keys over three members: from any of them, at keys of any. */
class KeyWaitsTest {
  private static final int KEYS = 24;
  private static final int MOST_BYTES = 1 << 20;

  private static TestGrid shared;

  private final List<String> served = new CopyOnWriteArrayList<>();
  private final String map = "queues-" + System.nanoTime();
  private TestGrid grid;
  private int members = 3;

  @BeforeAll
  static void start() {
    shared = new TestGrid(3, 31);
  }

  @AfterAll
  static void stop() {
    shared.close();
  }

  @BeforeEach
  void useShared() {
    grid = shared;
  }

  @AfterEach
  void stopOwn() {
    if (grid != shared) {
      grid.close();
    }
  }

  /** Lets a test end members. */
  private void useOwnGrid() {
    grid = new TestGrid(3, 31);
  }

  private TenantSpace space(int member) {
    return grid.engine(member).space(new Identity(new TenantName("acme"), 1, "key"));
  }

  private KeyMap map(int member) {
    return space(member).map(new MapName(map));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private Outcome run(int member, String key, ListOperation operation, Arguments arguments) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    map(member)
        .submit(
            List.of(new KeyCommand.OnCollection(bytes(key), operation, arguments, MOST_BYTES)),
            (_, done) -> {
              boolean _ = outcome.complete(done);
            });
    return outcome.join();
  }

  /** Pushes until that is confirmed: while partitions move, it may not be. */
  private void push(int member, String key, String... elements) {
    List<byte[]> values =
        IntStream.range(0, elements.length).mapToObj(i -> bytes(elements[i])).toList();
    await()
        .until(
            () ->
                run(member, key, ListOperation.PUSH_LAST, Arguments.of(values))
                    instanceof Outcome.IntegerResult);
  }

  /** Takes one element out of the first of its keys that gets any, as a door would. */
  private final class Taker {
    private final String name;
    private final int member;
    private final List<String> keys;
    private final ConcurrentLinkedQueue<Integer> turns = new ConcurrentLinkedQueue<>();
    private final KeyWaiting waiting;
    private volatile boolean isOver;

    Taker(String name, int member, String... keys) {
      this.name = name;
      this.member = member;
      this.keys = List.of(keys);
      synchronized (this) {
        this.waiting =
            space(member)
                .await(
                    this.keys.stream().map(key -> new KeyRef(map(member), bytes(key))).toList(),
                    CollectionType.LIST,
                    index -> {
                      turns.add(index);
                      Thread _ = Thread.startVirtualThread(this::takeTurn);
                    });
      }
    }

    private synchronized void takeTurn() {
      Integer turn = turns.poll();
      if (turn == null || isOver) {
        return;
      }
      if (run(member, keys.get(turn), ListOperation.POP_FIRST, Arguments.NONE)
          instanceof Outcome.Entry taken) {
        isOver = true;
        served.add(name + "=" + new String(taken.value(), UTF_8));
        waiting.end(turn);
      } else {
        waiting.goOn(turn);
      }
    }

    synchronized void leave() {
      isOver = true;
      waiting.end(-1);
    }
  }

  private void awaitPlaces(int places) {
    await()
        .until(
            () ->
                IntStream.range(0, members).map(i -> grid.engine(i).waits().places()).sum()
                    == places);
  }

  @Test
  void whoWaitsAtAnyMemberIsServedByAWriteAtAnyOther() {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      Taker _ = new Taker("t" + i, i % 3, "k" + i);
      expected.add("t" + i + "=v" + i);
    }
    awaitPlaces(KEYS);
    for (int i = 0; i < KEYS; i++) {
      push((i / 3) % 3, "k" + i, "v" + i);
    }
    await().untilAsserted(() -> assertThat(served).containsExactlyInAnyOrderElementsOf(expected));
    awaitPlaces(0);
  }

  @Test
  void whoCameFirstIsServedFirstWhereverItWaits() {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      Taker _ = new Taker("t" + i, i % 3, "k");
      awaitPlaces(i + 1);
      expected.add("t" + i + "=v" + i);
    }
    push(0, "k", IntStream.range(0, KEYS / 2).mapToObj(i -> "v" + i).toArray(String[]::new));
    await().until(() -> served.size() == KEYS / 2);
    push(1, "k", IntStream.range(KEYS / 2, KEYS).mapToObj(i -> "v" + i).toArray(String[]::new));
    await().until(() -> served.size() == KEYS);
    assertThat(served).isEqualTo(expected);
    awaitPlaces(0);
  }

  @Test
  void aKeyThatHasElementsGivesATurnAtOnce() {
    for (int i = 0; i < KEYS; i++) {
      push(0, "k" + i, "v");
    }
    for (int i = 0; i < KEYS; i++) {
      Taker _ = new Taker("t" + i, i % 3, "none" + i, "k" + i);
    }
    await().until(() -> served.size() == KEYS);
    awaitPlaces(0);
  }

  @Test
  void whoLeavesIsPassedOver() {
    List<Taker> gone = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      gone.add(new Taker("gone" + i, i % 3, "k", "other" + i));
      Taker _ = new Taker("t" + i, (i + 1) % 3, "k");
    }
    awaitPlaces(3 * KEYS);
    gone.forEach(Taker::leave);
    for (int i = 0; i < KEYS; i++) {
      push(i % 3, "k", "v" + i);
    }
    await().until(() -> served.size() == KEYS);
    assertThat(served).allMatch(each -> each.startsWith("t"));
    awaitPlaces(0);
  }

  /** Queues of a member that ends, and of partitions that move, are taken again elsewhere. */
  @Test
  void waitsOutliveTheOwnersOfTheirKeys() {
    useOwnGrid();
    for (int i = 0; i < KEYS; i++) {
      Taker _ = new Taker("t" + i, i % 2, "k" + i, "also" + i);
    }
    awaitPlaces(2 * KEYS);
    grid.terminate(2);
    members = 2;
    for (int i = 0; i < KEYS / 2; i++) {
      push(i % 2, "k" + i, "v" + i);
    }
    await().until(() -> served.size() == KEYS / 2);
    HazelcastInstance _ = grid.join();
    for (int i = KEYS / 2; i < KEYS; i++) {
      push(ThreadLocalRandom.current().nextInt(2), "also" + i, "v" + i);
    }
    await().until(() -> served.size() == KEYS);
  }

  /** A member that ends with a turn does not keep those behind it waiting. */
  @Test
  void theTurnsOfAMemberThatEndsGoToTheNext() {
    useOwnGrid();
    for (int i = 0; i < KEYS; i++) {
      KeyWaiting _ =
          space(2)
              .await(
                  List.of(new KeyRef(map(2), bytes("k" + i))),
                  CollectionType.LIST,
                  index -> {}); // it never takes its turn
    }
    awaitPlaces(KEYS);
    for (int i = 0; i < KEYS; i++) {
      Taker _ = new Taker("t" + i, i % 2, "k" + i);
    }
    awaitPlaces(2 * KEYS);
    for (int i = 0; i < KEYS; i++) {
      push(0, "k" + i, "v" + i);
    }
    assertThat(served).isEmpty();
    grid.terminate(2);
    members = 2;
    await().until(() -> served.size() == KEYS);
  }

  @Test
  void elementsThatATransactionMovesServeWhoWaits() {
    push(0, "from", "v");
    Taker _ = new Taker("t", 1, "to");
    awaitPlaces(1);
    KeyMap map = map(2);
    assertThat(
            space(2)
                .transact(
                    new TransactionRequest<>(
                        List.of(new KeyRef(map, bytes("from")), new KeyRef(map, bytes("to"))),
                        List.of(),
                        view -> view.copy(map, bytes("from"), map, bytes("to"), true)))
                .toCompletableFuture()
                .join())
        .contains(KeyMap.MoveOutcome.DONE);
    await().until(() -> served.equals(List.of("t=v")));
  }
}
