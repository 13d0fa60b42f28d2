package io.keyvalueserve.gates.reservation;

import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Instant;
import java.util.UUID;

/**
 * A reservation of something for one tenant alone. Immutable.
 *
 * @param id its number among all reservations there have ever been, as text
 * @param tenant for whom
 * @param tenantNumber its number: a later tenant of the same name has nothing reserved
 * @param target what
 * @param memoryBytes memory that is never taken from the tenant for others: bytes of entries, each
 *     once without its backups, as quotas count; {@link Reservations#LEAST_BYTES} or more for a map
 * @param createdAt when it was made
 * @param reservedBy who made it, as the audit trail says it
 */
public record Reservation(
    String id,
    TenantName tenant,
    int tenantNumber,
    Target target,
    long memoryBytes,
    Instant createdAt,
    String reservedBy) {

  /** A target that can be reserved. */
  public sealed interface Target {}

  /** A map of the tenant. */
  public record OfMap(QualifiedName map) implements Target {
    @Override
    public String toString() {
      return map.toString();
    }
  }

  /**
   * A member of the cluster.
   *
   * @param uuid its id, which it keeps with its data
   * @param address host and port where members reach it, by which it is known without data
   */
  public record OfMember(UUID uuid, String address) implements Target {
    /** Returns whether this is the member with that id or address. */
    boolean is(UUID otherUuid, String otherAddress) {
      return uuid.equals(otherUuid) || address.equals(otherAddress);
    }

    @Override
    public String toString() {
      return address;
    }
  }
}
