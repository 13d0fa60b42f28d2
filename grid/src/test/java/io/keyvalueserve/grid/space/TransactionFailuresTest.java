package io.keyvalueserve.grid.space;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyCommand.Increment;
import io.keyvalueserve.engine.KeyCommand.Read;
import io.keyvalueserve.engine.KeyCommand.Write;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.TransactionBody;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.grid.space.Transactions.Step;
import io.keyvalueserve.maps.LocalMaps;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions over three members, of which some fail in the middle: all or nothing. */
final class TransactionFailuresTest {
  private static final int ACCOUNTS = 8;
  private static final long MONEY = 100;

  private TestGrid grid;

  @BeforeEach
  void start() {
    grid = new TestGrid(3, 31);
  }

  @AfterEach
  void stop() {
    grid.close();
  }

  private TenantSpace space(int member) {
    return grid.engine(member).space(new Identity(new TenantName("acme"), 1, "key"));
  }

  private static KeyMap map(TenantSpace space) {
    return space.map(new MapName("bank"));
  }

  private static byte[] account(int number) {
    return ("account" + number).getBytes(UTF_8);
  }

  /** The coordinator ends at a step; from another member, all keys are old or all are new. */
  @ParameterizedTest
  @EnumSource(Step.class)
  void leavesAllOrNothingWhenTheCoordinatorDies(Step step) throws Exception {
    TenantSpace dying = space(2);
    write(dying, "old");
    AtomicBoolean dead = new AtomicBoolean();
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    grid.engine(2)
        .transactions()
        .probe(
            at -> {
              if (at == step && dead.compareAndSet(false, true)) {
                reached.countDown();
                try {
                  never.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }
            });
    var _ = dying.transact(writing(dying, "new"));
    assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();
    grid.terminate(2);
    never.countDown();

    TenantSpace other = space(0);
    List<String> values = values(other);
    boolean isCommitted = step.compareTo(Step.DECIDED) >= 0;
    assertThat(values).containsOnly(isCommitted ? "new" : "old");
    // No lock is left.
    write(space(1), "later");
    assertThat(values(other)).containsOnly("later");
  }

  /** Changes of maps of which nothing may be on a disk are recorded apart, for who ends them. */
  @ParameterizedTest
  @EnumSource(Step.class)
  void leavesAllOrNothingOfMapsInMemoryWhenTheCoordinatorDies(Step step) throws Exception {
    for (int member = 0; member < 3; member++) {
      grid.engine(member).keepInMemoryAlone(map -> true);
    }
    leavesAllOrNothingWhenTheCoordinatorDies(step);
    var left = grid.member(0).getMap(LocalMaps.TRANSACTION_CHANGES_IN_MEMORY);
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(left::isEmpty);
  }

  /** The owner of keys ends while they are locked. */
  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      names = {"LOCKED", "DECIDED", "APPLIED"})
  void outlivesTheOwnersOfKeys(Step step) throws Exception {
    TenantSpace space = space(0);
    write(space, "old");
    AtomicBoolean done = new AtomicBoolean();
    grid.engine(0)
        .transactions()
        .probe(
            at -> {
              if (at == step && done.compareAndSet(false, true)) {
                grid.terminate(2);
              }
            });
    assertThat(
            space.transact(writing(space, "new")).toCompletableFuture().get(30, TimeUnit.SECONDS))
        .isPresent();
    assertThat(done).isTrue();
    assertThat(values(space(1))).containsOnly("new");
  }

