package io.keyvalueserve.gates.reservation;

import io.keyvalueserve.gates.reservation.Reservation.OfMap;
import io.keyvalueserve.gates.reservation.Reservation.OfMember;
import io.keyvalueserve.gates.reservation.Reservation.Target;
import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.CatalogueException.Kind;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.grant.Grant;
import io.keyvalueserve.tenancy.grant.Grants;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The administration of reservations. Every change reads the record of all, makes the next revision
 * of it and puts it in the other's place if nobody was faster, else begins anew; so what is
 * reserved never adds up to more than may be.
 *
 * <p><b>Maps and grants</b> are in different records. Who reserves a map looks at its grants before
 * it writes the reservation and again behind it; who grants looks at the reservations before and
 * behind. So of two that do it at the same time at least one sees the other, and takes back what it
 * did.
 *
 * <p>Thread-safe; blocks as its {@link ReservationStore} does.
 */
public final class Reservations {
  /** The least memory that goes with a map. */
  public static final long LEAST_BYTES = 1L << 20;

  /** The most reservations that there can be. */
  public static final int MOST = 10_000;

  private static final int MOST_SHOWN_GRANTS = 10;

  private final ReservationStore store;
  private final Catalogue catalogue;
  private final Grants grants;
  private final Clock clock;

  public Reservations(ReservationStore store, Catalogue catalogue, Grants grants, Clock clock) {
    this.store = store;
    this.catalogue = catalogue;
    this.grants = grants;
    this.clock = clock;
  }

  /** All of them, oldest first. */
  public List<Reservation> list() {
    return current().reservations();
  }

  /**
   * Returns the reservations of a tenant.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}
   */
  public List<Reservation> of(TenantName tenant) {
    int number = catalogue.get(tenant).number();
    return list().stream().filter(each -> each.tenantNumber() == number).toList();
  }

  /**
   * Reserves a map, which need not exist yet; one that is reserved already keeps its id and gets
   * this memory.
   *
   * @param memoryBytes that goes with it: {@link #LEAST_BYTES} or more
   * @param room what the cluster has now
   * @param reservedBy who reserves it: {@link Reservation#reservedBy}
   * @throws CatalogueException {@code NO_SUCH_TENANT}, {@code WRONG_STATE}, {@code
   *     WRONG_RESERVATION} of too little memory, {@code CANNOT_RESERVE} if others are granted
   *     something on the map, or there is not so much memory, or the tenant's quota is less
   */
  public Reservation reserveMap(
      QualifiedName map, long memoryBytes, MemoryRoom room, String reservedBy) {
    if (memoryBytes < LEAST_BYTES) {
      throw new CatalogueException(
          Kind.WRONG_RESERVATION,
          "memoryBytes is " + LEAST_BYTES + " or more, not " + memoryBytes + ": name more");
    }
    requireNoGrants(map);
    Reservation made = add(map.tenant(), new OfMap(map), memoryBytes, room, reservedBy);
    try {
      requireNoGrants(map);
    } catch (CatalogueException e) {
      Reservation _ = release(made.id());
      throw e;
    }
    return made;
  }

  /**
   * Reserves a member with as much memory as it has; one that is reserved for the tenant already
   * stays so.
   *
   * @param uuid the member's
   * @param address the member's
   * @param capacityBytes the memory that it has
   * @param room as in {@link #reserveMap}
   * @throws CatalogueException {@code NO_SUCH_TENANT}, {@code WRONG_STATE}, {@code CANNOT_RESERVE}
   *     if it is another's, or there is not so much memory, or the tenant's quota is less
   */
  public Reservation reserveMember(
      TenantName tenant,
      UUID uuid,
      String address,
      long capacityBytes,
      MemoryRoom room,
      String reservedBy) {
    long bytes = room.once(capacityBytes);
    return add(tenant, new OfMember(uuid, address), bytes, room, reservedBy);
  }

  private Reservation add(
      TenantName tenant, Target target, long bytes, MemoryRoom room, String reservedBy) {
    ReservationSet changed =
        change(
            set -> {
              Tenant owner = existing(tenant);
              List<Reservation> all = new ArrayList<>(set.reservations());
              int known = indexOf(all, target);
              if (known >= 0) {
                requireOwn(all.get(known), owner);
              } else if (all.size() >= MOST) {
                throw cannot("there are " + MOST + " reservations, the most there can be");
              }
              Reservation made =
                  new Reservation(
                      known < 0 ? Long.toString(set.made() + 1) : all.get(known).id(),
                      tenant,
                      owner.number(),
                      target,
                      bytes,
                      clock.instant().truncatedTo(ChronoUnit.MILLIS),
                      reservedBy);
              if (known >= 0) {
                all.set(known, made);
              } else {
                all.add(made);
              }
              requireMemory(all, bytes, room);
              requireQuota(all, owner);
              return new ReservationSet(all, set.made() + (known < 0 ? 1 : 0), set.revision() + 1);
            });
    return changed.reservations().get(indexOf(changed.reservations(), target));
  }

