package io.keyvalueserve.gates.reservation;

import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.gates.reservation.Reservation.OfMap;
import io.keyvalueserve.gates.reservation.Reservation.OfMember;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The reservations as one member knows them: what its doors and its memory ask. Fed by {@link
 * ReservationStore#subscribe}; of two records the higher revision stays.
 *
 * <p>Reads take no lock: they see one immutable snapshot. Thread-safe.
 */
public final class ReservationDirectory implements UsageBook.Sharing {
  private @Nullable UUID ownUuid;
  private String ownAddress = "";
  private ReservationSet set = ReservationSet.NONE;
  private volatile Snapshot snapshot = new Snapshot(List.of(), Map.of(), Map.of(), null);

  private record Snapshot(
      List<Reservation> all,
      Map<QualifiedName, Reservation> maps,
      Map<Integer, Long> bytes,
      @Nullable Reservation here) {}

  /** Says which member this is. Until then it is reserved for nobody. */
  public synchronized void setSelf(UUID uuid, String address) {
    ownUuid = uuid;
    ownAddress = address;
    snapshot = snapshotOf(set);
  }

  /** Takes in a record; one that is not newer than what is known changes nothing. */
  public synchronized void apply(ReservationSet next) {
    if (next.revision() > set.revision()) {
      set = next;
      snapshot = snapshotOf(next);
    }
  }

  private Snapshot snapshotOf(ReservationSet from) {
    Map<QualifiedName, Reservation> maps = new HashMap<>();
    Map<Integer, Long> bytes = new HashMap<>();
    Reservation here = null;
    for (Reservation reservation : from.reservations()) {
      bytes.merge(reservation.tenantNumber(), reservation.memoryBytes(), Long::sum);
      switch (reservation.target()) {
        case OfMap(QualifiedName map) -> maps.put(map, reservation);
        case OfMember member -> {
          if (ownUuid != null && member.is(ownUuid, ownAddress)) {
            here = reservation;
          }
        }
      }
    }
    return new Snapshot(from.reservations(), maps, bytes, here);
  }

  /** All of them, oldest first. */
  public List<Reservation> all() {
    return snapshot.all();
  }

  /** Memory that is reserved, by tenants' numbers: bytes of entries, each counted once. */
  public Map<Integer, Long> bytesByTenant() {
    return snapshot.bytes();
  }

  /** The reservation of a map; null if there is none. */
  public @Nullable Reservation of(QualifiedName map) {
    return snapshot.maps().get(map);
  }

  /** Returns whether a tenant's sessions may be on this member. */
  public boolean mayEnter(Identity identity) {
    Reservation here = snapshot.here();
    return here == null || here.tenantNumber() == identity.number();
  }

  @Override
  public SharingLevel of(int tenantNumber, @Nullable QualifiedName map) {
    Snapshot now = snapshot;
    Reservation here = now.here();
    if (here != null && here.tenantNumber() == tenantNumber) {
      return SharingLevel.RESERVED_MEMBER;
    }
    Reservation own = map == null ? null : now.maps().get(map);
    return own != null && own.tenantNumber() == tenantNumber
        ? SharingLevel.RESERVED_MAP
        : SharingLevel.SHARED;
  }
}
