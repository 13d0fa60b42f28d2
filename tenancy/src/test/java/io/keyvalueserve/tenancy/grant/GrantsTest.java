package io.keyvalueserve.tenancy.grant;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.CatalogueException.Kind;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.InvalidNameException;
import io.keyvalueserve.tenancy.MapCatalogueStore;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.MapStore;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GrantsTest {
  private static final TenantName ACME = new TenantName("acme");
  private static final TenantName GLOBEX = new TenantName("globex");
  private static final TenantName INITECH = new TenantName("initech");
  private static final QualifiedName ORDERS = new QualifiedName(ACME, new MapName("orders"));

  private final Wound clock = new Wound();
  private final MapCatalogueStore tenants = new MapCatalogueStore();
  private final Catalogue catalogue = new Catalogue(tenants, clock);
  private final GrantStoreOnMap store = new GrantStoreOnMap();
  private final TenantDirectory directory = new TenantDirectory(false);
  private final GrantDirectory granted = new GrantDirectory(directory, clock);
  private final Grants grants = new Grants(store, catalogue, granted, clock);

  private static final class GrantStoreOnMap extends MapStore<QualifiedName, MapGrants>
      implements GrantStore {
    GrantStoreOnMap() {
      super(MapGrants::map);
    }
  }

  /** A clock that a test turns. */
  private static final class Wound extends Clock {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    void advance(Duration duration) {
      now = now.plus(duration);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @BeforeEach
  void threeTenants() {
    tenants.subscribe(directory::apply);
    store.subscribe(granted::apply);
    catalogue.create(ACME);
    catalogue.create(GLOBEX);
    catalogue.create(INITECH);
  }

  private Identity session(TenantName tenant) {
    return new Identity(tenant, catalogue.get(tenant).number(), "key");
  }

  private Grant give(TenantName to, Scope scope, Rights rights) {
    return grants.grant(ORDERS, to, scope, rights, null, "operator");
  }

  private static boolean allows(@Nullable MapAccess access, Rights rights, String key) {
    byte[] bytes = key.getBytes(UTF_8);
    return Objects.requireNonNull(access).allows(rights, bytes, 0, bytes.length);
  }

  @Test
  void allowWhatIsGrantedAndNothingElse() {
    assertThat(granted.access(session(GLOBEX), ORDERS)).isNull();
    give(GLOBEX, Scope.prefix("eu:"), Rights.READ);
    give(GLOBEX, Scope.key("eu:1"), Rights.WRITE);
    MapAccess access = granted.access(session(GLOBEX), ORDERS);
    assertThat(allows(access, Rights.READ, "eu:7")).isTrue();
    assertThat(allows(access, Rights.WRITE, "eu:7")).isFalse();
    assertThat(allows(access, Rights.READ_WRITE, "eu:1")).isTrue();
    assertThat(allows(access, Rights.READ, "us:1")).isFalse();
    assertThat(allows(access, Rights.LOCK, "eu:1")).isFalse();
    assertThat(Objects.requireNonNull(access).allowsAll(Rights.READ)).isFalse();
    assertThat(granted.access(session(INITECH), ORDERS)).isNull();
    assertThat(granted.access(session(ACME), ORDERS)).isNull();
    assertThat(granted.grantedTo(session(GLOBEX))).containsExactly(ORDERS);
    assertThat(granted.grantedTo(session(INITECH))).isEmpty();
  }

  @Test
  void whoeverHoldsAnAccessSeesChangesAtOnce() {
    Grant grant = give(GLOBEX, Scope.MAP, Rights.READ);
    MapAccess access = granted.access(session(GLOBEX), ORDERS);
    assertThat(allows(access, Rights.READ, "k")).isTrue();
    give(GLOBEX, Scope.MAP, Rights.READ_WRITE);
    assertThat(allows(access, Rights.WRITE, "k")).isTrue();
    grants.revoke(ORDERS, grant.id());
    assertThat(allows(access, Rights.READ, "k")).isFalse();
    assertThat(granted.access(session(GLOBEX), ORDERS)).isNull();
    give(GLOBEX, Scope.key("k"), Rights.READ);
    assertThat(allows(access, Rights.READ, "k")).isTrue();
  }

  @Test
  void aGrantEndsAtItsTimeWithoutAnybodyDoingAnything() {
    Instant end = clock.instant().plusSeconds(10);
    grants.grant(ORDERS, GLOBEX, Scope.MAP, Rights.READ, end, "operator");
    give(GLOBEX, Scope.key("k"), Rights.READ);
    MapAccess access = granted.access(session(GLOBEX), ORDERS);
    clock.advance(Duration.ofMillis(9_999));
    assertThat(allows(access, Rights.READ, "other")).isTrue();
    clock.advance(Duration.ofMillis(1));
    assertThat(allows(access, Rights.READ, "other")).isFalse();
    assertThat(allows(access, Rights.READ, "k")).isTrue();
    assertThat(grants.list(ORDERS)).hasSize(1);
  }

  @Test
  void aGrantToTheSameTenantOnTheSameScopeReplacesTheOneBefore() {
    Grant first = give(GLOBEX, Scope.key("k"), Rights.READ_WRITE);
    Grant second = give(GLOBEX, Scope.key("k"), Rights.LOCK);
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(grants.list(ORDERS)).containsExactly(second);
    MapAccess access = granted.access(session(GLOBEX), ORDERS);
    assertThat(allows(access, Rights.READ, "k")).isFalse();
    assertThat(allows(access, Rights.LOCK, "k")).isTrue();
  }

  @Test
  void idsAreNeverGivenTwice() {
    Grant first = give(GLOBEX, Scope.key("a"), Rights.READ);
    grants.revoke(ORDERS, first.id());
    Grant second = give(GLOBEX, Scope.key("a"), Rights.READ);
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThatThrownBy(() -> grants.revoke(ORDERS, first.id()))
        .isInstanceOf(CatalogueException.class)
        .hasMessageContaining("kvs grant list acme/orders");
  }

  @Test
  void nothingIsInheritedByALaterTenantOfTheSameName() {
    give(GLOBEX, Scope.MAP, Rights.ALL);
    catalogue.beginDelete(GLOBEX);
    catalogue.finishDelete(GLOBEX);
    catalogue.create(GLOBEX);
    assertThat(granted.access(session(GLOBEX), ORDERS)).isNull();
    assertThat(grants.list(ORDERS)).isEmpty();

    give(GLOBEX, Scope.MAP, Rights.ALL);
    MapAccess access = granted.access(session(GLOBEX), ORDERS);
    catalogue.beginDelete(ACME);
    assertThat(allows(access, Rights.READ, "k")).isFalse();
    catalogue.finishDelete(ACME);
    catalogue.create(ACME);
    assertThat(granted.access(session(GLOBEX), ORDERS)).isNull();
    assertThat(allows(access, Rights.READ, "k")).isFalse();
    assertThat(grants.givenBy(ACME)).isEmpty();
    assertThat(grants.givenTo(GLOBEX)).isEmpty();
    give(GLOBEX, Scope.MAP, Rights.READ);
    assertThat(allows(granted.access(session(GLOBEX), ORDERS), Rights.READ, "k")).isTrue();
    assertThat(allows(access, Rights.READ, "k")).isFalse();
  }

  @Test
  void grantsRestWhileTheirOwnerIsSuspended() {
    give(GLOBEX, Scope.MAP, Rights.READ);
    MapAccess access = granted.access(session(GLOBEX), ORDERS);
    catalogue.suspend(ACME);
    assertThat(allows(access, Rights.READ, "k")).isFalse();
    catalogue.resume(ACME);
    assertThat(allows(access, Rights.READ, "k")).isTrue();
  }

  @Test
  void wrongGrantsAreRefusedAndSayWhy() {
    assertThatThrownBy(() -> give(ACME, Scope.MAP, Rights.READ))
        .isInstanceOf(CatalogueException.class)
        .hasMessageContaining("tenant's own");
    assertThatThrownBy(() -> give(new TenantName("nobody"), Scope.MAP, Rights.READ))
        .hasMessageContaining("'nobody' does not exist");
    assertThatThrownBy(() -> give(GLOBEX, Scope.MAP, Rights.NONE))
        .hasMessageContaining("no rights");
    assertThatThrownBy(
            () -> grants.grant(ORDERS, GLOBEX, Scope.MAP, Rights.READ, clock.instant(), "operator"))
        .hasMessageContaining("choose a later time");
    assertThatThrownBy(() -> Rights.parse("read,fly")).isInstanceOf(InvalidNameException.class);
    assertThatThrownBy(() -> Rights.parse("")).isInstanceOf(InvalidNameException.class);
    assertThatThrownBy(() -> Scope.prefix("")).hasMessageContaining("whole map");
    assertThatThrownBy(() -> Scope.key("\ud800")).hasMessageContaining("Unicode");
    assertThat(Rights.parse("WRITE, read")).isEqualTo(Rights.READ_WRITE);
    assertThat(Rights.parse("all").text()).isEqualTo("read,write,lock,admin");
  }

  @Test
  void anEndBeyondAllTimeIsRefusedAndHarmsNobody() {
    assertThatThrownBy(
            () -> grants.grant(ORDERS, GLOBEX, Scope.MAP, Rights.READ, Instant.MAX, "operator"))
        .hasMessageContaining("36525 days");
    granted.apply(
        new MapGrants(
            ORDERS,
            catalogue.get(ACME).number(),
            List.of(
                new Grant(
                    "1",
                    GLOBEX,
                    catalogue.get(GLOBEX).number(),
                    Scope.MAP,
                    Rights.READ,
                    Instant.EPOCH,
                    Instant.MAX,
                    "operator")),
            1));
    MapAccess access = granted.access(session(GLOBEX), ORDERS);
    assertThat(allows(access, Rights.READ, "k")).isTrue();
    catalogue.suspend(ACME);
    assertThat(allows(access, Rights.READ, "k")).isFalse();
  }

  @Test
  void aGrantEndsAtAWholeSecond() {
    Instant end = clock.instant().plusMillis(1_500);
    Grant grant = grants.grant(ORDERS, GLOBEX, Scope.MAP, Rights.READ, end, "operator");
    assertThat(grant.expiresAt()).isEqualTo(clock.instant().plusSeconds(2));
  }

  @Test
  void aVersionChangesWithWhatIsAllowedAndWithNothingElse() {
    Grant grant = give(GLOBEX, Scope.key("k"), Rights.READ);
    MapAccess access = Objects.requireNonNull(granted.access(session(GLOBEX), ORDERS));
    long before = access.version();
    give(INITECH, Scope.MAP, Rights.ALL);
    catalogue.suspend(INITECH);
    give(GLOBEX, Scope.key("k"), Rights.READ);
    assertThat(access.version()).isEqualTo(before);
    grants.revoke(ORDERS, grant.id());
    assertThat(access.version()).isNotEqualTo(before);
  }

  @Test
  void thereIsAnEndToTheMapsOfATenant() {
    int owner = catalogue.get(ACME).number();
    for (int i = 0; i < Grants.MOST_MAPS_OF_A_TENANT; i++) {
      granted.apply(
          new MapGrants(new QualifiedName(ACME, new MapName("m" + i)), owner, List.of(), 1));
    }
    assertThatThrownBy(() -> give(GLOBEX, Scope.MAP, Rights.READ))
        .hasMessageContaining("revoke some");
    assertThat(
            grants.grant(
                new QualifiedName(ACME, new MapName("m7")),
                GLOBEX,
                Scope.MAP,
                Rights.READ,
                null,
                "operator"))
        .isNotNull();
  }

  @Test
  void thereIsAnEndToTheGrantsOnAMap() {
    MapGrants full =
        new MapGrants(
            ORDERS,
            catalogue.get(ACME).number(),
            java.util.stream.IntStream.range(0, Grants.MOST_ON_A_MAP)
                .mapToObj(
                    i ->
                        new Grant(
                            "x" + i,
                            GLOBEX,
                            catalogue.get(GLOBEX).number(),
                            Scope.key("k" + i),
                            Rights.READ,
                            Instant.EPOCH,
                            null,
                            "operator"))
                .toList(),
            1);
    assertThat(store.replace(null, full)).isTrue();
    assertThatThrownBy(() -> give(GLOBEX, Scope.key("more"), Rights.READ))
        .isInstanceOfSatisfying(
            CatalogueException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TOO_MANY_GRANTS));
    assertThat(give(GLOBEX, Scope.key("k7"), Rights.ALL).rights()).isEqualTo(Rights.ALL);
  }

  @Test
  void aRecordIsReadAsItWasWritten() {
    give(GLOBEX, Scope.prefix("p\u0000é\""), Rights.READ_WRITE);
    grants.grant(
        ORDERS, INITECH, Scope.key(""), Rights.ALL, clock.instant().plusSeconds(1), "acme/k1");
    give(INITECH, Scope.MAP, Rights.LOCK);
    MapGrants record = store.get(ORDERS).orElseThrow();
    assertThat(record.grants()).hasSize(3);
    assertThat(GrantCodec.decode(GrantCodec.encode(record))).isEqualTo(record);
    assertThatThrownBy(() -> GrantCodec.decode("{\"v\":1}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("grants");
    assertThatThrownBy(() -> GrantCodec.decode("x")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anOlderRecordThatComesLateChangesNothing() {
    give(GLOBEX, Scope.MAP, Rights.READ);
    MapGrants old = store.get(ORDERS).orElseThrow();
    grants.revoke(ORDERS, old.grants().getFirst().id());
    granted.apply(old);
    assertThat(granted.access(session(GLOBEX), ORDERS)).isNull();
  }
}
