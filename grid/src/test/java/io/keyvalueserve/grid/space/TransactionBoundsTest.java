package io.keyvalueserve.grid.space;

import static io.keyvalueserve.engine.Batches.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.DeadlinePassed;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.ExpireCondition;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyCommand.Read;
import io.keyvalueserve.engine.KeyCommand.Write;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.TransactionBody;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.HashOperation;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The most that one transaction may bring to the Java heap, and add to what a tenant has. */
final class TransactionBoundsTest {
  private static final int LONG = 600_000;
  private static final Admissions ADMISSIONS = new Admissions(() -> 0);

  private static TestGrid grid;

  @BeforeAll
  static void start() {
    limit("few", Quota.USUAL.with(Limit.ENTRIES, 3L).with(Limit.VALUE, 1_000L), 2);
    limit("small", Quota.USUAL.with(Limit.MEMORY, 200_000L), 3);
    grid =
        new TestGrid(
            1, 271, config -> {}, maps -> maps.accounts().countFor(ADMISSIONS::usageOfObject));
  }

  @AfterAll
  static void stop() {
    grid.close();
  }

  private static void limit(String tenant, Quota quota, int number) {
    ADMISSIONS.apply(
        new Tenant(
            new TenantName(tenant),
            number,
            TenantState.ACTIVE,
            Instant.EPOCH,
            List.of(),
            quota,
            number));
  }

  private static TenantSpace space(String tenant, int number) {
    return grid.engine(0).space(new Identity(new TenantName(tenant), number, "key"));
  }

  private static byte[] key(int number) {
    return ("k" + number).getBytes(UTF_8);
  }

  private static List<KeyRef> keys(KeyMap map, int count) {
    return IntStream.range(0, count).mapToObj(i -> new KeyRef(map, key(i))).toList();
  }

  private static <T> Optional<T> transact(
      TenantSpace space, List<KeyRef> keys, TransactionBody<T> body) {
    return await(space.transact(new TransactionRequest<>(keys, List.of(), body)));
  }

  @Test
  void refusesToReadManyLongValues() {
    TenantSpace space = space("acme", 1);
    KeyMap map = space.map(new MapName("long"));
    for (int i = 0; i < 3; i++) {
      Outcome _ = Batches.run(map, Write.of(key(i), new byte[LONG]));
    }
    Transactions transactions = grid.engine(0).transactions();
    transactions.setMostReadBytes(LONG + 1_000);
    try {
      assertThatThrownBy(
              () -> transact(space, keys(map, 3), view -> view.execute(map, new Read(key(0)))))
          .hasMessageContaining("nothing was changed");
      // Two are within it, as the longest one does not count. No key has stayed locked.
      assertThat(transact(space, keys(map, 2), view -> view.execute(map, new Read(key(0)))))
          .isPresent();
      assertThat(Batches.run(map, Write.of(key(2), key(2)))).isInstanceOf(Outcome.Applied.class);
    } finally {
      transactions.setMostReadBytes(16 << 20);
    }
  }

  @Test
  void endsTransactionThatAsksForEverMoreKeys() {
    TenantSpace space = space("acme", 1);
    KeyMap map = space.map(new MapName("keys"));
    assertThatThrownBy(
            () ->
                transact(
                    space,
                    List.of(),
                    view -> {
                      for (int i = 0; i < 2 * Transactions.MOST_RUNS; i++) {
                        Outcome _ = view.execute(map, new Read(key(i)));
                      }
                      return true;
                    }))
        .hasMessageContaining("256 times");
    assertThat(Batches.run(map, Write.of(key(0), key(0)))).isInstanceOf(Outcome.Applied.class);
  }

