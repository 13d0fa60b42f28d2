package io.keyvalueserve.server;

import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.Safety;
import io.keyvalueserve.grid.restart.LoadProgress;
import io.keyvalueserve.grid.restart.LogFigures;
import io.keyvalueserve.memory.TierReport;
import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The cluster at about one moment, as one member sees it.
 *
 * @param at when, by this member's clock
 * @param members the oldest first
 * @param partitions how many each member owns
 * @param safety whether every entry has all its backups, and which partitions have no copy
 * @param loading how far this member has come with loading its data; null if it had none
 * @param tiers of this member's memory
 * @param log of this member; null if it keeps none
 * @param tenants what each uses on all members, by name
 * @param silent the addresses of members that did not say what is used there
 * @param reports what each member says of itself, the oldest first
 */
public record LiveSample(
    Instant at,
    List<MemberInfo> members,
    Map<UUID, Integer> partitions,
    Safety safety,
    @Nullable LoadProgress loading,
    List<TierReport> tiers,
    @Nullable LogFigures log,
    Map<TenantName, TenantUsage> tenants,
    List<String> silent,
    List<MemberReport> reports) {

  /** Asks all members; blocks. */
  static LiveSample take(
      GridMember grid,
      Catalogue catalogue,
      TenantUsages usages,
      MemoryFacts memory,
      MemberReports members) {
    List<TenantName> names = catalogue.list().stream().map(Tenant::name).sorted().toList();
    TenantUsages.Everywhere used = usages.everywhere(names);
    Map<TenantName, TenantUsage> tenants = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      tenants.put(names.get(i), used.usages().get(i));
    }
    return new LiveSample(
        Instant.now(),
        grid.members(),
        grid.partitionsByOwner(),
        grid.safety(),
        grid.loadProgress(),
        memory.tiers(),
        grid.logFigures(),
        tenants,
        used.silent(),
        members.everywhere());
  }
}
