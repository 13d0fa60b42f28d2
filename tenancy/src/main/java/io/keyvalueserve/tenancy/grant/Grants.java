package io.keyvalueserve.tenancy.grant;

import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.CatalogueException.Kind;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The administration of grants. Every change reads a map's record, makes the next revision of it
 * and puts it in the other's place if nobody was faster, else begins anew. Each drops what has
 * expired and what belongs to tenants that are gone.
 *
 * <p>Thread-safe; blocks as its {@link GrantStore} does.
 */
public final class Grants {
  /** The most grants on one map. */
  public static final int MOST_ON_A_MAP = 5_000;

  /** The most grants that a tenant gives, on all its maps together. */
  public static final int MOST_OF_A_TENANT = 20_000;

  /** The most maps of a tenant on which it has ever granted something. */
  public static final int MOST_MAPS_OF_A_TENANT = 2_000;

  private static final Duration MOST_LIFE = Duration.ofDays(36_525);

  private final GrantStore store;
  private final Catalogue catalogue;
  private final GrantDirectory known;
  private final Clock clock;
  private final boolean ofChannels;

  /**
   * @param known what this member knows of the store: counted where a count need not be exact
   */
  public Grants(GrantStore store, Catalogue catalogue, GrantDirectory known, Clock clock) {
    this(store, catalogue, known, clock, false);
  }

  private Grants(
      GrantStore store,
      Catalogue catalogue,
      GrantDirectory known,
      Clock clock,
      boolean ofChannels) {
    this.ofChannels = ofChannels;
    this.store = store;
    this.catalogue = catalogue;
    this.known = known;
    this.clock = clock;
  }

  /**
   * Creates the administration of grants on channels.
   *
   * @param known what this member knows of the store: {@link GrantDirectory#channels}
   */
  public static Grants ofChannels(
      GrantStore store, Catalogue catalogue, GrantDirectory known, Clock clock) {
    return new Grants(store, catalogue, known, clock, true);
  }

  /** Returns what grants are on, in words. */
  private String words(QualifiedName map) {
    return ofChannels ? "the channels of '" + map.tenant() + "'" : "map '" + map + "'";
  }

