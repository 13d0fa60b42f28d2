package io.keyvalueserve.server;

import io.keyvalueserve.grid.hd.HeldBytes;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.metering.LevelIntegrator;
import io.keyvalueserve.tenancy.metering.Measure;
import io.keyvalueserve.tenancy.metering.SharingLevel;
import io.keyvalueserve.tenancy.metering.UsageBook;
import io.keyvalueserve.tenancy.metering.UsageMeter;
import io.keyvalueserve.tenancy.reservation.Reservation;
import io.keyvalueserve.tenancy.reservation.Reservation.OfMap;
import io.keyvalueserve.tenancy.reservation.Reservation.OfMember;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What tenants hold on this member over time: bytes of each map in memory and on the disk, which
 * are the map's owner's, as are those it writes to the log, connections, and what is reserved.
 * Looked at now and then, at maps less often, as there may be many: what is held in between counts
 * as what was seen last. One thread.
 */
final class UsageLevels {
  private static final int LOOKS_FOR_MAPS = 10;

  private final UsageBook book;
  private final Supplier<List<Tenant>> tenants;
  private final Supplier<Map<String, HeldBytes>> maps;
  private final SessionRegistry sessions;
  private final LongSupplier nanoTime;
  private final Supplier<Map<String, Long>> logged;
  private final Supplier<List<Reservation>> reservations;
  private final Map<Key, Held> levels = new HashMap<>();
  private final Map<String, Long> told = new HashMap<>();
  private Map<String, HeldBytes> seenMaps = Map.of();
  private int looks;

  private record Key(int tenantNumber, @Nullable QualifiedName map, Measure measure) {}

  /** A level, and the meter that it is told to: as long as it is held, so is its counter. */
  private static final class Held {
    final UsageMeter meter;
    final Measure measure;
    final LevelIntegrator level;

    Held(UsageMeter meter, Measure measure, LevelIntegrator level) {
      this.meter = meter;
      this.measure = measure;
      this.level = level;
    }
  }

  /**
   * @param tenants those there are
   * @param maps what each map holds, by the grid's names
   * @param logged how many bytes of each map were written to the log since the start, likewise
   * @param reservations those that this member tells of: all, if it is the one that does
   */
  UsageLevels(
      UsageBook book,
      Supplier<List<Tenant>> tenants,
      Supplier<Map<String, HeldBytes>> maps,
      Supplier<Map<String, Long>> logged,
      Supplier<List<Reservation>> reservations,
      SessionRegistry sessions,
      LongSupplier nanoTime) {
    this.book = book;
    this.tenants = tenants;
    this.maps = maps;
    this.logged = logged;
    this.reservations = reservations;
    this.sessions = sessions;
    this.nanoTime = nanoTime;
  }

  /** Looks at what is held now. To be called every second. */
  void look() {
    if (looks++ % LOOKS_FOR_MAPS == 0) {
      seenMaps = maps.get();
    }
    long now = nanoTime.getAsLong();
    Map<TenantName, Tenant> known = known();
    Set<Key> seen = new HashSet<>();
    known.forEach(
        (name, tenant) -> {
          int connections = sessions.count(tenant.number());
          set(tenant, null, Measure.CONNECTIONS, connections, now, seen);
        });
    lookAtReservations(known, now, seen);
    seenMaps.forEach(
        (name, held) ->
            QualifiedName.parse(name).ifPresent(map -> set(known, map, held, now, seen)));
    levels.forEach(
        (key, held) -> {
          if (!seen.contains(key)) {
            held.level.set(0, now);
          }
        });
  }

  /** One for each map, under its name, and all members of a tenant together. */
  private void lookAtReservations(Map<TenantName, Tenant> known, long now, Set<Key> seen) {
    Map<Tenant, Integer> members = new HashMap<>();
    for (Reservation reservation : reservations.get()) {
      Tenant tenant = known.get(reservation.tenant());
      if (tenant != null && tenant.number() == reservation.tenantNumber()) {
        switch (reservation.target()) {
          case OfMap(QualifiedName map) -> set(tenant, map, Measure.MAP_RESERVATIONS, 1, now, seen);
          case OfMember _ -> members.merge(tenant, 1, Integer::sum);
        }
      }
    }
    members.forEach(
        (tenant, count) -> set(tenant, null, Measure.MEMBER_RESERVATIONS, count, now, seen));
  }

  private Map<TenantName, Tenant> known() {
    Map<TenantName, Tenant> known = new HashMap<>();
    for (Tenant tenant : tenants.get()) {
      if (tenant.state() != TenantState.DELETED) {
        known.put(tenant.name(), tenant);
      }
    }
    return known;
  }

  /** What others wrote, where that counts for them, is theirs; the rest is the owner's. */
  private void set(
      Map<TenantName, Tenant> known, QualifiedName map, HeldBytes held, long now, Set<Key> seen) {
    set(known.get(map.tenant()), map, held.ofOwner(), now, seen);
    if (!held.others().isEmpty()) {
      for (Tenant tenant : known.values()) {
        HeldBytes own = held.others().get(tenant.number());
        if (own != null) {
          set(tenant, map, own, now, seen);
        }
      }
    }
  }

  private void set(
      @Nullable Tenant tenant, QualifiedName map, HeldBytes held, long now, Set<Key> seen) {
    if (tenant != null) {
      set(tenant, map, Measure.RESIDENT_BYTES, held.resident(), now, seen);
      set(tenant, map, Measure.SPILLED_BYTES, held.spilled(), now, seen);
    }
  }

  private void set(
      Tenant tenant,
      @Nullable QualifiedName map,
      Measure measure,
      long level,
      long now,
      Set<Key> seen) {
    Key key = new Key(tenant.number(), map, measure);
    Held known = levels.get(key);
    if (known == null) {
      if (level == 0) {
        return;
      }
      UsageMeter meter = book.meter(tenant.name(), tenant.number(), map, SharingLevel.SHARED);
      known = new Held(meter, measure, new LevelIntegrator(now));
      levels.put(key, known);
    }
    seen.add(key);
    known.level.set(Math.max(0, level), now);
  }

  /** Tells the meters what was held until now and logged, and forgets what is held no more. */
  void tell() {
    long now = nanoTime.getAsLong();
    levels
        .values()
        .removeIf(
            held -> {
              held.meter.add(held.measure, held.level.take(now));
              return held.level.level() == 0;
            });
    tellLogged();
  }

  /** What was logged of a tenant that is not known, or of no tenant, is nobody's. */
  private void tellLogged() {
    Map<TenantName, Tenant> known = known();
    logged
        .get()
        .forEach(
            (name, bytes) -> {
              Long before = told.put(name, bytes);
              long more = bytes - (before == null ? 0 : before);
              if (more > 0) {
                QualifiedName.parse(name)
                    .ifPresent(map -> tell(known.get(map.tenant()), map, more));
              }
            });
  }

  private void tell(@Nullable Tenant tenant, QualifiedName map, long more) {
    if (tenant != null) {
      book.meter(tenant.name(), tenant.number(), map, SharingLevel.SHARED)
          .add(Measure.LOG_BYTES, more);
    }
  }
}