  /** An error like out of memory: the client is answered, and others need no settler. */
  @Test
  void unlocksKeysAfterErrorOfTheMachine() {
    TenantSpace space = space("acme", 1);
    KeyMap map = space.map(new MapName("errors"));
    Transactions transactions = grid.engine(0).transactions();
    transactions.probe(
        step -> {
          if (step == Transactions.Step.LOCKED) {
            throw new StackOverflowError();
          }
        });
    long began = System.nanoTime();
    try {
      assertThatThrownBy(() -> transact(space, keys(map, 2), TransactionBoundsTest::takeTime))
          .isInstanceOf(EngineException.class);
    } finally {
      transactions.probe(step -> {});
    }
    assertThat(transact(space, keys(map, 2), TransactionBoundsTest::takeTime)).contains(true);
    assertThat(System.nanoTime() - began)
        .isLessThan(TimeUnit.MILLISECONDS.toNanos(TransactionSettler.MOST_MILLIS));
  }

  private static boolean takeTime(TransactionView view) {
    if (view.deadlineNanos() != 0) {
      throw new DeadlinePassed();
    }
    return true;
  }

  @Test
  void countsCollectionsAmongWhatTransactionWrites() {
    TenantSpace space = space("acme", 1);
    KeyMap map = space.map(new MapName("hashes"));
    byte[] value = new byte[15 << 20];
    assertThatThrownBy(
            () ->
                transact(
                    space,
                    keys(map, 5),
                    view -> {
                      for (int i = 0; i < 5; i++) {
                        Outcome _ = view.execute(map, set(key(i), value));
                      }
                      return true;
                    }))
        .hasMessageContaining("64 MiB");
    // A value that is written over before the end is not held.
    assertThat(
            transact(
                space,
                keys(map, 1),
                view -> {
                  for (int i = 0; i < 5; i++) {
                    Outcome _ = view.execute(map, set(key(0), value));
                  }
                  return true;
                }))
        .contains(true);
  }

  private static KeyCommand set(byte[] key, byte[] value) {
    return new KeyCommand.OnCollection(key, HashOperation.SET, Arguments.of(key, value), 32 << 20);
  }

  @Test
  void holdsQuotaOfEntriesAndOfValues() {
    TenantSpace space = space("few", 2);
    KeyMap map = space.map(new MapName("few"));
    assertThatThrownBy(() -> write(space, map, 5, 10)).hasMessageContaining("3 entries");
    assertThatThrownBy(() -> write(space, map, 1, 2_000)).hasMessageContaining("up to 1000");
    // Each value is within the limit, all together are not: that is no matter.
    assertThat(write(space, map, 3, 900)).contains(true);
  }

  @Test
  void holdsQuotaOfMemory() {
    TenantSpace space = space("small", 3);
    KeyMap map = space.map(new MapName("small"));
    assertThatThrownBy(() -> write(space, map, 10, 90_000)).hasMessageContaining("of memory");
    assertThatThrownBy(
            () ->
                transact(
                    space,
                    keys(map, 10),
                    view -> {
                      for (int i = 0; i < 10; i++) {
                        Outcome _ = view.execute(map, set(key(i), new byte[90_000]));
                      }
                      return true;
                    }))
        .hasMessageContaining("of memory");
    assertThat(write(space, map, 2, 50_000)).contains(true);
    // With the memory used up, what adds nothing is let through.
    for (int i = 0; i < 10; i++) {
      Outcome _ = Batches.run(map, Write.of(key(i), new byte[90_000]));
    }
    assertThatThrownBy(() -> write(space, map, 1, 90_000)).hasMessageContaining("of memory");
    assertThat(
            transact(
                space,
                keys(map, 2),
                view -> {
                  Outcome _ = view.execute(map, new KeyCommand.Remove(key(1), false));
                  return view.execute(
                      map,
                      new KeyCommand.Expire(key(0), Long.MAX_VALUE / 2, ExpireCondition.ALWAYS));
                }))
        .contains(Outcome.Applied.WITHOUT_PREVIOUS);
  }

  private static Optional<Boolean> write(TenantSpace space, KeyMap map, int count, int length) {
    return transact(
        space,
        keys(map, count),
        view -> {
          for (int i = 0; i < count; i++) {
            Outcome _ = view.execute(map, Write.of(key(i), new byte[length]));
          }
          return true;
        });
  }
}
