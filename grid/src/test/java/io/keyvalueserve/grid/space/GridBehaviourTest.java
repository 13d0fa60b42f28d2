package io.keyvalueserve.grid.space;

import static io.keyvalueserve.engine.Batches.run;
import static io.keyvalueserve.engine.Batches.texts;
import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.EntryEvent;
import com.hazelcast.core.EntryEventType;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryExpiredListener;
import com.hazelcast.map.listener.EntryRemovedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import com.hazelcast.query.Predicates;
import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.ExpireCondition;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyCommand.Increment;
import io.keyvalueserve.engine.KeyCommand.Read;
import io.keyvalueserve.engine.KeyCommand.Remove;
import io.keyvalueserve.engine.KeyCommand.Write;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.WriteCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the engine shares with everybody else who uses the same maps, on two members. */
final class GridBehaviourTest {
  private static TestGrid grid;

  @BeforeAll
  static void start() {
    grid = new TestGrid(2, 31);
  }

  @AfterAll
  static void stop() {
    grid.close();
  }

  @Test
  void aWriteWaitsForALockAndAReadDoesNot() {
    KeyMap map = grid.map(0, "acme", "locked");
    IMap<Object, Object> theirs = grid.member(1).getMap("acme/locked");
    run(map, Write.of(utf8("a"), utf8("1")));
    run(map, Write.of(utf8("b"), utf8("1")));
    theirs.lock("a");
    theirs.lock("b");
    Queue<String> outcomes = new ConcurrentLinkedQueue<>();
    map.submit(
        List.of(
            new Increment(utf8("a"), 1), new Increment(utf8("b"), 1), new Increment(utf8("a"), 1)),
        (index, outcome) -> outcomes.add(index + " " + Batches.text(outcome)));
    assertThat(texts(map, new Read(utf8("a")))).containsExactly("Entry 1");
    assertThat(texts(map, new Read(utf8("b")))).containsExactly("Entry 1");
    assertThat(outcomes).isEmpty();
    theirs.unlock("a");
    theirs.unlock("b");
    await().until(() -> outcomes.size() == 3);
    assertThat(outcomes).containsExactlyInAnyOrder("0 Integer 2", "1 Integer 2", "2 Integer 3");
  }

  @Test
  void aBatchGoesOnWhenTheLastOfItsLockedKeysIsFree() {
    KeyMap map = grid.map(0, "acme", "two-locks");
    IMap<Object, Object> theirs = grid.member(1).getMap("acme/two-locks");
    List<String> keys = keysOfOnePartition(3);
    List<KeyCommand> increments = new ArrayList<>();
    keys.forEach(key -> increments.add(new Increment(utf8(key), 1)));
    run(map, increments);
    theirs.lock(keys.get(0));
    theirs.lock(keys.get(2));
    AtomicInteger answered = new AtomicInteger();
    map.submit(increments, (index, outcome) -> answered.incrementAndGet());
    theirs.unlock(keys.get(0));
    assertThat(texts(map, new Read(utf8(keys.get(1))))).containsExactly("Entry 1");
    assertThat(answered).hasValue(0);
    theirs.unlock(keys.get(2));
    await().until(() -> answered.get() == 3);
    assertThat(texts(map, new Read(utf8(keys.get(1))))).containsExactly("Entry 2");
  }

  @Test
  void aRenameWaitsForALock() {
    KeyMap map = grid.map(0, "acme", "rename-locked");
    IMap<Object, Object> theirs = grid.member(1).getMap("acme/rename-locked");
    run(map, Write.of(utf8("from"), utf8("v")));
    theirs.lock("to");
    var renamed = map.rename(utf8("from"), utf8("to"), false).toCompletableFuture();
    assertThat(texts(map, new Read(utf8("from")))).containsExactly("Entry v");
    assertThat(renamed).isNotDone();
    theirs.unlock("to");
    assertThat(Batches.await(renamed)).isEqualTo(KeyMap.MoveOutcome.DONE);
    assertThat(theirs.isLocked("from")).isFalse();
    assertThat(theirs.isLocked("to")).isFalse();
  }

  @Test
  void listenersHearOfEveryChange() {
    KeyMap map = grid.map(0, "acme", "heard");
    IMap<String, byte[]> theirs = grid.member(1).getMap("acme/heard");
    Queue<String> heard = new ConcurrentLinkedQueue<>();
    theirs.addEntryListener(new Listener(heard), true);
    byte[] key = utf8("k");
    long soon = System.currentTimeMillis() + 3_000;
    run(
        map,
        List.of(
            Write.of(key, utf8("1")),
            new Increment(key, 1),
            new Remove(key, false),
            new Write(key, utf8("3"), soon, WriteCondition.ALWAYS, false)));
    await()
        .untilAsserted(
            () ->
                assertThat(heard)
                    .containsExactly(
                        "ADDED k null 1",
                        "UPDATED k 1 2",
                        "REMOVED k 2 null",
                        "ADDED k null 3",
                        "EXPIRED k 3 null"));
  }

  @Test
  void indexesAndQueriesSeeWrites() {
    KeyMap map = grid.map(0, "acme", "queried");
    IMap<String, Object> theirs = grid.member(1).getMap("acme/queried");
    run(map, List.of(Write.of(utf8("a1"), utf8("x")), Write.of(utf8("b1"), utf8("x"))));
    assertThat(theirs.keySet(Predicates.like("__key", "a%"))).containsExactly("a1");
    run(map, new Remove(utf8("a1"), false));
    assertThat(theirs.keySet(Predicates.like("__key", "a%"))).isEmpty();
  }

