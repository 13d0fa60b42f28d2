package io.keyvalueserve.grid.space;

import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.WatchedKey;
import io.keyvalueserve.engine.blocking.KeyWaiting;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.grid.blocking.KeyWaits.LocalJoin;
import io.keyvalueserve.grid.blocking.KeyWaits.Wanted;
import io.keyvalueserve.maps.CollectionData;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.IntConsumer;

/** The maps under one tenant's prefix. */
final class HazelcastSpace implements TenantSpace {
  private final HazelcastEngine engine;
  private final Identity identity;
  private final Executor endOfTurn;

  HazelcastSpace(HazelcastEngine engine, Identity identity, Executor endOfTurn) {
    this.engine = engine;
    this.identity = identity;
    this.endOfTurn = endOfTurn;
  }

  @Override
  public KeyMap map(MapName name) {
    return map(name, identity);
  }

  @Override
  public KeyMap map(MapName name, Identity user) {
    return new HazelcastKeyMap(
        engine, new QualifiedName(identity.tenant(), name), user.number(), endOfTurn);
  }

  @Override
  public CompletionStage<List<WatchedKey>> watch(List<KeyRef> keys) {
    return engine.patiently(() -> engine.transactions().watch(keys));
  }

  @Override
  public <T> CompletionStage<Optional<T>> transact(TransactionRequest<T> request) {
    return engine.transact(request);
  }

  @Override
  public KeyWaiting await(List<KeyRef> keys, CollectionType type, IntConsumer turn) {
    return engine
        .waits()
        .await(
            identity.number(),
            keys.stream().map(this::wanted).toList(),
            CollectionData.typeId(type),
            turn);
  }

  @Override
  public boolean isAwaited(KeyRef ref, CollectionType type) {
    return engine
        .waits()
        .isAwaited(gridName(ref), KeyData.ofKey(ref.key()), CollectionData.typeId(type));
  }

  private Wanted wanted(KeyRef ref) {
    LocalJoin local = ref.map().direct() instanceof DirectKeyMap direct ? direct : LocalJoin.NEVER;
    return new Wanted(gridName(ref), KeyData.ofKey(ref.key()), local);
  }

  private String gridName(KeyRef ref) {
    return HazelcastKeyMap.of(ref.map(), engine).gridName();
  }

  @Override
  public CompletionStage<List<String>> maps() {
    if (engine.mayExist(anyMap())) {
      return engine.patiently(this::namesAwake);
    }
    try {
      return CompletableFuture.completedFuture(namesAwake());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(Failures.exception(e));
    }
  }

  @Override
  public CompletionStage<Void> clear() {
    return engine
        .patiently(
            () -> {
              engine.awaitKnown(anyMap());
              names().forEach(name -> engine.map(name.toString()).clear());
              return true;
            })
        .thenAccept(done -> {});
  }

  private List<String> namesAwake() {
    engine.awaitKnown(anyMap());
    return names().stream().map(name -> name.map().value()).sorted().toList();
  }

  /** Returns the beginning of the names of the tenant's maps, which is no map's name. */
  private String anyMap() {
    return identity.tenant().value() + '/';
  }

  private List<QualifiedName> names() {
    return engine.mapNames().stream()
        .map(QualifiedName::parse)
        .flatMap(Optional::stream)
        .filter(name -> name.tenant().equals(identity.tenant()))
        .toList();
  }
}
