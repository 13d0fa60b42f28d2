package io.keyvalueserve.grid.space;

import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The maps under one tenant's prefix. */
final class HazelcastSpace implements TenantSpace {
  private final HazelcastEngine engine;
  private final TenantName tenant;
  private final Executor endOfTurn;

  HazelcastSpace(HazelcastEngine engine, TenantName tenant, Executor endOfTurn) {
    this.engine = engine;
    this.tenant = tenant;
    this.endOfTurn = endOfTurn;
  }

  @Override
  public KeyMap map(MapName name) {
    return new HazelcastKeyMap(engine, new QualifiedName(tenant, name), endOfTurn);
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
        .filter(name -> name.tenant().equals(tenant))
        .toList();
  }
}
