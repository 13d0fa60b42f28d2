package io.keyvalueserve.gates.reclaim;

import io.keyvalueserve.gates.reclaim.ReclaimPlan.Take;
import io.keyvalueserve.gates.reclaim.ReclaimReason.InactiveFor;
import io.keyvalueserve.gates.reclaim.ReclaimReason.LessActive;
import io.keyvalueserve.gates.reclaim.ReclaimReason.OverFairShare;
import io.keyvalueserve.gates.reclaim.ReclaimReason.OverQuota;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Plans who gives up memory. In this order, until enough is freed:
 *
 * <ol>
 *   <li>what tenants hold over their quotas, always and in full;
 *   <li>what inactive tenants hold above the floor, from the longest inactive one on;
 *   <li>what tenants hold that are much less active than others, above the floor, from whoever
 *       holds most for its weight;
 *   <li>what active tenants hold over their fair shares of what is left, which are max-min fair by
 *       weight and not less than what they have reserved, if there is so much.
 * </ol>
 *
 * <p>Nobody is taken below the floor, nor an inactive tenant below what it has reserved. So an
 * active tenant within its share loses nothing while anybody else has something to give, and the
 * plan frees what is needed to the byte, or all that may be taken. Carried out in full, a plan
 * leaves nothing to plan at the same instant.
 *
 * <p>Pure functions.
 */
public final class ReclaimPlanner {
  private final ReclaimConfig config;
  private final long nowMillis;
  private final List<Take> takes = new ArrayList<>();
  private long needed;

  private ReclaimPlanner(ReclaimConfig config, long nowMillis) {
    this.config = config;
    this.nowMillis = nowMillis;
  }

  /**
   * Plans.
   *
   * @param usedBytes all memory in use, which may be more than tenants hold: 0 or more
   * @param tenants each once
   * @param nowMillis by the clock of {@link TenantMemory#lastActiveMillis}
   */
  public static ReclaimPlan plan(
      ReclaimConfig config, long usedBytes, Collection<TenantMemory> tenants, long nowMillis) {
    if (usedBytes < 0) {
      throw new IllegalArgumentException("usedBytes is 0 or more: " + usedBytes);
    }
    return new ReclaimPlanner(config, nowMillis).plan(config.neededBytes(usedBytes), tenants);
  }

  private ReclaimPlan plan(long neededBytes, Collection<TenantMemory> tenants) {
    needed = neededBytes;
    List<TenantMemory> inactive = new ArrayList<>();
    List<TenantMemory> lessActive = new ArrayList<>();
    List<TenantMemory> active = new ArrayList<>();
    double activeFrom = activeFrom(tenants);
    for (TenantMemory tenant : sorted(tenants)) {
      takeOverQuota(tenant);
      if (idleMillis(tenant) >= config.inactiveAfter().toMillis()) {
        inactive.add(tenant);
      } else if (tenant.activity() < activeFrom) {
        lessActive.add(tenant);
      } else {
        active.add(tenant);
      }
    }
    takeFromInactive(inactive);
    takeOverShare(lessActive, activeFrom);
    takeOverShare(active, 0);
    return new ReclaimPlan(neededBytes, takes);
  }

  /** Sorts tenants by number. A plan therefore does not depend on the order of its input. */
  private static List<TenantMemory> sorted(Collection<TenantMemory> tenants) {
    return tenants.stream().sorted(Comparator.comparingInt(TenantMemory::tenant)).toList();
  }

  /** Activity from which on a tenant counts as active; those that are inactive set no measure. */
  private double activeFrom(Collection<TenantMemory> tenants) {
    double most = 0;
    for (TenantMemory tenant : tenants) {
      if (idleMillis(tenant) < config.inactiveAfter().toMillis()) {
        most = Math.max(most, tenant.countedActivity());
      }
    }
    return most * config.lessActivePercent() / 100;
  }

  private long idleMillis(TenantMemory tenant) {
    return Math.max(0, nowMillis - tenant.lastActiveMillis());
  }

  private void takeOverQuota(TenantMemory tenant) {
    long over = tenant.heldBytes() - tenant.allowedBytes();
    take(tenant, over, new OverQuota(over));
  }

  private void takeFromInactive(List<TenantMemory> tenants) {
    tenants.sort(Comparator.comparingLong(TenantMemory::lastActiveMillis));
    for (TenantMemory tenant : tenants) {
      long kept = Math.max(config.floorBytes(), tenant.reservedBytes());
      long most = Math.max(0, tenant.allowedBytes() - kept);
      take(tenant, Math.min(most, needed), new InactiveFor(idleMillis(tenant)));
    }
  }

  /**
   * Takes from all of a class together, down to their fair shares of what they may keep.
   *
   * @param activeFrom 0 if they are active, whose reservations give way when all else is taken
   */
  private void takeOverShare(List<TenantMemory> tenants, double activeFrom) {
    int[] weights = new int[tenants.size()];
    long[] floors = new long[weights.length];
    long[] guarantees = new long[weights.length];
    long[] demands = new long[weights.length];
    for (int i = 0; i < weights.length; i++) {
      TenantMemory tenant = tenants.get(i);
      weights[i] = tenant.weight();
      demands[i] = tenant.allowedBytes();
      floors[i] = Math.min(demands[i], config.floorBytes());
      guarantees[i] = Math.max(floors[i], Math.min(demands[i], tenant.reservedBytes()));
    }
    boolean active = activeFrom == 0;
    long kept = FairShares.sum(active ? floors : guarantees);
    long budget = Math.max(kept, FairShares.sum(demands) - Math.max(0, needed));
    long[] shares =
        FairShares.sum(guarantees) <= budget
            ? FairShares.divide(budget, weights, guarantees, demands)
            : FairShares.divide(budget, weights, floors, guarantees);
    for (int i = 0; i < shares.length; i++) {
      TenantMemory tenant = tenants.get(i);
      long over = demands[i] - shares[i];
      take(
          tenant,
          over,
          active
              ? new OverFairShare(over)
              : new LessActive(tenant.usesPerSecond(), activeFrom * tenant.weight()));
    }
  }

  private void take(TenantMemory tenant, long bytes, ReclaimReason reason) {
    if (bytes > 0) {
      takes.add(new Take(tenant.tenant(), bytes, reason, tenant.action()));
      needed -= bytes;
    }
  }
}
