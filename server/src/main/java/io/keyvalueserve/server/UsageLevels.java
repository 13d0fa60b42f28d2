package io.keyvalueserve.server;

import io.keyvalueserve.billing.metering.LevelIntegrator;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.billing.metering.UsageMeter;
import io.keyvalueserve.gates.reservation.Reservation;
import io.keyvalueserve.gates.reservation.Reservation.OfMap;
import io.keyvalueserve.gates.reservation.Reservation.OfMember;
import io.keyvalueserve.maps.HeldTime;
import io.keyvalueserve.maps.Writers;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Tells meters what tenants hold on this member over time. Maps and other structures integrate
 * their bytes at each change, so that is only taken from them. Connections and reservations are
 * looked at every second, and count as they were seen last. What maps write to the log is their
 * owner's. One thread.
 */
final class UsageLevels {
  private static final int LOOKS_FOR_MEMORY = 10;
  private static final long MILLIS_A_SECOND = 1_000;

  private final UsageBook book;
  private final Supplier<List<Tenant>> tenants;
  private final Supplier<? extends Collection<HeldTime>> maps;
  private final ToLongFunction<TenantName> kept;
  private final SessionRegistry sessions;
  private final LongSupplier nanoTime;
  private final Supplier<Map<String, Long>> logged;
  private final Supplier<List<Reservation>> reservations;
  private final Map<Key, Held> levels = new HashMap<>();
  private final Map<String, Long> told = new HashMap<>();

  /** Byte-milliseconds that are less than a byte-second, until there are more. */
  private Map<Key, Long> carried = new HashMap<>();

  /**
   * The remainders from before meters were told last. Those that are not used again are forgotten.
   */
  private Map<Key, Long> carriedBefore = Map.of();

  /** The tenants that there were when memory was taken last. */
  private Map<TenantName, Tenant> before = Map.of();

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
   * @param maps takes what maps held since they were asked last
   * @param kept takes the byte-seconds of what a tenant kept in other structures since then
   * @param logged how many bytes of each map were written to the log since the start, likewise
   * @param reservations those that this member tells of: all, if it is the one that does
   */
  UsageLevels(
      UsageBook book,
      Supplier<List<Tenant>> tenants,
      Supplier<? extends Collection<HeldTime>> maps,
      ToLongFunction<TenantName> kept,
      Supplier<Map<String, Long>> logged,
      Supplier<List<Reservation>> reservations,
      SessionRegistry sessions,
      LongSupplier nanoTime) {
    this.book = book;
    this.tenants = tenants;
    this.maps = maps;
    this.kept = kept;
    this.logged = logged;
    this.reservations = reservations;
    this.sessions = sessions;
    this.nanoTime = nanoTime;
  }

  /** Looks at what is held now. To be called every second. */
  void look() {
    if (looks++ % LOOKS_FOR_MEMORY == 0) {
      takeMemory();
    }
    long now = nanoTime.getAsLong();
    Set<Key> seen = new HashSet<>();
    sessions.forEachTenant( // mostly few of all tenants
        (who, connections) -> set(who, null, Measure.CONNECTIONS, connections, now, seen));
    List<Reservation> reserved = reservations.get();
    if (!reserved.isEmpty()) {
      lookAtReservations(reserved, known(), now, seen);
    }
    levels.forEach(
        (key, held) -> {
          if (!seen.contains(key)) {
            held.level.set(0, now);
          }
        });
  }

