package io.keyvalueserve.tenancy.reclaim;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Who is to take no more while memory is short: those that give some up and have more than their
 * part of all. Who gives some up for being less active than others, and has less than its part, is
 * not what makes memory short; its writes are not to wait for those of who does.
 *
 * <p>Pure functions.
 */
public final class Greedy {
  private Greedy() {}

  /**
   * Those of a plan.
   *
   * @param tenants all that hold memory, each once
   * @param plan for these tenants
   * @return the tenants' numbers; all that give something up if none of them has more than its part
   */
  public static Set<Integer> of(
      ReclaimConfig config, Collection<TenantUsage> tenants, ReclaimPlan plan) {
    Set<Integer> giving =
        plan.takes().stream().map(ReclaimPlan.Take::tenant).collect(Collectors.toSet());
    long weights = tenants.stream().mapToLong(TenantUsage::weight).sum();
    Set<Integer> greedy = new HashSet<>();
    for (TenantUsage tenant : tenants) {
      long part = (long) ((double) config.lowBytes() * tenant.weight() / weights);
      long own = Math.max(part, tenant.reservedBytes());
      boolean overQuota = tenant.heldBytes() > tenant.quotaBytes();
      if (giving.contains(tenant.tenant()) && (overQuota || tenant.heldBytes() > own)) {
        greedy.add(tenant.tenant());
      }
    }
    return greedy.isEmpty() ? giving : Set.copyOf(greedy);
  }
}
