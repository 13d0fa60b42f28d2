package io.keyvalueserve.grid.catalogue;

import io.keyvalueserve.tenancy.AccessKey;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.grant.Grant;
import io.keyvalueserve.tenancy.grant.MapGrants;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Makes one record of two that a split has made of one. What gave access and is missing on one side
 * was taken away there, unless it was made during the split: it stays away. A record that differs
 * from both has a higher revision than either, so that every member takes it in.
 */
final class MergedRecords {
  private MergedRecords() {}

  /**
   * Merges a tenant's records.
   *
   * @param mine the one of the side that goes on
   * @param since what was made later was made during the split
   */
  static Tenant of(Tenant mine, Tenant theirs, Instant since) {
    Tenant newer = theirs.revision() > mine.revision() ? theirs : mine;
    if (mine.number() != theirs.number()) {
      // One name was given to two tenants; of them at most one can stay.
      boolean isGone = mine.state() == TenantState.DELETED;
      Tenant stays = isGone && theirs.state() != TenantState.DELETED ? theirs : mine;
      return stays.equals(newer) && mine.revision() != theirs.revision()
          ? stays
          : with(stays, stays.state(), stays.keys(), mine, theirs);
    }
    List<AccessKey> keys =
        both(mine.keys(), theirs.keys(), AccessKey::id, key -> !key.createdAt().isBefore(since));
    TenantState state = mine.state().code() > theirs.state().code() ? mine.state() : theirs.state();
    Tenant merged = with(newer, state, keys, mine, theirs);
    boolean isNewer =
        mine.revision() != theirs.revision() && newer.state() == state && newer.keys().equals(keys);
    return isNewer || mine.equals(theirs) ? newer : merged;
  }

  private static Tenant with(
      Tenant tenant, TenantState state, List<AccessKey> keys, Tenant one, Tenant other) {
    return new Tenant(
        tenant.name(),
        tenant.number(),
        state,
        tenant.createdAt(),
        keys,
        tenant.quota(),
        Math.max(one.revision(), other.revision()) + 1);
  }

  /** Merges the grants on a map. */
  static MapGrants of(MapGrants mine, MapGrants theirs, Instant since) {
    if (mine.equals(theirs)) {
      return mine;
    }
    MapGrants newer = theirs.revision() > mine.revision() ? theirs : mine;
    List<Grant> grants =
        mine.ownerNumber() != theirs.ownerNumber()
            ? newer.grants()
            : both(
                mine.grants(),
                theirs.grants(),
                Grant::id,
                grant -> !grant.createdAt().isBefore(since));
    return mine.revision() != theirs.revision() && newer.grants().equals(grants)
        ? newer
        : new MapGrants(
            newer.map(),
            newer.ownerNumber(),
            grants,
            Math.max(mine.revision(), theirs.revision()) + 1);
  }

  /**
   * Returns what both have, and what one has that was made since. Of two with one id the later one
   * counts, which comes last.
   */
  private static <E> List<E> both(
      List<E> mine, List<E> theirs, Function<E, String> id, Predicate<E> isNew) {
    Map<String, E> here = byId(mine, id);
    Map<String, E> there = byId(theirs, id);
    List<E> all = new ArrayList<>();
    here.forEach(
        (key, each) -> {
          E other = there.get(key);
          if (other != null) {
            all.add(isNew.test(other) ? other : each);
          } else if (isNew.test(each)) {
            all.add(each);
          }
        });
    there.forEach(
        (key, each) -> {
          if (!here.containsKey(key) && isNew.test(each)) {
            all.add(each);
          }
        });
    return all;
  }

  private static <E> Map<String, E> byId(List<E> list, Function<E, String> id) {
    Map<String, E> all = new LinkedHashMap<>();
    for (E each : list) {
      E _ = all.put(id.apply(each), each);
    }
    return all;
  }
}
