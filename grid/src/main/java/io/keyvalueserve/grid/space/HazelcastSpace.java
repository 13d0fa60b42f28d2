package io.keyvalueserve.grid.space;

import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

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
  public CompletionStage<List<String>> maps() {
    try {
      return CompletableFuture.completedFuture(
          names().stream().map(name -> name.map().value()).sorted().toList());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(Failures.exception(e));
    }
  }

  @Override
  public CompletionStage<Void> clear() {
    return engine
        .patiently(
            () -> {
              names().forEach(name -> engine.map(name.toString()).clear());
              return true;
            })
        .thenAccept(done -> {});
  }

  private List<QualifiedName> names() {
    return engine.mapNames().stream()
        .map(QualifiedName::parse)
        .flatMap(Optional::stream)
        .filter(name -> name.tenant().equals(identity.tenant()))
        .toList();
  }
}
