package io.keyvalueserve.engine;

import io.keyvalueserve.engine.KeyMap.MoveOutcome;
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
    if (source instanceof GrantedKeyMap granted && !granted.allows(Rights.READ, from)) {
      return CompletableFuture.failedFuture(granted.refused(Rights.READ, from));
    }
    if (target instanceof GrantedKeyMap granted && !granted.allows(Rights.WRITE, to)) {
      return CompletableFuture.failedFuture(granted.refused(Rights.WRITE, to));
    }
    return own.copy(behind(source), from, behind(target), to, replace);
  }

  private static KeyMap behind(KeyMap map) {
    return map instanceof GrantedKeyMap granted ? granted.map() : map;
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
