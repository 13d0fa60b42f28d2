package io.keyvalueserve.server;

import io.keyvalueserve.gates.reservation.MemoryRoom;
import io.keyvalueserve.gates.reservation.Reservation;
import io.keyvalueserve.gates.reservation.Reservations;
import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.Role;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.CatalogueException.Kind;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.audit.Actor;
import io.keyvalueserve.tenancy.audit.Occurrence;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actions of operators on reservations. A change holds on every member when the call returns.
 * Blocks; thread-safe.
 */
public final class Reserving {
  private static final Logger LOG = LoggerFactory.getLogger(Reserving.class);

  private final Reservations reservations;
  private final GridMember grid;
  private final ReservedMemory memory;
  private final AuditTrails audit;

  Reserving(Reservations reservations, GridMember grid, ReservedMemory memory, AuditTrails audit) {
    this.reservations = reservations;
    this.grid = grid;
    this.memory = memory;
    this.audit = audit;
  }

  /** All of them, oldest first. */
  public List<Reservation> list() {
    return reservations.list();
  }

  /** Returns the reservations of a tenant. */
  public List<Reservation> of(TenantName tenant) {
    return reservations.of(tenant);
  }

  /** Returns the memory that can be reserved. Asks all members. */
  public MemoryRoom room() {
    return memory.room();
  }

  /** Reserves a map, or another amount of memory for one that is reserved. */
  public Reservation reserveMap(QualifiedName map, long memoryBytes, Actor by) {
    Reservation made = reservations.reserveMap(map, memoryBytes, memory.room(), by.text());
    tellMade(made, by);
    return made;
  }

  /**
   * Reserves a member.
   *
   * @param member its id or its address, as the cluster's list of members has them
   * @throws CatalogueException {@code NO_SUCH_MEMBER} and those of {@link
   *     Reservations#reserveMember}
   */
  public Reservation reserveMember(String member, TenantName tenant, Actor by) {
    MemberInfo found =
        grid.members().stream()
            .filter(each -> each.role() == Role.DATA)
            .filter(each -> each.address().equals(member) || each.uuid().toString().equals(member))
            .findFirst()
            .orElseThrow(
                () ->
                    new CatalogueException(
                        Kind.NO_SUCH_MEMBER,
                        "the cluster has no member with data '"
                            + member
                            + "'; GET /api/v1/cluster has the ids and addresses of those it has"));
    Reservation made =
        reservations.reserveMember(
            tenant, found.uuid(), found.address(), memory.of(found), memory.room(), by.text());
    tellMade(made, by);
    return made;
  }

  private void tellMade(Reservation made, Actor by) {
    LOG.info(
        "reserved {} for tenant {}: {} bytes", made.target(), made.tenant(), made.memoryBytes());
    audit.changed(
        Occurrence.reservationMade(by, made.tenant(), made.target().toString(), inWords(made)));
  }

  private static String inWords(Reservation reservation) {
    return "reservation " + reservation.id() + ": " + reservation.memoryBytes() + " bytes";
  }

  /** Ends a reservation. */
  public Reservation release(String id, Actor by) {
    Reservation released = reservations.release(id);
    LOG.info("released {} of tenant {}", released.target(), released.tenant());
    audit.changed(
        Occurrence.reservationReleased(
            by, released.tenant(), released.target().toString(), inWords(released)));
    return released;
  }

  /** Ends those of a tenant that is being deleted, which the trail has. */
  void releaseAll(int tenantNumber) {
    reservations.releaseAll(tenantNumber);
  }

  /** Calls {@link Reservations#requireShared}, before and after something is granted on a map. */
  void requireShared(QualifiedName map) {
    reservations.requireShared(map);
  }

  /** Calls {@link Reservations#requireQuota} before a quota is changed. */
  void requireQuota(TenantName tenant, Quota quota) {
    reservations.requireQuota(tenant, quota);
  }
}
