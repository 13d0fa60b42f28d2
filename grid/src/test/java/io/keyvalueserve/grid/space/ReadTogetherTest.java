package io.keyvalueserve.grid.space;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyCommand.Read;
import io.keyvalueserve.engine.KeyCommand.Write;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyMap.OutcomeSink;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Reads of several keys beside transactions that keep all of them equal. */
final class ReadTogetherTest {
  private static final List<byte[]> KEYS =
      IntStream.range(0, 10).mapToObj(i -> ("key-" + i).getBytes(UTF_8)).toList();
  private static final int READS = 3_000;
  private static final int READS_OF_EACH_SIZE = 600;

  private static KeyMap map(TestGrid grid, int member) {
    return space(grid, member).map(new MapName("equal"));
  }

  private static TenantSpace space(TestGrid grid, int member) {
    return grid.engine(member).space(new Identity(new TenantName("acme"), 1, "key"));
  }

  private static List<Outcome> await(
      List<KeyCommand> commands, BiConsumer<List<KeyCommand>, OutcomeSink> how) {
    Outcome[] outcomes = new Outcome[commands.size()];
    AtomicInteger missing = new AtomicInteger(commands.size());
    CompletableFuture<List<Outcome>> all = new CompletableFuture<>();
    how.accept(
        commands,
        (index, outcome) -> {
          outcomes[index] = outcome;
          if (missing.decrementAndGet() == 0) {
            all.complete(List.of(outcomes));
          }
        });
    return Batches.await(all);
  }

  private static void write(KeyMap map, long value) {
    byte[] bytes = Long.toString(value).getBytes(UTF_8);
    List<KeyCommand> writes = new ArrayList<>();
    KEYS.forEach(key -> writes.add(Write.of(key, bytes)));
    List<Outcome> _ = await(writes, map::writeTogether);
  }

  private static void transact(TenantSpace space, KeyMap map, long value) {
    byte[] bytes = Long.toString(value).getBytes(UTF_8);
    var _ =
        Batches.await(
            space
                .transact(
                    new TransactionRequest<>(
                        KEYS.stream().map(key -> new KeyRef(map, key)).toList(),
                        List.of(),
                        view -> writeAll(view, map, bytes)))
                .exceptionally(failure -> java.util.Optional.empty()));
  }

  private static boolean writeAll(TransactionView view, KeyMap map, byte[] bytes) {
    KEYS.forEach(
        key -> {
          Outcome _ = view.execute(map, Write.of(key, bytes));
        });
    return true;
  }

  /** Returns the different values that a read has seen; none if it failed. */
  private static List<String> read(KeyMap map, List<byte[]> keys) {
    List<KeyCommand> reads = new ArrayList<>();
    keys.forEach(key -> reads.add(new Read(key)));
    List<Outcome> outcomes = await(reads, map::readTogether);
    return outcomes.stream().anyMatch(Outcome.Failure.class::isInstance)
        ? List.of()
        : outcomes.stream().map(Batches::text).distinct().toList();
  }

  /** Writers and readers on some members, until there were enough reads. */
  private static final class Load {
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong values = new AtomicLong();
    private final Queue<List<String>> mixed = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();

    void write(TestGrid grid, int member) {
      TenantSpace space = space(grid, member);
      KeyMap map = map(grid, member);
      start(
          () -> {
            long value = values.incrementAndGet();
            if (value % 2 == 0) {
              ReadTogetherTest.write(map, value);
            } else {
              transact(space, map, value);
            }
          });
    }

    void read(TestGrid grid, int member) {
      KeyMap map = map(grid, member);
      List<byte[]> keys = new ArrayList<>(KEYS);
      Random random = new Random(member);
      start(
          () -> {
            Collections.shuffle(keys, random);
            List<String> seen = ReadTogetherTest.read(map, keys);
            reads.addAndGet(seen.size());
            if (seen.size() > 1) {
              mixed.add(seen);
            }
          });
    }

    private void start(Runnable step) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!over.get()) {
                      step.run();
                    }
                  }));
    }

    void awaitReads(long more) {
      long until = reads.get() + more;
      Awaitility.await().atMost(java.time.Duration.ofSeconds(90)).until(() -> reads.get() >= until);
    }

    void end() throws InterruptedException {
      over.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(mixed).isEmpty();
    }
  }

  @Test
  void seesNoHalfOnOneMember() throws InterruptedException {
    try (TestGrid grid = new TestGrid(1, 271)) {
      write(map(grid, 0), 0);
      Load load = new Load();
      load.write(grid, 0);
      load.read(grid, 0);
      load.read(grid, 0);
      load.awaitReads(READS);
      load.end();
    }
  }

  @Test
  void seesNoHalfOnThreeMembersOfWhichOneJoinsAndOneDies() throws InterruptedException {
    try (TestGrid grid = new TestGrid(2, 71)) {
      write(map(grid, 0), 0);
      Load load = new Load();
      load.write(grid, 0);
      load.read(grid, 0);
      load.read(grid, 1);
      load.awaitReads(READS_OF_EACH_SIZE);
      var _ = grid.join();
      load.awaitReads(READS_OF_EACH_SIZE);
      grid.terminate(2);
      load.awaitReads(READS_OF_EACH_SIZE);
      load.end();
    }
  }

  /** A second read of the same keys knows all stamps, and reads each key once. */
  @Test
  void readsOnceWhileNothingChanges() {
    try (TestGrid grid = new TestGrid(2, 71)) {
      KeyMap map = map(grid, 0);
      write(map, 5);
      assertThat(read(map, KEYS)).hasSize(1);
      ReadStamps stamps = grid.engine(0).readStamps();
      List<Long> known = stampsOf(grid, stamps);
      assertThat(known).doesNotContain(0L);
      assertThat(read(map, KEYS)).hasSize(1);
      assertThat(stampsOf(grid, stamps)).isEqualTo(known);
      write(map, 6);
      assertThat(read(map, KEYS)).hasSize(1);
      assertThat(stampsOf(grid, stamps)).doesNotContainAnyElementsOf(known);
    }
  }

  private static List<Long> stampsOf(TestGrid grid, ReadStamps stamps) {
    return KEYS.stream()
        .map(
            key ->
                stamps.get(
                    ReadStamps.place(
                        ((HazelcastKeyMap) map(grid, 0)).gridName(),
                        grid.engine(0).partitions().of(KeyData.ofKey(key)))))
        .toList();
  }
}
