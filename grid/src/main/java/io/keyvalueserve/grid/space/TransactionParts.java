package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.grid.space.TransactionApply.Mode;
import io.keyvalueserve.grid.space.TransactionDecision.Part;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Has the partitions do their parts of transactions, all at a time. Thread-safe. */
final class TransactionParts {
  private final Partitions partitions;

  TransactionParts(Partitions partitions) {
    this.partitions = partitions;
  }

  /**
   * Carries the parts out, and leaves the keys locked.
   *
   * @param decidedMillis when that was decided, in milliseconds since 1970
   */
  CompletableFuture<Void> apply(
      TransactionId id, Collection<Part> parts, Mode mode, long decidedMillis) {
    List<CompletableFuture<?>> answers = new ArrayList<>(parts.size());
    for (Part part : parts) {
      answers.add(
          ask(
              part.group(),
              new TransactionApply(part.group().map(), id, part.tenant(), part.changes(), List.of())
                  .mode(mode)
                  .decided(decidedMillis)));
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
  }

  /** Unlocks keys. */
  CompletableFuture<Void> unlock(TransactionId id, Map<KeyGroup, List<Data>> keys) {
    List<CompletableFuture<?>> answers = new ArrayList<>(keys.size());
    keys.forEach((group, locked) -> answers.add(ask(id, group, 0, List.of(), locked, Mode.LOCKED)));
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
  }

  /** Returns the keys of parts. */
  static Map<KeyGroup, List<Data>> keys(Collection<Part> parts) {
    Map<KeyGroup, List<Data>> keys = new java.util.TreeMap<>();
    for (Part part : parts) {
      keys.put(part.group(), part.changes().stream().map(KeyChange::key).toList());
    }
    return keys;
  }

  /** Carries one part out and unlocks keys there. The answer is for {@link TransactionApply}. */
  CompletableFuture<Object> ask(
      TransactionId id,
      KeyGroup group,
      int tenant,
      List<KeyChange> changes,
      List<Data> unlocked,
      Mode mode) {
    return ask(group, new TransactionApply(group.map(), id, tenant, changes, unlocked).mode(mode));
  }

  private CompletableFuture<Object> ask(KeyGroup group, TransactionApply operation) {
    try {
      return partitions.ask(operation, group.partition());
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
