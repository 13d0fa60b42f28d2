package io.keyvalueserve.gates.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.CatalogueException.Kind;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.MapCatalogueStore;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.MapStore;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.Grant;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import io.keyvalueserve.tenancy.grant.GrantStore;
import io.keyvalueserve.tenancy.grant.Grants;
import io.keyvalueserve.tenancy.grant.MapGrants;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReservationsTest {
  private static final long MIB = 1 << 20;
  private static final TenantName ACME = new TenantName("acme");
  private static final TenantName GLOBEX = new TenantName("globex");
  private static final QualifiedName ORDERS = new QualifiedName(ACME, new MapName("orders"));
  private static final QualifiedName STOCK = new QualifiedName(ACME, new MapName("stock"));

  /** 300 MiB of memory, two copies of each entry: 120 MiB of entries can be reserved. */
  private static final MemoryRoom ROOM = new MemoryRoom(300 * MIB, 2);

  private static final UUID MEMBER = new UUID(1, 1);

  private final MapCatalogueStore tenants = new MapCatalogueStore();
  private final Catalogue catalogue = new Catalogue(tenants, Clock.systemUTC());
  private final TenantDirectory directory = new TenantDirectory(false);
  private final GrantDirectory granted = new GrantDirectory(directory, Clock.systemUTC());
  private final Grants grants =
      new Grants(new GrantStoreOnMap(), catalogue, granted, Clock.systemUTC());
  private final ReservationStoreOnMap store = new ReservationStoreOnMap();
  private final Reservations reservations =
      new Reservations(store, catalogue, grants, Clock.systemUTC());
  private final ReservationDirectory here = new ReservationDirectory();

  private static final class GrantStoreOnMap extends MapStore<QualifiedName, MapGrants>
      implements GrantStore {
    GrantStoreOnMap() {
      super(MapGrants::map);
    }
  }

  /** What is put in a record's place is read from its stored form. */
  private static final class ReservationStoreOnMap extends MapStore<String, ReservationSet>
      implements ReservationStore {
    private Runnable beforeNext = () -> {};

    ReservationStoreOnMap() {
      super(set -> NAME);
    }

    @Override
    public boolean replace(@Nullable ReservationSet expected, ReservationSet next) {
      Runnable before = beforeNext;
      beforeNext = () -> {};
      before.run();
      return super.replace(expected, ReservationCodec.decode(ReservationCodec.encode(next)));
    }
  }

  @BeforeEach
  void twoTenants() {
    tenants.subscribe(directory::apply);
    store.subscribe(here::apply);
    catalogue.create(ACME);
    catalogue.create(GLOBEX);
  }

  private Reservation map(QualifiedName map, long bytes) {
    return reservations.reserveMap(map, bytes, ROOM, "operator");
  }

  private Reservation member(TenantName tenant, UUID uuid, String address, long capacity) {
    return reservations.reserveMember(tenant, uuid, address, capacity, ROOM, "operator");
  }

  private Grant grant() {
    return grants.grant(ORDERS, GLOBEX, Scope.MAP, Rights.READ, null, "operator");
  }

  private static void refuses(Kind kind, String words, ThrowingCallable what) {
    assertThatThrownBy(what)
        .hasMessageContaining(words)
        .isInstanceOfSatisfying(
            CatalogueException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  private Identity of(TenantName tenant) {
    return new Identity(tenant, catalogue.get(tenant).number(), "key");
  }

  @Test
  void aMapIsReservedUntilItIsReleased() {
    Reservation made = map(ORDERS, 10 * MIB);
    assertThat(made.id()).isEqualTo("1");
    assertThat(reservations.list()).containsExactly(made);
    assertThat(reservations.of(ACME)).containsExactly(made);
    assertThat(reservations.of(GLOBEX)).isEmpty();
    int acme = of(ACME).number();
    assertThat(here.of(acme, ORDERS)).isEqualTo(SharingLevel.RESERVED_MAP);
    assertThat(here.of(acme, STOCK)).isEqualTo(SharingLevel.SHARED);
    assertThat(here.of(acme, null)).isEqualTo(SharingLevel.SHARED);
    assertThat(here.bytesByTenant()).containsOnly(Map.entry(acme, 10 * MIB));
    assertThat(reservations.release("1")).isEqualTo(made);
    assertThat(here.of(acme, ORDERS)).isEqualTo(SharingLevel.SHARED);
    assertThat(here.bytesByTenant()).isEmpty();
    refuses(Kind.NO_SUCH_RESERVATION, "'1'", () -> reservations.release("1"));
    assertThat(map(ORDERS, MIB).id()).as("ids are not given again").isEqualTo("2");
  }

  @Test
  void reservingAgainChangesTheMemoryAndNothingElse() {
    Reservation _ = map(ORDERS, 100 * MIB);
    Reservation changed = map(ORDERS, 119 * MIB);
    assertThat(changed.id()).isEqualTo("1");
    assertThat(reservations.list()).containsExactly(changed);
    refuses(Kind.CANNOT_RESERVE, "and " + 120 * MIB + " are left", () -> map(ORDERS, 121 * MIB));
    assertThat(reservations.list()).containsExactly(changed);
  }

  @Test
  void nobodyElseIsGrantedAnythingOnAReservedMap() {
    reservations.requireShared(ORDERS);
    Grant given = grant();
    refuses(Kind.CANNOT_RESERVE, "revoke first grant 1 to globex", () -> map(ORDERS, MIB));
    assertThat(reservations.list()).isEmpty();
    Grant _ = grants.revoke(ORDERS, given.id());
    Reservation _ = map(ORDERS, MIB);
    refuses(Kind.RESERVED, "reservation 1", () -> reservations.requireShared(ORDERS));
    reservations.requireShared(STOCK);
  }

  /** Who grants has looked before, and looks again behind: it finds no reservation. */
  @Test
  void aGrantThatComesInBetweenIsSeen() {
    store.beforeNext = this::grant;
    refuses(Kind.CANNOT_RESERVE, "globex", () -> map(ORDERS, MIB));
    reservations.requireShared(ORDERS);
    assertThat(here.all()).isEmpty();
  }

  @Test
  void memoryIsReservedUpToEightyPercentOfWhatThereIs() {
    assertThat(ROOM.mostReserved()).isEqualTo(300 * MIB / 100 * 80 / 2);
    Reservation _ = map(ORDERS, 70 * MIB);
    refuses(
        Kind.CANNOT_RESERVE,
        "and " + (ROOM.mostReserved() - 70 * MIB) + " are left",
        () -> map(STOCK, 51 * MIB));
    refuses(Kind.WRONG_RESERVATION, "memoryBytes is", () -> map(STOCK, MIB - 1));
    refuses(Kind.WRONG_RESERVATION, "memoryBytes is", () -> map(STOCK, -MIB));
    assertThat(map(STOCK, ROOM.mostReserved() - 70 * MIB).memoryBytes()).isPositive();
    refuses(Kind.CANNOT_RESERVE, " 0 are left", () -> member(GLOBEX, MEMBER, "a:1", 100 * MIB));
  }

  @Test
  void aQuotaIsNoLessThanWhatIsReserved() {
    var _ = catalogue.changeQuota(ACME, quota -> quota.with(Limit.MEMORY, 20 * MIB));
    refuses(Kind.CANNOT_RESERVE, "quota", () -> map(ORDERS, 21 * MIB));
    Reservation _ = map(ORDERS, 15 * MIB);
    refuses(Kind.CANNOT_RESERVE, "quota", () -> map(STOCK, 6 * MIB));
    refuses(
        Kind.RESERVED,
        "reserved",
        () -> reservations.requireQuota(ACME, Quota.USUAL.with(Limit.MEMORY, 14 * MIB)));
    reservations.requireQuota(ACME, Quota.USUAL.with(Limit.MEMORY, 15 * MIB));
    reservations.requireQuota(ACME, Quota.USUAL);
    reservations.requireQuota(GLOBEX, Quota.USUAL.with(Limit.MEMORY, MIB));
  }

  @Test
  void aReservedMemberIsForOneTenantWhereverItsIdOrAddressIsFound() {
    Reservation made = member(ACME, MEMBER, "10.0.0.1:5702", 100 * MIB);
    assertThat(made.memoryBytes()).as("its memory holds two copies").isEqualTo(50 * MIB);
    assertThat(here.mayEnter(of(GLOBEX))).as("another member").isTrue();
    assertThat(member(ACME, MEMBER, "10.0.0.1:5702", 100 * MIB).id()).isEqualTo(made.id());
    refuses(
        Kind.CANNOT_RESERVE,
        "reserved for tenant 'acme'",
        () -> member(GLOBEX, new UUID(9, 9), "10.0.0.1:5702", MIB));
    for (ReservationDirectory each : List.of(new ReservationDirectory(), here)) {
      store.subscribe(each::apply);
      if (each.equals(here)) {
        each.setSelf(MEMBER, "10.0.0.7:5702"); // with its data, elsewhere
      } else {
        each.setSelf(new UUID(7, 7), "10.0.0.1:5702"); // there, without its data
      }
      assertThat(each.mayEnter(of(GLOBEX))).isFalse();
      assertThat(each.mayEnter(of(ACME))).isTrue();
      assertThat(each.of(of(ACME).number(), ORDERS)).isEqualTo(SharingLevel.RESERVED_MEMBER);
      assertThat(each.of(of(GLOBEX).number(), null)).isEqualTo(SharingLevel.SHARED);
    }
    Reservation _ = reservations.release(made.id());
    assertThat(here.mayEnter(of(GLOBEX))).isTrue();
  }

  @Test
  void aLaterTenantOfTheNameHasNothing() {
    Reservation _ = map(ORDERS, MIB);
    Reservation kept = member(GLOBEX, MEMBER, "a:1", MIB);
    var deleting = catalogue.beginDelete(ACME);
    refuses(Kind.WRONG_STATE, "deleted", () -> map(STOCK, MIB));
    reservations.releaseAll(deleting.number());
    reservations.releaseAll(deleting.number());
    catalogue.finishDelete(ACME);
    assertThat(reservations.list()).containsExactly(kept);
    refuses(Kind.NO_SUCH_TENANT, "acme", () -> map(ORDERS, MIB));
    catalogue.create(ACME);
    assertThat(reservations.of(ACME)).isEmpty();
  }

  @Test
  void anOlderRecordChangesNothing() {
    Reservation _ = map(ORDERS, MIB);
    ReservationSet first = store.get(ReservationStore.NAME).orElseThrow();
    Reservation _ = reservations.release("1");
    here.apply(first);
    assertThat(here.all()).isEmpty();
  }

  /** By several administrators at once. */
  @Test
  void whatIsReservedNeverAddsUpToMore() throws Exception {
    int tries = 40;
    List<Future<?>> asked = new ArrayList<>();
    CountDownLatch start = new CountDownLatch(1);
    int refused = 0;
    try (var executor = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < tries; i++) {
        QualifiedName each = new QualifiedName(ACME, new MapName("m" + i));
        asked.add(
            executor.submit(
                () -> {
                  start.await();
                  return map(each, 7 * MIB);
                }));
      }
      start.countDown();
      for (Future<?> each : asked) {
        try {
          Object _ = each.get();
        } catch (ExecutionException e) {
          assertThat(e.getCause()).isInstanceOf(CatalogueException.class);
          refused++;
        }
      }
    }
    int fits = Math.toIntExact(ROOM.mostReserved() / (7 * MIB));
    assertThat(refused).isEqualTo(tries - fits);
    assertThat(reservations.list()).hasSize(fits);
    assertThat(reservations.list().stream().map(Reservation::id)).doesNotHaveDuplicates();
  }

  @Test
  void aDamagedRecordIsToldByItsField() {
    assertThatThrownBy(() -> ReservationCodec.decode("{\"v\":1,\"made\":1,\"revision\":1}"))
        .hasMessageContaining("'reservations'");
    assertThatThrownBy(() -> ReservationCodec.decode("{\"v\":2}"))
        .hasMessageContaining("version 2");
    assertThatThrownBy(() -> ReservationCodec.decode("{")).hasMessageContaining("not JSON");
  }
}
