package io.keyvalueserve.gates.admission;

import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.ToIntFunction;

/**
 * The usage of tenants that members have reported to each other, and its effect on each tenant's
 * limits on this member. All methods are synchronized.
 */
public final class HoldingsBook {
  private static final long[] NOTHING_TOLD = {0, 0};

  private final UUID self;
  private final Admissions admissions;
  private final Map<UUID, UsageReport> others = new HashMap<>();
  private Map<String, long[]> told = Map.of();
  private Map<String, Long> lockedBefore = Map.of();

  /** The tenants whose limits hold to what was told last. */
  private Set<String> settled = Set.of();

  public HoldingsBook(UUID self, Admissions admissions) {
    this.self = self;
    this.admissions = admissions;
  }

  /**
   * Notes which locks are not counted yet. Call it before counting locks: a lock that is admitted
   * from now on may be missing from the count.
   *
   * @return whether there are any, so that the count must have them
   */
  public synchronized boolean beginCounting() {
    Map<String, Long> before = new HashMap<>();
    admissions.forEachUsage(
        (name, usage) -> {
          long since = usage.locksSince();
          if (since != 0) {
            before.put(name, since);
          }
        });
    lockedBefore = before;
    return !before.isEmpty();
  }

  /** Takes in what another member says. */
  public synchronized void take(UsageReport report) {
    if (!report.member().equals(self)) {
      others.put(report.member(), report);
    }
  }

  /**
   * Returns this member's report for the others.
   *
   * @param connections how many a tenant has open here
   * @param locks how many a tenant's clients hold on keys of this member's partitions, by its name;
   *     of those that hold some
   */
  public synchronized UsageReport report(
      ToIntFunction<Tenant> connections, Map<String, Integer> locks) {
    List<UsageReport.Part> parts = new ArrayList<>();
    Map<String, long[]> now = new HashMap<>();
    for (Tenant tenant : admissions.tenants()) {
      String name = tenant.name().value();
      int held = locks.getOrDefault(name, 0);
      if (tenant.state() != TenantState.DELETED && (keepsLimited(tenant.quota()) || held > 0)) {
        TenantHoldings usage = admissions.usage(name);
        long bytes = usage.allBytesHere();
        long entries = usage.entriesHere();
        now.put(name, new long[] {bytes, entries});
        parts.add(
            new UsageReport.Part(
                name, bytes, entries, connections.applyAsInt(tenant), held, maps(tenant, usage)));
      }
    }
    told = now;
    return new UsageReport(self, parts);
  }

  private static boolean keepsLimited(Quota quota) {
    return isSet(quota, Limit.MEMORY)
        || isSet(quota, Limit.ENTRIES)
        || isSet(quota, Limit.CONNECTIONS)
        || isSet(quota, Limit.MAPS);
  }

  private static boolean isSet(Quota quota, Limit limit) {
    return quota.of(limit) != Quota.UNLIMITED;
  }

  private static List<Long> maps(Tenant tenant, TenantHoldings usage) {
    return isSet(tenant.quota(), Limit.MAPS)
        ? usage.mapsHere().stream().map(TenantHoldings::hash).toList()
        : List.of();
  }

  /**
   * Has all tenants' limits hold to what was told.
   *
   * @param members those that there are: what others said once is forgotten
   * @param copies how many of each entry there are
   * @param locks as they were told
   */
  public synchronized void settle(
      Collection<UUID> members, int copies, Map<String, Integer> locks) {
    others.keySet().retainAll(members);
    Map<String, Sum> sums = new HashMap<>();
    locks.forEach((tenant, count) -> sum(sums, tenant).locks += count);
    for (UsageReport report : others.values()) {
      for (UsageReport.Part part : report.parts()) {
        sum(sums, part.tenant()).add(part);
      }
    }
    Set<String> concerned = new HashSet<>(sums.keySet());
    concerned.addAll(told.keySet());
    Set<String> forgotten = new HashSet<>(settled);
    forgotten.addAll(lockedBefore.keySet());
    forgotten.removeAll(concerned);
    forgotten.removeIf(name -> !admissions.knows(name));
    for (String name : forgotten) {
      admissions.usage(name).hearNothing(lockedBefore.getOrDefault(name, 0L));
    }
    settled = concerned;
    concerned.removeIf(name -> !admissions.knows(name));
    for (String name : concerned) { // mostly few of all tenants
      Sum sum = sums.get(name);
      long[] own = told.get(name);
      sum = sum == null ? Sum.NOTHING : sum;
      own = own == null ? NOTHING_TOLD : own;
      admissions
          .usage(name)
          .setHeard(
              new TenantHoldings.Heard(
                  sum.bytes,
                  sum.entries,
                  sum.connections,
                  sum.locks,
                  Set.copyOf(sum.maps),
                  own[0],
                  own[1],
                  members.size(),
                  copies),
              lockedBefore.getOrDefault(name, 0L));
    }
  }

  private static Sum sum(Map<String, Sum> sums, String tenant) {
    return sums.computeIfAbsent(tenant, absent -> new Sum());
  }

  private static final class Sum {
    static final Sum NOTHING = new Sum();

    long bytes;
    long entries;
    long connections;
    long locks;
    final Set<Long> maps = new HashSet<>();

    void add(UsageReport.Part part) {
      bytes += part.bytes();
      entries += part.entries();
      connections += part.connections();
      locks += part.locks();
      maps.addAll(part.maps());
    }
  }
}
