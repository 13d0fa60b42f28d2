package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap.MoveOutcome;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.grid.space.KeyLocks.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Actions on several keys at once, under locks on all of them. Values travel as they are stored, so
 * that a value of any type keeps it. Blocks: for virtual threads only.
 *
 * <p>Should a member die in the middle, what was written stays written: a rename has then copied
 * but not removed, an insertion inserted some. Nothing is lost; the caller learns of a failure.
 */
final class KeyMoves {
  private final HazelcastEngine engine;
  private final HazelcastKeyMap source;

  KeyMoves(HazelcastEngine engine, HazelcastKeyMap source) {
    this.engine = engine;
    this.source = source;
  }

  boolean insertAll(List<KeyCommand.Write> entries) throws InterruptedException {
    List<Place> places = entries.stream().map(entry -> place(source, entry.key())).toList();
    try (KeyLocks locks = KeyLocks.take(places, engine.lockPatienceMillis())) {
      List<KeyCommand> probes = new ArrayList<>(entries.size());
      List<KeyCommand> writes = new ArrayList<>(entries.size());
      for (KeyCommand.Write entry : entries) {
        probes.add(new KeyCommand.Probe(entry.key(), false));
        writes.add(KeyCommand.Write.of(entry.key(), entry.value()));
      }
      for (Outcome outcome : run(source, probes, locks)) {
        if (outcome != Outcome.Missing.MISSING) {
          return false;
        }
      }
      requireAllOrNone(outcomes(source, writes, locks));
      return true;
    }
  }

  MoveOutcome rename(byte[] from, byte[] to, boolean onlyIfAbsent) throws InterruptedException {
    List<Place> places = List.of(place(source, from), place(source, to));
    try (KeyLocks locks = KeyLocks.take(places, engine.lockPatienceMillis())) {
      MoveOutcome outcome = carry(from, source, to, !onlyIfAbsent, locks);
      if (outcome == MoveOutcome.DONE && !Arrays.equals(from, to)) {
        remove(from, locks);
      }
      return outcome;
    }
  }

  private void remove(byte[] from, KeyLocks locks) {
    try {
      List<Outcome> _ = run(source, List.of(new KeyCommand.Remove(from, false)), locks);
    } catch (EngineException e) {
      throw e.failure().kind() == Kind.NOT_LOGGED
          ? new EngineException(
              Failures.inDoubt(
                  "a disk has failed: the key was copied, but not removed; read both keys again"))
          : e;
    }
  }

  /** Some written and some not, as a disk has failed in between, is neither done nor not done. */
  private static void requireAllOrNone(List<Outcome> outcomes) {
    Outcome.Failure first = null;
    for (Outcome outcome : outcomes) {
      if (first == null && outcome instanceof Outcome.Failure failure) {
        first = failure;
      }
    }
    if (first == null) {
      return;
    }
    boolean someWritten = outcomes.stream().anyMatch(each -> !(each instanceof Outcome.Failure));
    throw new EngineException(
        first.kind() == Kind.NOT_LOGGED && someWritten
            ? Failures.inDoubt(
                "a disk has failed: some of the keys were written, others were not; read them"
                    + " again")
            : first);
  }

  MoveOutcome copy(byte[] from, HazelcastKeyMap target, byte[] to, boolean replace)
      throws InterruptedException {
    List<Place> places = List.of(place(source, from), place(target, to));
    try (KeyLocks locks = KeyLocks.take(places, engine.lockPatienceMillis())) {
      return carry(from, target, to, replace, locks);
    }
  }

  private MoveOutcome carry(
      byte[] from, HazelcastKeyMap target, byte[] to, boolean replace, KeyLocks locks) {
    EntryState state = read(from);
    if (state == null) {
      return MoveOutcome.NO_SUCH_KEY;
    }
    if (!replace && exists(target, to, locks)) {
      return MoveOutcome.TARGET_EXISTS;
    }
    boolean ontoItself = target.gridName().equals(source.gridName()) && Arrays.equals(from, to);
    if (!ontoItself) {
      write(target, to, state, locks);
    }
    return MoveOutcome.DONE;
  }

  private @Nullable EntryState read(byte[] key) {
    Data data = KeyData.ofKey(key);
    CompletableFuture<@Nullable EntryState> answer =
        engine
            .partitions()
            .ask(new EntryRead(source.gridName(), data), engine.partitions().of(data));
    return answer.join();
  }

  private boolean exists(HazelcastKeyMap map, byte[] key, KeyLocks locks) {
    return run(map, List.of(new KeyCommand.Probe(key, false)), locks).getFirst()
        != Outcome.Missing.MISSING;
  }

  private void write(HazelcastKeyMap map, byte[] key, EntryState state, KeyLocks locks) {
    Data data = KeyData.ofKey(key);
    EntryPlace operation = new EntryPlace(map.gridName(), map.tenant(), data, state, locks.owner());
    operation.setWaitTimeout(engine.lockPatienceMillis());
    CompletableFuture<Boolean> answer =
        engine.partitions().ask(operation, engine.partitions().of(data));
    answer.join();
  }

  /** Carries commands out under the locks and waits for the outcomes; any failure is thrown. */
  private static List<Outcome> run(HazelcastKeyMap map, List<KeyCommand> commands, KeyLocks locks) {
    List<Outcome> all = outcomes(map, commands, locks);
    for (Outcome outcome : all) {
      if (outcome instanceof Outcome.Failure failure) {
        throw new EngineException(failure);
      }
    }
    return all;
  }

  private static List<Outcome> outcomes(
      HazelcastKeyMap map, List<KeyCommand> commands, KeyLocks locks) {
    AtomicReferenceArray<Outcome> outcomes = new AtomicReferenceArray<>(commands.size());
    CountDownLatch missing = new CountDownLatch(commands.size());
    map.send(
        commands,
        locks.owner(),
        (index, outcome) -> {
          outcomes.set(index, outcome);
          missing.countDown();
        });
    try {
      missing.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for outcomes", e);
    }
    List<Outcome> all = new ArrayList<>(commands.size());
    for (int i = 0; i < commands.size(); i++) {
      all.add(outcomes.get(i));
    }
    return all;
  }

  private Place place(HazelcastKeyMap map, byte[] key) {
    if (!engine.exists(map.gridName())) {
      engine.create(map.gridName());
    }
    return new Place(engine.map(map.gridName()), KeyData.ofKey(key));
  }
}
