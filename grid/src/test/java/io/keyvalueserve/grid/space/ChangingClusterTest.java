package io.keyvalueserve.grid.space;

import static io.keyvalueserve.engine.Batches.run;
import static io.keyvalueserve.engine.Batches.texts;
import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.SoftAssertions.assertSoftly;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.operationservice.ExceptionAction;
import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyCommand.Increment;
import io.keyvalueserve.engine.KeyCommand.Probe;
import io.keyvalueserve.engine.KeyCommand.Read;
import io.keyvalueserve.engine.KeyCommand.Write;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.WriteCondition;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.HashOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Members come, leave and die while the engine is at work. */
final class ChangingClusterTest {
  private static final long HOUR_MILLIS = 3_600_000;

  /** More of them with {@code -Dkvs.test.long=on}. */
  static IntStream repetitions() {
    return IntStream.rangeClosed(
        1, System.getProperty("kvs.test.long", "off").equals("on") ? 10 : 1);
  }

  /** Expiry on backups and through migration: every member in turn comes to own every key. */
  @Test
  void expirySurvivesBackupPromotionAndMigrationToTheMillisecond() {
    try (TestGrid grid = new TestGrid(2, 31)) {
      KeyMap map = grid.map(0, "acme", "moving");
      long base = System.currentTimeMillis() + HOUR_MILLIS;
      run(
          map,
          IntStream.range(0, 200)
              .mapToObj(
                  i -> new Write(utf8("k" + i), utf8("v"), base + i, WriteCondition.ALWAYS, false))
              .toList());
      run(map, Write.of(utf8("stays"), utf8("v")));
      IntStream.range(0, 40).forEach(i -> run(map, setField("h" + i, base)));
      assertExpiries(grid.map(1, "acme", "moving"), base);
      await().until(() -> isSafe(grid));
      grid.terminate(0); // what member 1 only backed up is now its own
      assertExpiries(grid.map(0, "acme", "moving"), base);
      grid.join();
      await().until(() -> isSafe(grid));
      grid.shutDown(0); // the newcomer has nothing but what migrated to it
      assertExpiries(grid.map(0, "acme", "moving"), base);
    }
  }

  private static KeyCommand setField(String key, long expireAt) {
    return new KeyCommand.OnCollection(
        utf8(key),
        HashOperation.SET_AND_EXPIRE,
        Arguments.of(utf8("f"), utf8("v")).with(expireAt, 0),
        KeyCommand.MOST_COLLECTION_BYTES);
  }

  private static KeyCommand expiryOf(String key) {
    return new KeyCommand.OnCollection(
        utf8(key), HashOperation.EXPIRY, Arguments.of(utf8("f")), KeyCommand.MOST_COLLECTION_BYTES);
  }

  private static KeyCommand onHash(String key, HashOperation operation) {
    return new KeyCommand.OnCollection(
        utf8(key), operation, Arguments.NONE, KeyCommand.MOST_COLLECTION_BYTES);
  }

  private static void assertExpiries(KeyMap map, long base) {
    List<String> expected =
        IntStream.range(0, 200).mapToObj(i -> "Info 1 until " + (base + i)).toList();
    List<KeyCommand> probes = new ArrayList<>();
    IntStream.range(0, 200).forEach(i -> probes.add(new Probe(utf8("k" + i), false)));
    assertThat(run(map, probes).stream().map(Batches::text)).containsExactlyElementsOf(expected);
    assertThat(texts(map, new Probe(utf8("stays"), false))).containsExactly("Info 1");
    for (int i = 0; i < 40; i++) {
      assertThat(texts(map, onHash("h" + i, HashOperation.ALL), expiryOf("h" + i)))
          .containsExactly("Elements [f, v]", "Elements [" + base + "]");
    }
  }