  private static int indexOf(List<Reservation> all, Target target) {
    for (int i = 0; i < all.size(); i++) {
      if (isSame(all.get(i).target(), target)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isSame(Target known, Target wanted) {
    if (known instanceof OfMember member && wanted instanceof OfMember other) {
      return member.is(other.uuid(), other.address());
    }
    return known.equals(wanted);
  }

  private static void requireOwn(Reservation known, Tenant owner) {
    if (known.tenantNumber() != owner.number()) {
      throw cannot(
          known.target()
              + " is reserved for tenant '"
              + known.tenant()
              + "': release reservation "
              + known.id()
              + " first");
    }
  }

  private static void requireMemory(List<Reservation> all, long bytes, MemoryRoom room) {
    long sum = sum(all, each -> true);
    if (sum > room.mostReserved()) {
      long left = Math.max(0, room.mostReserved() - (sum - bytes));
      throw cannot(
          "this takes "
              + bytes
              + " bytes of memory, and "
              + left
              + " are left: up to 80 % of the cluster's memory can be reserved, "
              + room.mostReserved()
              + " bytes without backups; reserve less, or release others");
    }
  }

  private static void requireQuota(List<Reservation> all, Tenant owner) {
    long reserved = sum(all, each -> each.tenantNumber() == owner.number());
    long quota = owner.quota().of(Limit.MEMORY);
    if (reserved > quota) {
      throw cannot(
          "tenant '"
              + owner.name()
              + "' would have "
              + reserved
              + " bytes reserved, and may use "
              + quota
              + ": reserve less, or raise its quota of memory first");
    }
  }

  private static long sum(List<Reservation> all, Predicate<Reservation> which) {
    return all.stream().filter(which).mapToLong(Reservation::memoryBytes).sum();
  }

  /**
   * Ends a reservation. When this returns, no member holds to it.
   *
   * @throws CatalogueException {@code NO_SUCH_RESERVATION}
   */
  public Reservation release(String id) {
    Reservation released =
        list().stream()
            .filter(each -> each.id().equals(id))
            .findFirst()
            .orElseThrow(() -> noSuchReservation(id));
    ReservationSet _ =
        change(
            set -> {
              List<Reservation> all = new ArrayList<>(set.reservations());
              if (!all.removeIf(each -> each.id().equals(id))) {
                throw noSuchReservation(id);
              }
              return new ReservationSet(all, set.made(), set.revision() + 1);
            });
    return released;
  }

  /** Ends all reservations of a tenant that is going. */
  public void releaseAll(int tenantNumber) {
    ReservationSet _ =
        change(
            set -> {
              List<Reservation> all = new ArrayList<>(set.reservations());
              return all.removeIf(each -> each.tenantNumber() == tenantNumber)
                  ? new ReservationSet(all, set.made(), set.revision() + 1)
                  : set;
            });
  }

  /**
   * Refuses a grant on a reserved map. Call it before and after the grant is made.
   *
   * @throws CatalogueException {@code RESERVED} if the map is
   */
  public void requireShared(QualifiedName map) {
    int known = indexOf(list(), new OfMap(map));
    if (known >= 0) {
      throw new CatalogueException(
          Kind.RESERVED,
          "map '"
              + map
              + "' is reserved for its owner: nobody else can be granted anything on it until"
              + " reservation "
              + list().get(known).id()
              + " is released");
    }
  }

  /**
   * Refuses a memory quota that is less than what the tenant has reserved. Call it before a quota
   * is changed.
   *
   * @throws CatalogueException {@code RESERVED} if the tenant has more reserved
   */
  public void requireQuota(TenantName tenant, Quota quota) {
    long reserved = sum(list(), each -> each.tenant().equals(tenant));
    if (quota.of(Limit.MEMORY) < reserved) {
      throw new CatalogueException(
          Kind.RESERVED,
          "memoryBytes: tenant '"
              + tenant
              + "' has "
              + reserved
              + " bytes of memory reserved and cannot be limited to less: release some of it first");
    }
  }

  private void requireNoGrants(QualifiedName map) {
    List<Grant> given = grants.list(map);
    if (!given.isEmpty()) {
      throw cannot(
          "others are granted something on map '"
              + map
              + "': revoke first "
              + given.stream()
                  .limit(MOST_SHOWN_GRANTS)
                  .map(grant -> "grant " + grant.id() + " to " + grant.grantee())
                  .collect(Collectors.joining(", "))
              + (given.size() > MOST_SHOWN_GRANTS ? " and others" : ""));
    }
  }

  private ReservationSet current() {
    return store.get(ReservationStore.NAME).orElse(ReservationSet.NONE);
  }

  private ReservationSet change(UnaryOperator<ReservationSet> change) {
    while (true) {
      ReservationSet before = store.get(ReservationStore.NAME).orElse(null);
      ReservationSet base = before == null ? ReservationSet.NONE : before;
      ReservationSet after = change.apply(base);
      if (after.equals(base) || store.replace(before, after)) {
        return after;
      }
    }
  }

  private Tenant existing(TenantName name) {
    Tenant tenant = catalogue.get(name);
    if (tenant.state() == TenantState.DELETING) {
      throw new CatalogueException(
          Kind.WRONG_STATE, "tenant '" + name + "' is being deleted; wait until it is gone");
    }
    return tenant;
  }

  private static CatalogueException cannot(String message) {
    return new CatalogueException(Kind.CANNOT_RESERVE, message);
  }

  private static CatalogueException noSuchReservation(String id) {
    return new CatalogueException(
        Kind.NO_SUCH_RESERVATION,
        "there is no reservation '" + id + "'; 'kvs reserve list' shows those there are");
  }
}
