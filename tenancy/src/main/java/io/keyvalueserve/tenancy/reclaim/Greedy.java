package io.keyvalueserve.tenancy.reclaim;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Who is to take no more while some is taken: who is over its quota; and if memory is short, who
 * has more than its part of all, be it taken from it or from others. Who gives some up for being
 * less active than others, and has less than its part, is not what makes memory short; its writes
 * are not to wait for those of who does.
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
   * @return the tenants' numbers; if there are none such, all that give something up
   */
  public static Set<Integer> of(
      ReclaimConfig config, Collection<TenantUsage> tenants, ReclaimPlan plan) {
    Set<Integer> giving =
        plan.takes().stream().map(ReclaimPlan.Take::tenant).collect(Collectors.toSet());
    long weights = tenants.stream().mapToLong(TenantUsage::weight).sum();
    boolean memoryIsShort = plan.neededBytes() > 0;
    Set<Integer> greedy = new HashSet<>();
    for (TenantUsage tenant : tenants) {
      long part = (long) ((double) config.lowBytes() * tenant.weight() / weights);
      long own = Math.max(part, tenant.reservedBytes());
      boolean overQuota = tenant.heldBytes() > tenant.quotaBytes();
      if (overQuota || (memoryIsShort && tenant.heldBytes() > own)) {
        greedy.add(tenant.tenant());
      }
    }
    return greedy.isEmpty() ? giving : Set.copyOf(greedy);
  }
}
