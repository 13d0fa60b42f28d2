package io.keyvalueserve.grid.space;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.DeadlinePassed;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyCommand.Read;
import io.keyvalueserve.engine.KeyCommand.Write;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.engine.WriteCondition;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Transactions that a single member carries out on the thread of the caller. */
final class DirectTransactionsTest {
  private static final byte[] FIRST = "first".getBytes(UTF_8);
  private static final byte[] SECOND = "second".getBytes(UTF_8);

  private static TestGrid grid;

  @BeforeAll
  static void start() {
    grid = new TestGrid(1, 271);
  }

  @AfterAll
  static void stop() {
    grid.close();
  }

  private static TenantSpace space() {
    return grid.engine(0).space(new Identity(new TenantName("acme"), 1, "key"));
  }

  private static void write(TenantSpace space, KeyMap map, long value) {
    byte[] bytes = Long.toString(value).getBytes(UTF_8);
    var _ =
        Batches.await(
            space.transact(
                new TransactionRequest<>(
                    List.of(new KeyRef(map, FIRST), new KeyRef(map, SECOND)),
                    List.of(),
                    view -> {
                      Outcome _ = view.execute(map, Write.of(FIRST, bytes));
                      return view.execute(map, Write.of(SECOND, bytes));
                    })));
  }

  private static long read(KeyMap map, byte[] key) {
    return Batches.run(map, new Read(key)) instanceof Outcome.Entry entry
        ? Long.parseLong(new String(entry.value(), UTF_8))
        : -1;
  }

  /** Whoever has seen one key of a transaction sees the others too, also without locks. */
  @Test
  void neverShowsOneKeyNewAndThenAnotherOld() throws InterruptedException {
    TenantSpace space = space();
    KeyMap map = space.map(new MapName("ordered"));
    KeyMap direct = grid.map(0, "acme", "ordered");
    write(space, map, 0);
    AtomicBoolean over = new AtomicBoolean();
    AtomicLong reads = new AtomicLong();
    AtomicLong wrong = new AtomicLong();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (long i = 1; !over.get(); i++) {
                    write(space, map, i);
                  }
                });
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    long second = read(direct, SECOND);
                    if (read(direct, FIRST) < second) {
                      wrong.incrementAndGet();
                    }
                    long first = read(direct, FIRST);
                    if (read(direct, SECOND) < first) {
                      wrong.incrementAndGet();
                    }
                    reads.incrementAndGet();
                  }
                });
    Awaitility.await().until(() -> reads.get() > 5_000);
    over.set(true);
    writer.join();
    reader.join();
    assertThat(wrong).hasValue(0);
  }

  @Test
  void isDoneOnTheCallersThreadOrNotAtAll() {
    TenantSpace space = space();
    KeyMap map = space.map(new MapName("threads"));
    write(space, map, 1); // makes the partitions
    Thread caller = Thread.currentThread();
    TransactionRequest<Boolean> quick =
        new TransactionRequest<>(
            List.of(new KeyRef(map, FIRST), new KeyRef(map, SECOND)),
            List.of(),
            view -> {
              Outcome _ = view.execute(map, Write.of(FIRST, FIRST));
              return Thread.currentThread().equals(caller) && view.deadlineNanos() != 0;
            });
    // A partition may be in use for a moment, by expiry for example.
    Awaitility.await()
        .pollInSameThread()
        .until(() -> Batches.await(space.transact(quick)).orElseThrow());
    TransactionRequest<Boolean> slow =
        new TransactionRequest<>(quick.keys(), List.of(), DirectTransactionsTest::giveUp);
    assertThat(Batches.await(space.transact(slow))).contains(true);
  }

  /** Entries that expire are replaced by the slower of two ways; a key that is named twice, too. */
  @Test
  void writesEntriesTogetherOnTheCallersThread() {
    KeyMap map = space().map(new MapName("written"));
    write(space(), map, 1); // makes the partitions
    long soon = System.currentTimeMillis() + 3_600_000;
    Outcome _ = Batches.run(map, new Write(SECOND, FIRST, soon, WriteCondition.ALWAYS, false));
    List<KeyCommand> entries =
        List.of(Write.of(FIRST, FIRST), Write.of(SECOND, FIRST), Write.of(SECOND, SECOND));
    // A partition may be in use for a moment, by expiry for example.
    Awaitility.await()
        .pollInSameThread()
        .until(
            () -> {
              long stamp = map.direct().stamp();
              List<Outcome> outcomes = new ArrayList<>();
              boolean[] here = {true};
              Thread caller = Thread.currentThread();
              map.writeTogether(
                  entries,
                  (_, outcome) -> {
                    here[0] &= Thread.currentThread().equals(caller);
                    synchronized (outcomes) {
                      outcomes.add(outcome);
                    }
                  });
              return here[0]
                  && outcomes.size() == 3
                  && outcomes.stream().allMatch(Outcome.Applied.class::isInstance)
                  && map.direct().stamp() != stamp;
            });
    assertThat(((Outcome.Entry) Batches.run(map, new Read(FIRST))).value()).isEqualTo(FIRST);
    Outcome.Entry second = (Outcome.Entry) Batches.run(map, new Read(SECOND));
    assertThat(second.value()).isEqualTo(SECOND);
    assertThat(second.expireAtMillis()).isEqualTo(Expiry.NONE);
  }

  @Test
  void locksAllKeysAtOnceThatABodyIsAboutToAskFor() {
    TenantSpace space = space();
    KeyMap map = space.map(new MapName("needed"));
    write(space, map, 7);
    AtomicLong runs = new AtomicLong();
    List<byte[]> needed = new ArrayList<>(List.of(FIRST, SECOND));
    for (int i = 0; i < 100; i++) {
      needed.add(("key" + i).getBytes(UTF_8));
    }
    TransactionRequest<Integer> request =
        new TransactionRequest<>(
            List.of(new KeyRef(map, FIRST)),
            List.of(),
            view -> {
              runs.incrementAndGet();
              Outcome _ = view.execute(map, new Read(FIRST));
              view.need(map, needed);
              int found = 0;
              for (byte[] key : needed) {
                found += view.execute(map, new Read(key)) instanceof Outcome.Entry ? 1 : 0;
              }
              return found;
            });
    assertThat(Batches.await(space.transact(request))).contains(2);
    assertThat(runs).hasValueLessThanOrEqualTo(3); // at once, with one key, and with all
  }

  private static boolean giveUp(TransactionView view) {
    if (view.deadlineNanos() != 0) {
      throw new DeadlinePassed();
    }
    return true;
  }
}
