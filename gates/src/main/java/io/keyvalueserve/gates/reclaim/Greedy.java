package io.keyvalueserve.gates.reclaim;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Selects the tenants that may take no more memory while some is being reclaimed. A tenant over its
 * quota is always among them. If memory is short, the first of these groups that is not empty is
 * too:
 *
 * <ol>
 *   <li>tenants that hold more than their fair shares of what may be kept, and have grown;
 *   <li>tenants that the plan takes memory from, and that have grown. They are within their shares,
 *       but others use their entries so much more that these have to give;
 *   <li>all tenants that hold more than their fair shares;
 *   <li>all tenants that the plan takes memory from.
 * </ol>
 *
 * <p>Shares are max-min fair by weight, like the plan's: others may use what a tenant does not use.
 *
 * <p>Pure functions.
 */
public final class Greedy {
  /**
   * The divisor for the smallest growth that counts. A tenant with less than this part of all
   * growth has not grown, as sizes change a little all the time.
   */
  private static final int GROWTH_PART = 8;

  private Greedy() {}

  /**
   * Selects the tenants beside a plan.
   *
   * @param tenants all that hold memory, each once
   * @param plan for these tenants
   * @param grownBytes by how much a tenant, by its number, has grown of late: 0 or more
   * @return the tenants' numbers; not empty if somebody gives something up
   */
  public static Set<Integer> of(
      Collection<TenantMemory> tenants, ReclaimPlan plan, IntToLongFunction grownBytes) {
    Set<Integer> greedy = numbers(tenants, tenant -> tenant.heldBytes() > tenant.quotaBytes());
    if (plan.neededBytes() > 0) {
      greedy.addAll(whoMakesItShort(List.copyOf(tenants), plan, grownBytes));
    }
    return greedy.isEmpty() ? giving(plan) : greedy;
  }

  private static Set<Integer> whoMakesItShort(
      List<TenantMemory> tenants, ReclaimPlan plan, IntToLongFunction grownBytes) {
    long growth =
        tenants.stream().mapToLong(tenant -> grownBytes.applyAsLong(tenant.tenant())).sum();
    IntPredicate hasGrown =
        number -> {
          long grown = grownBytes.applyAsLong(number);
          return grown > 0 && grown >= growth / GROWTH_PART;
        };
    Set<Integer> overShare = overShare(tenants, plan.neededBytes());
    Set<Integer> giving = giving(plan);
    for (Set<Integer> some : List.of(overShare, giving)) {
      Set<Integer> growing = new HashSet<>(some);
      growing.removeIf(number -> !hasGrown.test(number));
      if (!growing.isEmpty()) {
        return growing;
      }
    }
    return overShare.isEmpty() ? giving : overShare;
  }

  /**
   * Returns the tenants that hold more than their share of what all may keep. A share is at least
   * what is reserved.
   */
  private static Set<Integer> overShare(List<TenantMemory> tenants, long neededBytes) {
    int[] weights = new int[tenants.size()];
    long[] guarantees = new long[weights.length];
    long[] demands = new long[weights.length];
    for (int i = 0; i < weights.length; i++) {
      TenantMemory tenant = tenants.get(i);
      weights[i] = tenant.weight();
      demands[i] = tenant.heldBytes();
      guarantees[i] = Math.min(tenant.reservedBytes(), demands[i]);
    }
    long budget = Math.max(FairShares.sum(guarantees), FairShares.sum(demands) - neededBytes);
    long[] shares = FairShares.divide(budget, weights, guarantees, demands);
    Set<Integer> over = new HashSet<>();
    for (int i = 0; i < weights.length; i++) {
      if (demands[i] > shares[i]) {
        over.add(tenants.get(i).tenant());
      }
    }
    return over;
  }

  private static Set<Integer> giving(ReclaimPlan plan) {
    return plan.takes().stream().map(ReclaimPlan.Take::tenant).collect(Collectors.toSet());
  }

  private static Set<Integer> numbers(
      Collection<TenantMemory> tenants, Predicate<TenantMemory> which) {
    return tenants.stream()
        .filter(which)
        .map(TenantMemory::tenant)
        .collect(Collectors.toCollection(HashSet::new));
  }
}