  /**
   * Gives a tenant rights on a map, which need not exist yet. A grant to the same tenant on the
   * same scope is replaced, whatever it was, and keeps its id.
   *
   * @param expiresAt when it ends, at the next whole second; within 100 years; null for never
   * @param grantedBy who gives it: {@link Grant#grantedBy}
   * @throws CatalogueException {@code NO_SUCH_TENANT} for owner or grantee, {@code WRONG_STATE},
   *     {@code WRONG_GRANT} to the owner itself, of nothing, or with no sensible end, {@code
   *     TOO_MANY_GRANTS}
   */
  public Grant grant(
      QualifiedName map,
      TenantName grantee,
      Scope scope,
      Rights rights,
      @Nullable Instant expiresAt,
      String grantedBy) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    if (grantee.equals(map.tenant())) {
      throw new CatalogueException(
          Kind.WRONG_GRANT,
          ofChannels
              ? words(map) + " are the tenant's own: it may use all of them"
              : words(map) + " is the tenant's own: it may do everything with it");
    }
    if (rights.equals(Rights.NONE)) {
      throw new CatalogueException(
          Kind.WRONG_GRANT, "a grant of no rights is none: name one, or revoke the grant there is");
    }
    if (ofChannels) {
      ChannelGrants.check(scope, rights);
    } else if (scope.kind() == Scope.Kind.CHANNELS || !Rights.ALL.cover(rights)) {
      throw new CatalogueException(
          Kind.WRONG_GRANT, "a grant on a map is of read, write, lock or admin, and names keys");
    }
    if (expiresAt != null && !expiresAt.isAfter(now)) {
      throw new CatalogueException(
          Kind.WRONG_GRANT, "the grant would have ended at " + expiresAt + ": choose a later time");
    }
    if (expiresAt != null && expiresAt.isAfter(now.plus(MOST_LIFE))) {
      throw new CatalogueException(
          Kind.WRONG_GRANT,
          "a grant lasts "
              + MOST_LIFE.toDays()
              + " days at most: choose an earlier time, or none for good");
    }
    Tenant owner = existing(map.tenant());
    Tenant to = existing(grantee);
    requireRoom(map, owner);
    Instant end = expiresAt == null ? null : wholeSecond(expiresAt);
    MapGrants changed =
        change(
            map,
            owner,
            record -> {
              List<Grant> grants = new ArrayList<>(record.grants());
              int known = indexOf(grants, to, scope);
              Grant grant =
                  new Grant(
                      known < 0 ? Long.toString(record.revision()) : grants.get(known).id(),
                      to.name(),
                      to.number(),
                      scope,
                      rights,
                      now,
                      end,
                      grantedBy);
              if (known >= 0) {
                grants.set(known, grant);
              } else if (grants.size() < MOST_ON_A_MAP) {
                grants.add(grant);
              } else {
                throw new CatalogueException(
                    Kind.TOO_MANY_GRANTS,
                    words(map)
                        + (ofChannels ? " have " : " has ")
                        + MOST_ON_A_MAP
                        + " grants, the most there can be: revoke some, or grant prefixes");
              }
              return new MapGrants(map, owner.number(), grants, record.revision());
            });
    return changed.grants().get(indexOf(changed.grants(), to, scope));
  }

  private void requireRoom(QualifiedName map, Tenant owner) {
    GrantDirectory.Given given = known.givenBy(owner.number());
    boolean newMap = !given.maps().contains(map);
    if (given.grants() >= MOST_OF_A_TENANT
        || (newMap && given.maps().size() >= MOST_MAPS_OF_A_TENANT)) {
      throw new CatalogueException(
          Kind.TOO_MANY_GRANTS,
          "tenant '"
              + owner.name()
              + "' gives "
              + given.grants()
              + " grants on "
              + given.maps().size()
              + " maps; there can be "
              + MOST_OF_A_TENANT
              + " on "
              + MOST_MAPS_OF_A_TENANT
              + ": revoke some, or grant prefixes");
    }
  }

  /**
   * Rounds a time up to a whole second. It is never before the time, and rules change once a second
   * at most.
   */
  private static Instant wholeSecond(Instant time) {
    Instant second = time.truncatedTo(ChronoUnit.SECONDS);
    return second.equals(time) ? second : second.plusSeconds(1);
  }

  /**
   * Takes a grant back. When this returns, no member lets anything through that only it allowed.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}, {@code NO_SUCH_GRANT}
   */
  public Grant revoke(QualifiedName map, String id) {
    Tenant owner = catalogue.get(map.tenant());
    Grant revoked =
        list(map).stream()
            .filter(grant -> grant.id().equals(id))
            .findFirst()
            .orElseThrow(() -> noSuchGrant(map, id));
    MapGrants _ =
        change(
            map,
            owner,
            record -> {
              List<Grant> grants = new ArrayList<>(record.grants());
              if (!grants.removeIf(grant -> grant.id().equals(id))) {
                throw noSuchGrant(map, id);
              }
              return new MapGrants(map, owner.number(), grants, record.revision());
            });
    return revoked;
  }

  /**
   * The grants on a map that count, oldest first.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}
   */
  public List<Grant> list(QualifiedName map) {
    Tenant _ = catalogue.get(map.tenant());
    return store.get(map).map(record -> counting(record, tenants())).orElse(List.of());
  }

  /**
   * The grants that a tenant has given, by map.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}
   */
  public List<MapGrants> givenBy(TenantName owner) {
    int number = catalogue.get(owner).number();
    return select(record -> record.ownerNumber() == number, grant -> true);
  }

  /**
   * The grants that a tenant has been given, by map.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}
   */
  public List<MapGrants> givenTo(TenantName grantee) {
    int number = catalogue.get(grantee).number();
    return select(record -> true, grant -> grant.granteeNumber() == number);
  }

  private List<MapGrants> select(Predicate<MapGrants> records, Predicate<Grant> grants) {
    Set<Integer> tenants = tenants();
    return store.all().stream()
        .filter(records)
        .map(
            record ->
                new MapGrants(
                    record.map(),
                    record.ownerNumber(),
                    counting(record, tenants).stream().filter(grants).toList(),
                    record.revision()))
        .filter(record -> !record.grants().isEmpty())
        .sorted(Comparator.comparing(record -> record.map().toString()))
        .toList();
  }

  private MapGrants change(QualifiedName map, Tenant owner, UnaryOperator<MapGrants> change) {
    while (true) {
      MapGrants before = store.get(map).orElse(null);
      MapGrants base =
          before == null || before.ownerNumber() != owner.number()
              ? new MapGrants(
                  map, owner.number(), List.of(), before == null ? 1 : before.revision() + 1)
              : new MapGrants(
                  map, owner.number(), counting(before, tenants()), before.revision() + 1);
      MapGrants after = change.apply(base);
      if (store.replace(before, after)) {
        return after;
      }
    }
  }

  /**
   * Returns the grants that count: the owner and the grantees still exist, and the grants have not
   * expired.
   */
  private List<Grant> counting(MapGrants record, Set<Integer> tenants) {
    if (!tenants.contains(record.ownerNumber())) {
      return List.of();
    }
    Instant now = clock.instant();
    return record.grants().stream()
        .filter(grant -> tenants.contains(grant.granteeNumber()) && !grant.hasExpired(now))
        .toList();
  }

  /** The numbers of the tenants that there are. */
  private Set<Integer> tenants() {
    return catalogue.list().stream().map(Tenant::number).collect(Collectors.toSet());
  }

  private Tenant existing(TenantName name) {
    Tenant tenant = catalogue.get(name);
    if (tenant.state() == TenantState.DELETING) {
      throw new CatalogueException(
          Kind.WRONG_STATE, "tenant '" + name + "' is being deleted; wait until it is gone");
    }
    return tenant;
  }

  private static int indexOf(List<Grant> grants, Tenant to, Scope scope) {
    for (int i = 0; i < grants.size(); i++) {
      Grant grant = grants.get(i);
      if (grant.granteeNumber() == to.number() && grant.scope().equals(scope)) {
        return i;
      }
    }
    return -1;
  }

  private CatalogueException noSuchGrant(QualifiedName map, String id) {
    return new CatalogueException(
        Kind.NO_SUCH_GRANT,
        words(map)
            + (ofChannels ? " have no grant '" : " has no grant '")
            + id
            + "'; 'kvs grant list "
            + (ofChannels ? map.tenant() : map)
            + "' shows those there are");
  }
}
