package io.keyvalueserve.engine;

import io.keyvalueserve.engine.KeyMap.MoveOutcome;
import io.keyvalueserve.engine.blocking.KeyWaiting;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import io.keyvalueserve.tenancy.grant.MapAccess;
import io.keyvalueserve.tenancy.grant.Rights;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A tenant's own maps, and of others' those that it has been granted. */
final class GrantedSpace implements TenantSpace {
  private final Engine engine;
  private final Identity identity;
  private final GrantDirectory grants;
  private final Executor endOfTurn;
  private final TenantSpace own;

  GrantedSpace(Engine engine, Identity identity, GrantDirectory grants, Executor endOfTurn) {
    this.engine = engine;
    this.identity = identity;
    this.grants = grants;
    this.endOfTurn = endOfTurn;
    this.own = engine.space(identity, endOfTurn);
  }

  @Override
  public KeyMap map(MapName name) {
    return own.map(name);
  }

  @Override
  public Optional<KeyMap> granted(QualifiedName name) {
    MapAccess access = grants.access(identity, name);
    return access == null
        ? Optional.empty()
        : Optional.of(
            new GrantedKeyMap(
                engine.space(access.owner(), endOfTurn).map(name.map(), identity), access));
  }

  @Override
  public CompletionStage<MoveOutcome> copy(
      KeyMap source, byte[] from, KeyMap target, byte[] to, boolean replace) {
    EngineException refusal = refusalOfCopy(source, from, target, to);
    return refusal == null
        ? own.copy(behind(source), from, behind(target), to, replace)
        : CompletableFuture.failedFuture(refusal);
  }

  private static @Nullable EngineException refusalOfCopy(
      KeyMap source, byte[] from, KeyMap target, byte[] to) {
    if (source instanceof GrantedKeyMap granted && !granted.allows(Rights.READ, from)) {
      return granted.refused(Rights.READ, from);
    }
    if (target instanceof GrantedKeyMap granted && !granted.allows(Rights.WRITE, to)) {
      return granted.refused(Rights.WRITE, to);
    }
    return null;
  }

  private static KeyMap behind(KeyMap map) {
    return map instanceof GrantedKeyMap granted ? granted.map() : map;
  }

  @Override
  public CompletionStage<List<WatchedKey>> watch(List<KeyRef> keys) {
    EngineException refusal = refusalOfWatches(keys);
    if (refusal != null) {
      return CompletableFuture.failedFuture(refusal);
    }
    return own.watch(keys.stream().map(GrantedSpace::behind).toList())
        .thenApply(
            marks ->
                IntStream.range(0, marks.size())
                    .mapToObj(i -> new WatchedKey(keys.get(i), marks.get(i).mark()))
                    .toList());
  }

  /** A client that learns that a key has changed has read it. */
  private static @Nullable EngineException refusalOfWatches(List<KeyRef> keys) {
    for (KeyRef ref : keys) {
      if (ref.map() instanceof GrantedKeyMap granted && !granted.allows(Rights.READ, ref.key())) {
        return granted.refused(Rights.READ, ref.key());
      }
    }
    return null;
  }

  /**
   * Grants are asked for each command of the body, when it is carried out. A key on which nothing
   * is granted is not locked, because that would hold up its owner; the body's commands on it are
   * refused. Keys that were watched need the right to be read still.
   */
  @Override
  public <T> CompletionStage<Optional<T>> transact(TransactionRequest<T> request) {
    EngineException refusal =
        refusalOfWatches(request.watches().stream().map(WatchedKey::ref).toList());
    if (refusal != null) {
      return CompletableFuture.failedFuture(refusal);
    }
    return own.transact(
        new TransactionRequest<>(
            request.keys().stream()
                .filter(GrantedSpace::mayLock)
                .map(GrantedSpace::behind)
                .toList(),
            request.watches().stream()
                .map(watched -> new WatchedKey(behind(watched.ref()), watched.mark()))
                .toList(),
            view -> request.body().run(new GrantedView(view)),
            request.origin()));
  }

  /** Asks for a right of some kind; what is taken needs its own when it is taken. */
  @Override
  public KeyWaiting await(List<KeyRef> keys, CollectionType type, IntConsumer turn) {
    for (KeyRef ref : keys) {
      if (ref.map() instanceof GrantedKeyMap granted && !mayLock(ref)) {
        throw granted.refused(Rights.WRITE, ref.key());
      }
    }
    return own.await(keys.stream().map(GrantedSpace::behind).toList(), type, turn);
  }

  @Override
  public boolean isAwaited(KeyRef key, CollectionType type) {
    return own.isAwaited(behind(key), type);
  }

  private static boolean mayLock(KeyRef ref) {
    return !(ref.map() instanceof GrantedKeyMap granted)
        || granted.allows(Rights.READ, ref.key())
        || granted.allows(Rights.WRITE, ref.key());
  }

  private static KeyRef behind(KeyRef ref) {
    return new KeyRef(behind(ref.map()), ref.key());
  }

  /** Refuses commands that are not granted. */
  private record GrantedView(TransactionView view) implements TransactionView {
    @Override
    public Outcome execute(KeyMap map, KeyCommand command) {
      Outcome.Failure refusal = map.refusal(command);
      return refusal == null ? view.execute(behind(map), command) : refusal;
    }

    @Override
    public MoveOutcome copy(KeyMap source, byte[] from, KeyMap target, byte[] to, boolean replace) {
      EngineException refusal = refusalOfCopy(source, from, target, to);
      if (refusal != null) {
        throw refusal;
      }
      return view.copy(behind(source), from, behind(target), to, replace);
    }

    @Override
    public void need(KeyMap map, List<byte[]> keys) {
      view.need(behind(map), keys);
    }

    @Override
    public Change lastChange() {
      return view.lastChange();
    }

    @Override
    public long nowMillis() {
      return view.nowMillis();
    }

    @Override
    public long deadlineNanos() {
      return view.deadlineNanos();
    }
  }

  @Override
  public CompletionStage<List<String>> maps() {
    return own.maps();
  }

  @Override
  public CompletionStage<Void> clear() {
    return own.clear();
  }
}