  @Test
  void countersAreExactUnderContention() throws InterruptedException {
    int threads = 8;
    int batches = 50;
    int batch = 20;
    List<Thread> running = new ArrayList<>();
    var answers = new ConcurrentSkipListSet<Long>();
    for (int t = 0; t < threads; t++) {
      KeyMap map = grid.map(t % 2, "acme", "counted");
      running.add(
          Thread.startVirtualThread(
              () -> {
                List<KeyCommand> commands = new ArrayList<>();
                for (int i = 0; i < batch; i++) {
                  commands.add(new Increment(utf8("counter"), 1));
                }
                for (int i = 0; i < batches; i++) {
                  for (Outcome outcome : run(map, commands)) {
                    if (outcome instanceof Outcome.IntegerResult result) {
                      answers.add(result.value());
                    }
                  }
                }
              }));
    }
    for (Thread thread : running) {
      thread.join();
    }
    int sum = threads * batches * batch;
    assertThat(answers).hasSize(sum);
    assertThat(answers.last()).isEqualTo(sum);
  }

  @Test
  void concurrentInsertionsOfOverlappingKeysExcludeEachOther() throws InterruptedException {
    for (int round = 0; round < 10; round++) {
      String prefix = "r" + round + "-";
      AtomicInteger wins = new AtomicInteger();
      List<Thread> running = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        KeyMap map = grid.map(t % 2, "acme", "inserted");
        int first = t;
        running.add(
            Thread.startVirtualThread(
                () -> {
                  Write one = Write.of(utf8(prefix + first), utf8("x"));
                  Write two = Write.of(utf8(prefix + (first + 1) % 4), utf8("x"));
                  if (Batches.await(map.insertAll(List.of(one, two)))) {
                    wins.incrementAndGet();
                  }
                }));
      }
      for (Thread thread : running) {
        thread.join();
      }
      assertThat(wins.get()).as("of four pairs in a ring").isBetween(1, 2);
    }
  }

  @Test
  void entriesOfHazelcastClientsKeepTheirExpiryOnCounting() {
    KeyMap map = grid.map(0, "acme", "theirs");
    IMap<Object, Object> theirs = grid.member(1).getMap("acme/theirs");
    theirs.put("k", "1", 1, TimeUnit.HOURS, 30, TimeUnit.MINUTES);
    long before = theirs.getEntryView("k").getMaxIdle();
    run(map, new Increment(utf8("k"), 1));
    assertThat(theirs.getEntryView("k").getMaxIdle()).isEqualTo(before);
    assertThat(theirs.getEntryView("k").getTtl()).isEqualTo(TimeUnit.HOURS.toMillis(1));
    theirs.put("brief", "1", 1_250, TimeUnit.MILLISECONDS);
    assertThat(theirs.getEntryView("brief").getTtl()).isEqualTo(1_250);
    await().until(() -> !theirs.containsKey("brief"));
  }

  @Test
  void aPlainWriteOverridesTheMapsDefaultExpiry() {
    KeyMap map = grid.map(0, "acme", "brief");
    IMap<Object, Object> theirs = grid.member(1).getMap("acme/brief");
    theirs.put("theirs", "v");
    run(map, Write.of(utf8("ours"), utf8("v")));
    run(map, new KeyCommand.Append(utf8("ours"), utf8("v"), 10));
    run(map, new KeyCommand.Expire(utf8("ours"), 0, ExpireCondition.ALWAYS));
    await().until(() -> !theirs.containsKey("theirs"));
    assertThat(texts(map, new Read(utf8("ours")))).containsExactly("Entry vv");
    assertThat(theirs.getEntryView("ours").getExpirationTime()).isEqualTo(Long.MAX_VALUE);
  }

  private static List<String> keysOfOnePartition(int count) {
    var table = TestGrid.nodeEngine(grid.member(0)).getPartitionService();
    List<String> keys = new ArrayList<>();
    for (int i = 0; keys.size() < count; i++) {
      if (table.getPartitionId(KeyData.ofKey(utf8("key-" + i))) == 7) {
        keys.add("key-" + i);
      }
    }
    return keys;
  }

  private record Listener(Queue<String> heard)
      implements EntryAddedListener<String, byte[]>,
          EntryUpdatedListener<String, byte[]>,
          EntryRemovedListener<String, byte[]>,
          EntryExpiredListener<String, byte[]> {
    @Override
    public void entryAdded(EntryEvent<String, byte[]> event) {
      hear(event);
    }

    @Override
    public void entryUpdated(EntryEvent<String, byte[]> event) {
      hear(event);
    }

    @Override
    public void entryRemoved(EntryEvent<String, byte[]> event) {
      hear(event);
    }

    @Override
    public void entryExpired(EntryEvent<String, byte[]> event) {
      hear(event);
    }

    private void hear(EntryEvent<String, byte[]> event) {
      EntryEventType type = event.getEventType();
      heard.add(
          type
              + " "
              + event.getKey()
              + " "
              + text(event.getOldValue())
              + " "
              + text(event.getValue()));
    }

    private static String text(byte[] value) {
      return value == null ? "null" : Batches.latin(value);
    }
  }
}