  @Test
  void aCounterThatIsSentAgainWithoutAnErrorRefusesToCount() {
    try (TestGrid grid = new TestGrid(2, 31)) {
      Partitions partitions = grid.engine(0).partitions();
      KeyMap map = grid.map(0, "acme", "resent");
      for (int i = 0; i < 10; i++) { // some keys here, some on the other member
        byte[] key = utf8("k" + i);
        run(map, Write.of(key, utf8("1")));
        KeyWriteBatch resent = increment(key);
        resent.onSetCallId(1);
        var doubt = partitions.ask(resent, partitions.of(KeyData.ofKey(key)));
        assertThatThrownBy(doubt::join)
            .hasCauseInstanceOf(IndeterminateOperationStateException.class);
        KeyWriteBatch refused = increment(key);
        refused.onSetCallId(1);
        assertThat(refused.onInvocationException(new RetryableHazelcastException("not here")))
            .isEqualTo(ExceptionAction.RETRY_INVOCATION);
        partitions.ask(refused, partitions.of(KeyData.ofKey(key))).join();
        assertThat(texts(map, new Read(key))).containsExactly("Entry 2");
      }
    }
  }

  private static KeyWriteBatch increment(byte[] key) {
    return new KeyWriteBatch(
        "acme/resent",
        1,
        List.of(new Increment(key, 1)),
        List.of(KeyData.ofKey(key)),
        KeyLocks.NO_THREAD,
        false);
  }

  /**
   * Writers write ever higher numbers under keys of their own and count counters up; members die
   * and join meanwhile. Whatever was acknowledged must be there in the end; and no counter may be
   * higher than the increments that were acknowledged or in doubt. Between two deaths the writers
   * pause until backups are complete again, as one backup promises no more.
   */
  @Test
  void losesNothingAcknowledgedAndCountsNothingTwice() throws InterruptedException {
    try (TestGrid grid = new TestGrid(3, 31);
        Writers writers = new Writers(grid.map(0, "acme", "churned"), 4)) {
      writers.proceed();
      writers.pauseUntil(() -> isSafe(grid));
      grid.terminate(2);
      writers.proceed();
      grid.join();
      writers.pauseUntil(() -> isSafe(grid));
      writers.proceed();
      grid.terminate(1);
      writers.proceed();
      grid.join();
      writers.pauseUntil(() -> isSafe(grid));
      writers.proceed();
      writers.stop();
      writers.assertNothingLost();
    }
  }

  /**
   * Readers at every door note what has been acknowledged to anybody, then read, and never see
   * less: while partitions come and go, and while their owner dies.
   */
  @ParameterizedTest
  @MethodSource("repetitions")
  void readsNothingOlderThanWasAcknowledgedBefore(int repetition) throws InterruptedException {
    try (TestGrid grid = new TestGrid(1, 31);
        Writers writers = new Writers(grid.map(0, "acme", "fresh"), 2)) {
      writers.readAt(0, grid.map(0, "acme", "fresh"));
      writers.proceed();
      writers.enter("a second joins");
      grid.join();
      writers.readAt(1, grid.map(1, "acme", "fresh"));
      writers.proceed();
      writers.enter("a third joins");
      grid.join();
      writers.pauseUntil(() -> isSafe(grid));
      writers.proceed();
      writers.enter("the third dies");
      grid.terminate(2);
      writers.proceed();
      writers.enter("backups are made anew");
      writers.pauseUntil(() -> isSafe(grid));
      writers.enter("another joins");
      grid.join();
      writers.proceed();
      writers.enter("it leaves");
      grid.shutDown(2);
      writers.proceed();
      writers.stop();
      assertSoftly(
          softly -> {
            softly.check(writers::assertNothingStale);
            softly.check(writers::assertNothingLost); // what was stale may be gone for good
          });
    }
  }

  /** Writes and counts, each writer on keys of its own, until stopped. */
  private static final class Writers implements AutoCloseable {
    private static final int KEYS = 40;
    private static final int ENOUGH = 500;

    private final KeyMap map;
    private final List<Thread> threads = new ArrayList<>();
    private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> counted = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> doubtful = new ConcurrentHashMap<>();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong read = new AtomicLong();
    private final Queue<String> stale = new ConcurrentLinkedQueue<>();
    private final ReadWriteLock pause = new ReentrantReadWriteLock(true);
    private volatile String phase = "one is alone";
    private volatile boolean stopped;

