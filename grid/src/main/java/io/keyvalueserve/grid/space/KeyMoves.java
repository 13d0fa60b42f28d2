package io.keyvalueserve.grid.space;

import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap.MoveOutcome;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TransactionBody;
import io.keyvalueserve.engine.TransactionRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Actions on several keys at once, each a transaction: all or nothing, also for readers, and even
 * if a member dies meanwhile. Values travel as they are stored, so a value of any type keeps it.
 */
final class KeyMoves {
  private final HazelcastEngine engine;
  private final HazelcastKeyMap source;

  KeyMoves(HazelcastEngine engine, HazelcastKeyMap source) {
    this.engine = engine;
    this.source = source;
  }

  CompletionStage<Boolean> insertAll(List<KeyCommand.Write> entries) {
    List<KeyRef> keys = entries.stream().map(entry -> new KeyRef(source, entry.key())).toList();
    return run(
        keys,
        view -> {
          for (KeyCommand.Write entry : entries) {
            KeyCommand.Probe probe = new KeyCommand.Probe(entry.key(), false);
            if (view.execute(source, probe) != Outcome.Missing.MISSING) {
              return false;
            }
          }
          for (KeyCommand.Write entry : entries) {
            require(view.execute(source, KeyCommand.Write.of(entry.key(), entry.value())));
          }
          return true;
        });
  }

  /** Writes all entries, whatever was there before. */
  CompletionStage<List<Outcome>> writeAll(List<KeyCommand> entries) {
    List<KeyRef> keys = new ArrayList<>(entries.size());
    entries.forEach(entry -> keys.add(new KeyRef(source, entry.key())));
    return run(
        keys,
        view -> {
          List<Outcome> outcomes = new ArrayList<>(entries.size());
          entries.forEach(entry -> outcomes.add(view.execute(source, entry)));
          return outcomes;
        });
  }

  CompletionStage<MoveOutcome> rename(byte[] from, byte[] to, boolean onlyIfAbsent) {
    return run(
        List.of(new KeyRef(source, from), new KeyRef(source, to)),
        view -> {
          MoveOutcome outcome = view.copy(source, from, source, to, !onlyIfAbsent);
          if (outcome == MoveOutcome.DONE && !Arrays.equals(from, to)) {
            require(view.execute(source, new KeyCommand.Remove(from, false)));
          }
          return outcome;
        });
  }

  CompletionStage<MoveOutcome> copy(
      byte[] from, HazelcastKeyMap target, byte[] to, boolean replace) {
    return run(
        List.of(new KeyRef(source, from), new KeyRef(target, to)),
        view -> view.copy(source, from, target, to, replace));
  }

  private <T> CompletionStage<T> run(List<KeyRef> keys, TransactionBody<T> body) {
    return engine
        .transact(new TransactionRequest<>(keys, List.of(), body))
        .thenApply(Optional::orElseThrow);
  }

  private static void require(Outcome outcome) {
    if (outcome instanceof Outcome.Failure failure) {
      throw new EngineException(failure);
    }
  }
}
