package io.keyvalueserve.engine;

import static io.keyvalueserve.engine.Batches.await;
import static io.keyvalueserve.engine.Batches.utf8;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.engine.KeyCommand.Read;
import io.keyvalueserve.engine.Outcome.Failure;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.grant.Grant;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import io.keyvalueserve.tenancy.grant.MapGrants;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Transactions of a tenant on keys of another. */
class GrantedSpaceTest {
  private static final TenantName ACME = new TenantName("acme");
  private static final TenantName GLOBEX = new TenantName("globex");
  private static final QualifiedName ORDERS = new QualifiedName(ACME, new MapName("orders"));

  private final List<String> locked = new ArrayList<>();
  private final GrantDirectory grants = directory();
  private int revision;

  private static GrantDirectory directory() {
    TenantDirectory tenants = new TenantDirectory(false);
    tenants.apply(tenant(ACME, 1));
    tenants.apply(tenant(GLOBEX, 2));
    return new GrantDirectory(tenants, InstantSource.system());
  }

  private static Tenant tenant(TenantName name, int number) {
    return new Tenant(
        name, number, TenantState.ACTIVE, Instant.EPOCH, List.of(), Quota.USUAL, number);
  }

  private void grant(Grant... given) {
    grants.apply(new MapGrants(ORDERS, 1, List.of(given), ++revision));
  }

  private static Grant on(String key, Rights rights) {
    return new Grant(
        "id-" + key, GLOBEX, 2, Scope.key(key), rights, Instant.EPOCH, null, "tenant:acme/key");
  }

  private TenantSpace globex() {
    MapEngine maps = new MapEngine(InstantSource.system());
    Engine engine = identity -> new Noting(maps.space(identity));
    return new GrantedEngine(engine, grants).space(new Identity(GLOBEX, 2, "key"));
  }

  /** Notes which keys are locked. */
  private final class Noting implements TenantSpace {
    private final TenantSpace space;

    Noting(TenantSpace space) {
      this.space = space;
    }

    @Override
    public KeyMap map(MapName name) {
      return space.map(name);
    }

    @Override
    public CompletionStage<List<WatchedKey>> watch(List<KeyRef> keys) {
      return space.watch(keys);
    }

    @Override
    public <T> CompletionStage<Optional<T>> transact(TransactionRequest<T> request) {
      request.keys().forEach(ref -> locked.add(new String(ref.key(), UTF_8)));
      return space.transact(request);
    }

    @Override
    public CompletionStage<List<String>> maps() {
      return space.maps();
    }

    @Override
    public CompletionStage<Void> clear() {
      return space.clear();
    }
  }

  @Test
  void locksOnlyKeysOnWhichSomethingIsGranted() {
    grant(on("read", Rights.READ), on("write", Rights.WRITE), on("lock", Rights.LOCK));
    TenantSpace space = globex();
    KeyMap orders = space.granted(ORDERS).orElseThrow();
    KeyMap own = space.map(new MapName("own"));

    Optional<Outcome> outcome =
        await(
            space.transact(
                new TransactionRequest<>(
                    List.of(
                        new KeyRef(orders, utf8("read")),
                        new KeyRef(orders, utf8("write")),
                        new KeyRef(orders, utf8("lock")),
                        new KeyRef(orders, utf8("nothing")),
                        new KeyRef(own, utf8("mine"))),
                    List.of(),
                    view -> view.execute(orders, new Read(utf8("nothing"))))));

    assertThat(locked).containsExactly("read", "write", "mine");
    assertThat(outcome)
        .hasValueSatisfying(
            refused ->
                assertThat(refused)
                    .isInstanceOfSatisfying(
                        Failure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Failure.Kind.REFUSED)));
  }

  @Test
  void refusesToWatchWhatMayNotBeRead() {
    grant(on("write", Rights.WRITE));
    TenantSpace space = globex();
    KeyRef ref = new KeyRef(space.granted(ORDERS).orElseThrow(), utf8("write"));

    assertThatThrownBy(() -> await(space.watch(List.of(ref)))).hasMessageContaining("grant");
  }

  @Test
  void tellsNothingOfWatchedKeyWhoseGrantHasEnded() {
    grant(on("read", Rights.READ));
    TenantSpace space = globex();
    KeyRef ref = new KeyRef(space.granted(ORDERS).orElseThrow(), utf8("read"));
    List<WatchedKey> watches = await(space.watch(List.of(ref)));
    grant(on("read", Rights.WRITE));

    assertThatThrownBy(
            () -> await(space.transact(new TransactionRequest<>(List.of(), watches, view -> true))))
        .hasMessageContaining("grant");
    assertThat(locked).isEmpty();
  }
}