  /** A coordinator that stalls is ended by others, and cannot commit afterwards. */
  @Test
  void endsStalledTransactionByRecord() throws Exception {
    TenantSpace space = space(0);
    write(space, "old");
    CountDownLatch stalled = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicBoolean first = new AtomicBoolean(true);
    List<TransactionId> ids = new ArrayList<>();
    grid.engine(0)
        .transactions()
        .probe(
            at -> {
              if (at == Step.DECIDING && first.compareAndSet(true, false)) {
                stalled.countDown();
                try {
                  goOn.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }
            });
    var stage = space.transact(writing(space, "new"));
    assertThat(stalled.await(20, TimeUnit.SECONDS)).isTrue();
    for (int i = 0; i < 3; i++) { // as an operator does who forces a lock off
      grid.engine(i)
          .settler()
          .forEachLock(
              (id, lock, group) -> {
                ids.add(id);
                grid.engine(1).settler().settle(id, Map.of(group, List.<Data>of(lock.getKey())));
              });
    }
    assertThat(ids).isNotEmpty();
    assertThat(values(space(1))).containsOnly("old");
    goOn.countDown();
    // It finds that it was ended, and runs again.
    assertThat(stage.toCompletableFuture().get(30, TimeUnit.SECONDS)).isPresent();
    assertThat(values(space(1))).containsOnly("new");
  }

  /** The coordinator stalls at a step, in its first run only, until the latch lets it go on. */
  private CountDownLatch stallAt(Step step, CountDownLatch goOn) {
    CountDownLatch stalled = new CountDownLatch(1);
    grid.engine(0)
        .transactions()
        .probe(
            at -> {
              if (at == step && stalled.getCount() > 0) {
                stalled.countDown();
                try {
                  goOn.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }
            });
    return stalled;
  }

  /** Returns the id of the transaction that holds locks, as an operator sees it in one of them. */
  private String lockedBy() {
    Set<String> ids = new TreeSet<>();
    for (int i = 0; i < 3; i++) {
      grid.engine(i).settler().forEachLock((id, lock, group) -> ids.add(id.toString()));
    }
    assertThat(ids).hasSize(1);
    return ids.iterator().next();
  }

  private @Nullable TransactionEnd force(String id) {
    return grid.engine(0).runningTransactions().force(id, Duration.ofSeconds(30));
  }

  /**
   * A lock is forced off before the decision: all locks are off at once, and nothing is changed.
   */
  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      names = {"LOCKED", "DECIDING"})
  void endsWithAnErrorIfALockIsForcedOff(Step step) throws Exception {
    TenantSpace space = space(0);
    write(space, "old");
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch stalled = stallAt(step, goOn);
    var stage = space.transact(writing(space, "forced"));
    assertThat(stalled.await(20, TimeUnit.SECONDS)).isTrue();
    String id = lockedBy();
    assertThat(grid.engine(1).runningTransactions().force(id, Duration.ZERO)).isNull();
    assertThat(force(id)).isEqualTo(TransactionEnd.ABORTED);
    assertThat(force(id)).isEqualTo(TransactionEnd.ABORTED);
    write(space(1), "other"); // it need not wait
    goOn.countDown();
    assertThatThrownBy(() -> stage.toCompletableFuture().get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(EngineException.class)
        .hasMessageContaining("forced off")
        .hasMessageContaining("nothing was changed");
    assertThat(values(space(1))).containsOnly("other");
    assertThat(force(id)).isNull();
    write(space, "later");
    assertThat(values(space(1))).containsOnly("later");
  }

  /** A lock is forced off after the decision: it comes off when all is carried out. */
  @Test
  void carriesOutWhatIsDecidedIfALockIsForcedOff() throws Exception {
    TenantSpace space = space(0);
    write(space, "old");
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch stalled = stallAt(Step.DECIDED, goOn);
    var stage = space.transact(writing(space, "new"));
    assertThat(stalled.await(20, TimeUnit.SECONDS)).isTrue();
    String id = lockedBy();
    assertThat(grid.engine(0).runningTransactions().force(id, Duration.ZERO)).isNull();
    CompletableFuture<Optional<TransactionEnd>> forced = new CompletableFuture<>();
    Thread forcing =
        Thread.ofPlatform().start(() -> forced.complete(Optional.ofNullable(force(id))));
    Awaitility.await().until(() -> forcing.getState() == Thread.State.TIMED_WAITING);
    goOn.countDown();
    assertThat(forced.get(30, TimeUnit.SECONDS)).hasValue(TransactionEnd.COMMITTED);
    assertThat(stage.toCompletableFuture().get(30, TimeUnit.SECONDS)).isPresent();
    assertThat(values(space(1))).containsOnly("new");
  }

  /** Money moves between accounts while a member dies; nobody ever sees some of it missing. */
  @Test
  void keepsSumsWhileAMemberDies() throws Exception {
    TenantSpace first = space(0);
    KeyMap bank = map(first);
    Optional<Outcome> _ =
        await(
            first,
            view -> {
              Outcome last = Outcome.Missing.MISSING;
              for (int i = 0; i < ACCOUNTS; i++) {
                last =
                    view.execute(bank, Write.of(account(i), Long.toString(MONEY).getBytes(UTF_8)));
              }
              return last;
            });
    AtomicBoolean over = new AtomicBoolean();
    AtomicBoolean wrong = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    AtomicInteger moved = new AtomicInteger();
    for (int t = 0; t < 4; t++) {
      int seed = t;
      TenantSpace space = space(t % 2);
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    Random random = new Random(seed);
                    while (!over.get()) {
                      move(space, random);
                      moved.incrementAndGet();
                    }
                  }));
    }
    TenantSpace reader = space(1);
    Thread reading =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    try {
                      if (sum(reader) != ACCOUNTS * MONEY) {
                        wrong.set(true);
                      }
                    } catch (ExecutionException | TimeoutException e) {
                      // the cluster is changing
                    } catch (InterruptedException e) {
                      return;
                    }
                  }
                });
    Awaitility.await().until(() -> moved.get() > 100);
    grid.terminate(2);
    int before = moved.get();
    Awaitility.await().until(() -> moved.get() > before + 100);
    over.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    reading.join();
    assertThat(wrong).isFalse();
    assertThat(sum(reader)).isEqualTo(ACCOUNTS * MONEY);
  }

  private static void move(TenantSpace space, Random random) {
    KeyMap bank = map(space);
    byte[] from = account(random.nextInt(ACCOUNTS));
    byte[] to = account(random.nextInt(ACCOUNTS));
    try {
      var _ =
          space
              .transact(
                  new TransactionRequest<>(
                      List.of(new KeyRef(bank, from), new KeyRef(bank, to)),
                      List.of(),
                      view -> {
                        Outcome _ = view.execute(bank, new Increment(from, -1));
                        return view.execute(bank, new Increment(to, 1));
                      }))
              .toCompletableFuture()
              .get(30, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // in doubt, or nothing was done
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long sum(TenantSpace space)
      throws ExecutionException, TimeoutException, InterruptedException {
    KeyMap bank = map(space);
    List<KeyRef> keys = new ArrayList<>();
    for (int i = 0; i < ACCOUNTS; i++) {
      keys.add(new KeyRef(bank, account(i)));
    }
    return space
        .transact(
            new TransactionRequest<>(
                keys,
                List.of(),
                view -> {
                  long sum = 0;
                  for (KeyRef key : keys) {
                    Outcome.Entry entry = (Outcome.Entry) view.execute(bank, new Read(key.key()));
                    sum += Long.parseLong(new String(entry.value(), UTF_8));
                  }
                  return sum;
                }))
        .toCompletableFuture()
        .get(30, TimeUnit.SECONDS)
        .orElseThrow();
  }

  private static <T> Optional<T> await(TenantSpace space, TransactionBody<T> body)
      throws Exception {
    return space
        .transact(new TransactionRequest<>(List.of(), List.of(), body))
        .toCompletableFuture()
        .get(30, TimeUnit.SECONDS);
  }

  private static TransactionRequest<Integer> writing(TenantSpace space, String value) {
    KeyMap bank = map(space);
    List<KeyRef> keys = new ArrayList<>();
    for (int i = 0; i < ACCOUNTS; i++) {
      keys.add(new KeyRef(bank, account(i)));
    }
    return new TransactionRequest<>(
        keys,
        List.of(),
        view -> {
          keys.forEach(
              key -> {
                Outcome _ = view.execute(bank, Write.of(key.key(), value.getBytes(UTF_8)));
              });
          return keys.size();
        });
  }

  private static void write(TenantSpace space, String value) throws Exception {
    assertThat(
            space.transact(writing(space, value)).toCompletableFuture().get(30, TimeUnit.SECONDS))
        .isPresent();
  }

  /** The values as plain reads find them. */
  private static List<String> values(TenantSpace space) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < ACCOUNTS; i++) {
      Outcome outcome = Batches.run(map(space), new Read(account(i)));
      values.add(
          outcome instanceof Outcome.Entry entry
              ? new String(entry.value(), UTF_8)
              : outcome.toString());
    }
    return values;
  }
}
