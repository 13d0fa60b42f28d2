package io.keyvalueserve.server;

import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.Safety;
import io.keyvalueserve.grid.restart.LoadProgress;
import io.keyvalueserve.grid.restart.LogFigures;
import io.keyvalueserve.memory.TierReport;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * @param tenants what those use on all members that use most, and those that are watched
 * @param records of these
 * @param tenantCount how many tenants there are
 * @param totals what all tenants use together
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
    Map<TenantName, Tenant> records,
    int tenantCount,
    TenantUsage totals,
    List<String> silent,
    List<MemberReport> reports) {

  /** The members choose tenants by these; the first one is their order. */
  private static final List<Ranking> RANKINGS =
      List.of(Ranking.OPERATIONS, Ranking.MEMORY, Ranking.WAITED, Ranking.THROTTLED);

  /** The most tenants in a sample, not counting those that are watched. */
  public static final int MOST_TENANTS = 200;

  /**
   * Asks all members; blocks.
   *
   * @param watched tenants that somebody watches
   */
  static LiveSample take(
      GridMember grid,
      TenantUsages usages,
      MemoryFacts memory,
      MemberReports members,
      Set<TenantName> watched) {
    Administration.Top top = usages.top(Ranking.OPERATIONS, RANKINGS, watched, MOST_TENANTS);
    Map<TenantName, Tenant> records = new HashMap<>();
    top.tenants()
        .keySet()
        .forEach(name -> usages.tenant(name).ifPresent(tenant -> records.put(name, tenant)));
    return new LiveSample(
        Instant.now(),
        grid.members(),
        grid.partitionsByOwner(),
        grid.safety(),
        grid.loadProgress(),
        memory.tiers(),
        grid.logFigures(),
        top.tenants(),
        records,
        usages.tenantCount(),
        usages.all(),
        top.silent(),
        members.everywhere());
  }
}
