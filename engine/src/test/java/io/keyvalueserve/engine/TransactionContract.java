package io.keyvalueserve.engine;

import static io.keyvalueserve.engine.Batches.await;
import static io.keyvalueserve.engine.Batches.utf8;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.engine.KeyCommand.Increment;
import io.keyvalueserve.engine.KeyCommand.Read;
import io.keyvalueserve.engine.KeyCommand.Remove;
import io.keyvalueserve.engine.KeyCommand.Write;
import io.keyvalueserve.engine.KeyMap.MoveOutcome;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of what every {@link Engine} with transactions does: a subclass names the engine. Each test
 * works on maps of its own.
 */
public abstract class TransactionContract {
  private static final AtomicInteger NAMES = new AtomicInteger();

  private TenantSpace space;
  private KeyMap map;
  private KeyMap other;

  /** The engine. */
  protected abstract Engine engine();

  @BeforeEach
  void open() {
    space = engine().space(new Identity(new TenantName("acme"), 1, "key"));
    int number = NAMES.incrementAndGet();
    map = space.map(new MapName("t" + number));
    other = space.map(new MapName("u" + number));
  }

  @Test
  void changesSeveralKeysOfSeveralMaps() {
    Optional<Long> sum =
        transact(
            view -> {
              set(view, map, "a", "1");
              set(view, other, "a", "2");
              return ((Outcome.IntegerResult) view.execute(map, new Increment(utf8("a"), 41)))
                  .value();
            });

    assertThat(sum).contains(42L);
    assertThat(get(map, "a")).isEqualTo("42");
    assertThat(get(other, "a")).isEqualTo("2");
  }

  @Test
  void leavesNothingOfBodyThatThrows() {
    transact(view -> set(view, map, "a", "before"));

    assertThatThrownBy(
            () ->
                transact(
                    view -> {
                      set(view, map, "a", "after");
                      set(view, other, "b", "new");
                      Outcome _ = view.execute(map, new Remove(utf8("c"), false));
                      throw new IllegalStateException("no");
                    }))
        .hasStackTraceContaining("no");

    assertThat(get(map, "a")).isEqualTo("before");
    assertThat(get(other, "b")).isNull();
  }

  @Test
  void doesNothingIfWatchedKeyChanged() {
    transact(view -> set(view, map, "a", "1"));
    List<WatchedKey> watches = await(space.watch(List.of(new KeyRef(map, utf8("a")))));
    transact(view -> set(view, map, "a", "2"));

    assertThat(transact(watches, view -> set(view, map, "b", "never"))).isEmpty();
    assertThat(get(map, "b")).isNull();
  }

  @Test
  void goesOnIfWatchedKeysAreAsTheyWere() {
    transact(view -> set(view, map, "a", "1"));
    List<WatchedKey> watches =
        await(space.watch(List.of(new KeyRef(map, utf8("a")), new KeyRef(map, utf8("absent")))));
    transact(view -> set(view, map, "c", "2"));

    assertThat(transact(watches, view -> set(view, map, "b", "done"))).isPresent();
    assertThat(get(map, "b")).isEqualTo("done");
  }

  @Test
  void seesItsOwnChangesAndRemovals() {
    transact(view -> set(view, map, "a", "1"));

    Optional<Outcome> read =
        transact(
            view -> {
              Outcome _ = view.execute(map, new Remove(utf8("a"), false));
              return view.execute(map, new Read(utf8("a")));
            });

    assertThat(read).contains(Outcome.Missing.MISSING);
    assertThat(get(map, "a")).isNull();
  }

  @Test
  void copiesAndMoves() {
    transact(view -> set(view, map, "from", "value"));

    Optional<MoveOutcome> moved =
        transact(
            view -> {
              MoveOutcome outcome = view.copy(map, utf8("from"), other, utf8("to"), false);
              Outcome _ = view.execute(map, new Remove(utf8("from"), false));
              return outcome;
            });

    assertThat(moved).contains(MoveOutcome.DONE);
    assertThat(get(map, "from")).isNull();
    assertThat(get(other, "to")).isEqualTo("value");
  }

  private <T> Optional<T> transact(TransactionBody<T> body) {
    return transact(List.of(), body);
  }

  private <T> Optional<T> transact(List<WatchedKey> watches, TransactionBody<T> body) {
    return await(space.transact(new TransactionRequest<>(List.of(), watches, body)));
  }

  private static Outcome set(TransactionView view, KeyMap map, String key, String value) {
    return view.execute(map, Write.of(utf8(key), utf8(value)));
  }

  private static @Nullable String get(KeyMap map, String key) {
    return Batches.run(map, new Read(utf8(key))) instanceof Outcome.Entry entry
        ? new String(entry.value(), UTF_8)
        : null;
  }
}
