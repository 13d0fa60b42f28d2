package io.keyvalueserve.tenancy.grant;

import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * All grants as one member knows them: what every door asks. Fed by {@link GrantStore#subscribe};
 * of two records of a map the higher revision stays.
 *
 * <p>A grant counts while its owner and its grantee are the tenants that they were when it was
 * given, and the owner is active. Thread-safe. What is asked for often is held by whoever asks
 * ({@link MapAccess}); nothing here is on the path of a request.
 */
public final class GrantDirectory {
  private static final String NO_KEY = "";

  private final TenantDirectory tenants;
  private final InstantSource clock;
  private final ConcurrentHashMap<QualifiedName, MapGrants> records = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Subject, MapAccess> accesses = new ConcurrentHashMap<>();

  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /** The grants on channels; this itself if it has them. */
  private final GrantDirectory channels;

  private record Subject(int grantee, QualifiedName map, int owner) {}

  /**
   * @param tenants says which tenants there are
   */
  public GrantDirectory(TenantDirectory tenants, InstantSource clock) {
    this(tenants, clock, new GrantDirectory(tenants, clock, null));
  }

  private GrantDirectory(
      TenantDirectory tenants, InstantSource clock, @Nullable GrantDirectory channels) {
    this.tenants = tenants;
    this.clock = clock;
    this.channels = channels == null ? this : channels;
    tenants.onChange(changed -> compileAll());
  }

  /** Returns the grants on channels. They are fed by a store of their own. */
  public GrantDirectory channels() {
    return channels;
  }

  /**
   * Returns the access of a tenant to the channels of another tenant, or null if nothing is
   * granted: see {@link #access}.
   */
  public @Nullable MapAccess channelAccess(Identity grantee, TenantName owner) {
    return channels.access(grantee, ChannelGrants.of(owner));
  }

  /**
   * Adds who is called whenever what is allowed may have changed. It must not block. A grant that
   * ends by itself is not told.
   */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  private void tellChange() {
    listeners.forEach(Runnable::run);
  }

  /** Takes in a record; one that is not newer than what is known changes nothing. */
  public void apply(MapGrants record) {
    MapGrants applied =
        records.merge(
            record.map(),
            record,
            (known, next) -> next.revision() > known.revision() ? next : known);
    if (applied.revision() == record.revision()) {
      accesses.forEach(
          (subject, access) -> {
            if (subject.map().equals(record.map())) {
              access.refresh();
            }
          });
      tellChange();
    }
  }

  private void compileAll() {
    accesses.values().forEach(MapAccess::refresh);
    tellChange();
  }

  /**
   * Returns the access of a tenant to a map of another tenant, or null if nothing is granted,
   * whether or not the map or its owner exists. Callers may keep the result: it follows later
   * changes of grants.
   */
  public @Nullable MapAccess access(Identity grantee, QualifiedName map) {
    MapGrants record = records.get(map);
    if (record == null || map.tenant().equals(grantee.tenant())) {
      return null;
    }
    Subject subject = new Subject(grantee.number(), map, record.ownerNumber());
    MapAccess known = accesses.get(subject);
    if (known == null) {
      if (counting(subject).isEmpty()) {
        return null; // what is kept is bounded by the grants there have been
      }
      known =
          accesses.computeIfAbsent(
              subject,
              wanted ->
                  new MapAccess(
                      grantee.tenant(),
                      map,
                      new Identity(map.tenant(), wanted.owner(), NO_KEY),
                      () -> compiled(wanted),
                      clock));
      known.refresh(); // after it can be found, so that it misses no change
    }
    return known.allowsAnything() ? known : null;
  }

  /** The maps of others on which a tenant has been granted anything that still counts, by name. */
  public List<QualifiedName> grantedTo(Identity grantee) {
    List<QualifiedName> maps = new ArrayList<>();
    records.forEach(
        (map, record) -> {
          if (!counting(new Subject(grantee.number(), map, record.ownerNumber())).isEmpty()) {
            maps.add(map);
          }
        });
    maps.sort((left, right) -> left.toString().compareTo(right.toString()));
    return maps;
  }

  private KeyRules compiled(Subject subject) {
    List<Grant> grants = counting(subject);
    long validUntilMillis = Long.MAX_VALUE;
    for (Grant grant : grants) {
      Instant expiresAt = grant.expiresAt();
      if (expiresAt != null) {
        validUntilMillis = Math.min(validUntilMillis, millis(expiresAt));
      }
    }
    return grants.isEmpty() ? KeyRules.NOTHING : KeyRules.of(grants, validUntilMillis);
  }

  private static long millis(Instant time) {
    try {
      return time.toEpochMilli();
    } catch (ArithmeticException e) {
      return time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  /**
   * The grants that a tenant has given.
   *
   * @param grants how many grants, ended ones included
   * @param maps on which maps it has ever granted something
   */
  record Given(int grants, Set<QualifiedName> maps) {}

  Given givenBy(int ownerNumber) {
    int grants = 0;
    Set<QualifiedName> maps = new HashSet<>();
    for (MapGrants record : records.values()) {
      if (record.ownerNumber() == ownerNumber) {
        grants += record.grants().size();
        maps.add(record.map());
      }
    }
    return new Given(grants, maps);
  }

  /** The grants that count now. */
  private List<Grant> counting(Subject subject) {
    MapGrants record = records.get(subject.map());
    if (record == null || record.ownerNumber() != subject.owner() || !isActive(subject)) {
      return List.of();
    }
    Instant now = clock.instant();
    return record.grants().stream()
        .filter(grant -> grant.granteeNumber() == subject.grantee() && !grant.hasExpired(now))
        .toList();
  }

  private boolean isActive(Subject subject) {
    Tenant owner = tenants.find(subject.map().tenant()).orElse(null);
    return owner != null
        && owner.number() == subject.owner()
        && owner.state() == TenantState.ACTIVE;
  }
}