  /** One for each map, under its name, and all members of a tenant together. */
  private void lookAtReservations(
      List<Reservation> reserved, Map<TenantName, Tenant> known, long now, Set<Key> seen) {
    Map<Identity, Integer> members = new HashMap<>();
    for (Reservation reservation : reserved) {
      Tenant tenant = known.get(reservation.tenant());
      if (tenant != null && tenant.number() == reservation.tenantNumber()) {
        Identity who = new Identity(tenant.name(), tenant.number(), "");
        switch (reservation.target()) {
          case OfMap(QualifiedName map) -> set(who, map, Measure.MAP_RESERVATIONS, 1, now, seen);
          case OfMember _ -> members.merge(who, 1, Integer::sum);
        }
      }
    }
    members.forEach((who, count) -> set(who, null, Measure.MEMBER_RESERVATIONS, count, now, seen));
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

  /**
   * Takes what was held since the last time, and tells it the meters. It counts for the tenant that
   * had the name then, as a later one may have it by now.
   */
  private void takeMemory() {
    Map<TenantName, Tenant> now = known();
    Map<TenantName, Tenant> charged = new HashMap<>(now);
    charged.putAll(before);
    before = now;
    Map<Integer, Tenant> numbers = new HashMap<>();
    now.values().forEach(tenant -> numbers.put(tenant.number(), tenant));
    charged.values().forEach(tenant -> numbers.put(tenant.number(), tenant));
    Map<Key, Long> taken = new HashMap<>();
    for (HeldTime held : maps.get()) {
      Tenant tenant =
          held.writer() == Writers.OWNER
              ? ownerOf(charged, held.map())
              : numbers.get(held.writer());
      if (tenant != null) {
        int number = tenant.number();
        QualifiedName map = QualifiedName.parse(held.map()).orElse(null);
        add(taken, new Key(number, map, Measure.RESIDENT_BYTES), held.residentByteMillis());
        add(taken, new Key(number, map, Measure.SPILLED_BYTES), held.spilledByteMillis());
      }
    }
    tellTaken(taken, numbers);
    charged.forEach(
        (name, tenant) -> {
          long byteSeconds = kept.applyAsLong(name);
          if (byteSeconds > 0) {
            meter(tenant, null).add(Measure.RESIDENT_BYTES, byteSeconds);
          }
        });
  }

  private static void add(Map<Key, Long> taken, Key key, long byteMillis) {
    if (byteMillis > 0) {
      long _ = taken.merge(key, byteMillis, Long::sum);
    }
  }

  private void tellTaken(Map<Key, Long> taken, Map<Integer, Tenant> numbers) {
    taken.forEach(
        (key, byteMillis) -> {
          long all = byteMillis + carried.getOrDefault(key, carriedBefore.getOrDefault(key, 0L));
          Tenant tenant = numbers.get(key.tenantNumber());
          if (tenant != null) {
            meter(tenant, key.map()).add(key.measure(), all / MILLIS_A_SECOND);
          }
          carried.put(key, all % MILLIS_A_SECOND);
        });
  }

  private UsageMeter meter(Tenant tenant, @Nullable QualifiedName map) {
    return book.meter(tenant.name(), tenant.number(), map, SharingLevel.SHARED);
  }

  private static @Nullable Tenant ownerOf(Map<TenantName, Tenant> tenants, String map) {
    return QualifiedName.ownerOf(map).map(tenants::get).orElse(null);
  }

  private void set(
      Identity who,
      @Nullable QualifiedName map,
      Measure measure,
      long level,
      long now,
      Set<Key> seen) {
    Key key = new Key(who.number(), map, measure);
    Held known = levels.get(key);
    if (known == null) {
      if (level == 0) {
        return;
      }
      UsageMeter meter = book.meter(who.tenant(), who.number(), map, SharingLevel.SHARED);
      known = new Held(meter, measure, new LevelIntegrator(now));
      levels.put(key, known);
    }
    seen.add(key);
    known.level.set(Math.max(0, level), now);
  }

  /** Tells the meters what was held until now and logged, and forgets what is held no more. */
  void tell() {
    takeMemory();
    carriedBefore = carried;
    carried = new HashMap<>();
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

  /**
   * Adds the bytes that were logged to their tenants' usage. Bytes of an unknown tenant, or of
   * none, count to nobody.
   */
  private void tellLogged() {
    Map<TenantName, Tenant> known = known();
    logged
        .get()
        .forEach(
            (name, bytes) -> {
              Long before = told.put(name, bytes);
              long more = bytes - (before == null ? 0 : before);
              Tenant tenant = ownerOf(known, name);
              if (more > 0 && tenant != null) {
                meter(tenant, QualifiedName.parse(name).orElse(null)).add(Measure.LOG_BYTES, more);
              }
            });
  }
}