    Writers(KeyMap map, int count) {
      this.map = map;
      for (int i = 0; i < count; i++) {
        String writer = "w" + i;
        threads.add(Thread.startVirtualThread(() -> write(writer)));
      }
    }

    private void write(String writer) {
      for (long n = 1; !stopped; n++) {
        pause.readLock().lock();
        try {
          write(writer + "-" + n % KEYS, writer + "-counter-" + n % KEYS, n);
        } finally {
          pause.readLock().unlock();
        }
      }
    }

    private void write(String key, String counter, long n) {
      Write write = Write.of(utf8(key), utf8(Long.toString(n)));
      List<Outcome> outcomes = run(map, List.of(write, new Increment(utf8(counter), 1)));
      if (outcomes.get(0) instanceof Outcome.Applied) {
        acknowledged.put(key, n);
      }
      boolean applied = outcomes.get(1) instanceof Outcome.IntegerResult;
      (applied ? counted : doubtful)
          .computeIfAbsent(counter, c -> new AtomicLong())
          .incrementAndGet();
      written.incrementAndGet();
    }

    /** What is going on now, for who has to find out why something went wrong. */
    void enter(String next) {
      phase = next;
    }

    /** Has a thread read what is being written, at the door of a member. */
    void readAt(int member, KeyMap door) {
      threads.add(Thread.ofPlatform().start(() -> read(member, door)));
    }

    private void read(int member, KeyMap door) {
      while (!stopped) {
        acknowledged.forEach((key, before) -> read(member, door, key, before));
      }
    }

    private void read(int member, KeyMap door, String key, long before) {
      long least = Math.max(before, acknowledged.getOrDefault(key, 0L));
      switch (run(door, new Read(utf8(key)))) {
        case Outcome.Entry entry -> {
          long seen = Long.parseLong(Batches.latin(entry.value()));
          if (seen < least) {
            stale.add(note(member, key, Long.toString(seen), least));
          }
          read.incrementAndGet();
        }
        case Outcome.Failure _ -> {} // its owner is gone: no answer is no stale answer
        case Outcome other -> stale.add(note(member, key, other.toString(), least));
      }
    }

    private String note(int member, String key, String seen, long least) {
      return "%s: %s after %d, read at member %d, by now %d are acknowledged, as %s, at %d ms"
          .formatted(
              key,
              seen,
              least,
              member,
              acknowledged.getOrDefault(key, 0L),
              phase,
              TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    void assertNothingStale() {
      assertThat(stale).isEmpty();
      assertThat(read.get()).isGreaterThan(ENOUGH);
    }

    void proceed() {
      long now = written.get();
      await().until(() -> written.get() > now + ENOUGH);
    }

    void pauseUntil(Callable<Boolean> condition) {
      pause.writeLock().lock();
      try {
        await().until(condition);
      } finally {
        pause.writeLock().unlock();
      }
    }

    void stop() throws InterruptedException {
      stopped = true;
      for (Thread thread : threads) {
        thread.join();
      }
    }

    void assertNothingLost() {
      assertThat(acknowledged).isNotEmpty();
      acknowledged.forEach(
          (key, n) ->
              assertThat(number(run(map, new Read(utf8(key))))).as(key).isGreaterThanOrEqualTo(n));
      counted.forEach(
          (counter, sum) -> {
            long doubts = doubtful.getOrDefault(counter, new AtomicLong()).get();
            assertThat(number(run(map, new Read(utf8(counter)))))
                .as(counter)
                .isBetween(sum.get(), sum.get() + doubts);
          });
    }

    @Override
    public void close() {
      stopped = true;
    }
  }

  private static boolean isSafe(TestGrid grid) {
    return grid.member(0).getPartitionService().isClusterSafe();
  }

  private static long number(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Entry.class);
    return Long.parseLong(Batches.latin(((Outcome.Entry) outcome).value()));
  }
}
