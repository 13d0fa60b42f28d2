package io.keyvalueserve.tenancy.reclaim;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Who is to take no more while memory is short: those that have more than their part of all, give
 * they some of it up or do others. Who gives some up for being less active than others, and has
 * less than its part, is not what makes memory short; its writes are not to wait for those of who
 * does.
 *
 * <p>Pure functions.
 */
public final class Greedy {
  private Greedy() {}

  /**
   * Those beside a plan.
   *
   * @param tenants all that hold memory, each once
   * @param plan for these tenants
   * @return the tenants' numbers; if nobody has more than its part, all that give something up;
   *     none if nothing is to be given up
   */
  public static Set<Integer> of(
      ReclaimConfig config, Collection<TenantUsage> tenants, ReclaimPlan plan) {
    Set<Integer> giving =
        plan.takes().stream().map(ReclaimPlan.Take::tenant).collect(Collectors.toSet());
    long weights = tenants.stream().mapToLong(TenantUsage::weight).sum();
    if (giving.isEmpty()) {
      return Set.of();
    }
    Set<Integer> greedy = new HashSet<>();
    for (TenantUsage tenant : tenants) {
      long part = (long) ((double) config.lowBytes() * tenant.weight() / weights);
      long own = Math.max(part, tenant.reservedBytes());
      boolean overQuota = tenant.heldBytes() > tenant.quotaBytes();
      if (overQuota || tenant.heldBytes() > own) {
        greedy.add(tenant.tenant());
      }
    }
    return greedy.isEmpty() ? giving : Set.copyOf(greedy);
  }
}
