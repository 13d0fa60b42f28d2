package io.keyvalueserve.engine;

import io.keyvalueserve.engine.KeyMap.MoveOutcome;
import io.keyvalueserve.engine.blocking.KeyWaiting;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntConsumer;

/**
 * All that one tenant can reach: a key space already scoped, so that there is no way to name what
 * belongs to somebody else.
 *
 * <p>Thread-safe. Nothing here blocks; stages complete on any thread.
 */
public interface TenantSpace {
  /** The map a session uses until it selects another. */
  String DEFAULT_MAP = "default";

  /**
   * Returns one of the tenant's maps. Maps need no creation: a map that nobody has written to is
   * empty.
   *
   * @param name the map's name, see {@link MapName}
   */
  KeyMap map(MapName name);

  /**
   * Returns one of the tenant's maps, as another tenant uses it. Values that are written count as
   * written by that tenant. Its grants are not checked.
   */
  default KeyMap map(MapName name, Identity user) {
    return map(name);
  }

  /**
   * Another tenant's map, as far as this one has been granted it: what is not granted fails with
   * {@link Outcome.Failure.Kind#REFUSED}, now and whenever grants change. Empty if nothing is
   * granted on it now, or there is no such map or tenant: all look the same.
   */
  default Optional<KeyMap> granted(QualifiedName name) {
    return Optional.empty();
  }

  /**
   * Copies an entry, with its value and its expiry, to a key of this or another map.
   *
   * @param source a map of this space, one of another tenant's that is {@link #granted} included
   * @param target likewise
   * @param replace whether an entry under the new key is replaced
   * @throws IllegalArgumentException if one of them is of another engine
   */
  default CompletionStage<MoveOutcome> copy(
      KeyMap source, byte[] from, KeyMap target, byte[] to, boolean replace) {
    return source.copy(from, target, to, replace);
  }

  /**
   * Notes the state of keys, for {@link TransactionRequest#watches}.
   *
   * @return in the order of the keys
   */
  default CompletionStage<List<WatchedKey>> watch(List<KeyRef> keys) {
    return CompletableFuture.failedFuture(withoutTransactions());
  }

  /**
   * Runs a transaction: all or nothing, serializable, and never half seen by anyone. The outcome is
   * decided even if members die meanwhile.
   *
   * <p>The stage fails with an {@link EngineException} if the transaction could not be carried out,
   * and with what the body threw. Then nothing was changed, unless the failure's kind says that
   * this is not known.
   *
   * @return the answer of the body; empty if a watched key has changed, and nothing was done
   */
  default <T> CompletionStage<Optional<T>> transact(TransactionRequest<T> request) {
    return CompletableFuture.failedFuture(withoutTransactions());
  }

  /**
   * Waits until one of several keys has a collection of a type, first come first served over all
   * members. A key that has one already gives a turn at once.
   *
   * <p>What a turn is for, is to try to take something: another client may have been faster.
   *
   * @param turn gets the index of a key that it is the turn of; on any thread, also before this
   *     method returns
   */
  default KeyWaiting await(List<KeyRef> keys, CollectionType type, IntConsumer turn) {
    throw new EngineException(
        new Outcome.Failure(
            Outcome.Failure.Kind.UNAVAILABLE, "nobody can wait for keys of this engine"));
  }

  /**
   * Returns whether somebody is known to wait at a key. A newcomer waits behind them then, and does
   * not try first.
   */
  default boolean isAwaited(KeyRef key, CollectionType type) {
    return false;
  }

  private static EngineException withoutTransactions() {
    return new EngineException(
        new Outcome.Failure(
            Outcome.Failure.Kind.UNAVAILABLE, "this engine carries out no transactions"));
  }

  /** The names of the tenant's maps that exist, sorted. */
  CompletionStage<List<String>> maps();

  /** Empties every map of this tenant, and touches nobody else's. */
  CompletionStage<Void> clear();
}
