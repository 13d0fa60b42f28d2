package io.keyvalueserve.grid.space;

import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.grid.space.TransactionOverlay.Growth;
import io.keyvalueserve.maps.LocalMaps;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a transaction writes against quotas, as if its writes came one after the other: each
 * value may be as long as the tenant's values may be, and all but the last one have to leave room.
 */
final class TransactionQuota {
  private TransactionQuota() {}

  /**
   * Returns why the changes are refused, in words for the tenant; null if they are not.
   *
   * @param growth of each map, by its name in the grid
   * @param tenants gives the number of who writes to a map
   */
  static @Nullable String refusal(
      NodeEngine nodeEngine, Map<String, Growth> growth, ToIntFunction<String> tenants) {
    Map<TenantHoldings, Growth> sums = new HashMap<>();
    for (Map.Entry<String, Growth> each : growth.entrySet()) {
      String map = each.getKey();
      Growth own = each.getValue();
      if (own.longest() >= 0) {
        int tenant = tenants.applyAsInt(map);
        String refusal = LocalMaps.refusal(nodeEngine, map, tenant, own.longest());
        if (refusal != null) {
          return refusal;
        }
      }
      TenantHoldings holdings = LocalMaps.holdings(nodeEngine, map, tenants.applyAsInt(map));
      if (holdings != null) {
        sums.merge(holdings, own, Growth::plus);
      }
    }
    for (Map.Entry<TenantHoldings, Growth> each : sums.entrySet()) {
      Growth all = each.getValue();
      String refusal =
          each.getKey()
              .refusalOfGrowth(all.bytes() - Math.max(0, all.longest()), all.entries() - 1);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }
}
