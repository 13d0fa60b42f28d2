package io.keyvalueserve.sql.service;

import io.keyvalueserve.sql.SqlLimits;
import io.keyvalueserve.sql.plan.Plan;
import java.time.ZoneId;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Statements of tenants that were prepared lately. Thread-safe. */
final class PlanCache {
  private static final int TENANTS = 4096;

  private final SqlLimits limits;
  private final Map<Integer, TenantPlans> byTenant = new ConcurrentHashMap<>();

  PlanCache(SqlLimits limits) {
    this.limits = limits;
  }

  /** The text, and what else a plan depends on. */
  private record Key(String sql, ZoneId zone) {}

  /** Returns a statement; null if it is not kept. */
  @Nullable Prepared find(int tenant, String sql, ZoneId zone) {
    TenantPlans plans = byTenant.get(tenant);
    return plans == null ? null : plans.find(new Key(sql, zone));
  }

  /** Keeps a statement that has a plan, instead of those that were not used for long. */
  void add(int tenant, ZoneId zone, Prepared prepared) {
    Plan plan = prepared.plan();
    if (plan == null || limits.cachedPlans() == 0) {
      return;
    }
    if (byTenant.size() >= TENANTS && !byTenant.containsKey(tenant)) {
      byTenant.clear();
    }
    byTenant
        .computeIfAbsent(tenant, _ -> new TenantPlans())
        .add(new Key(prepared.sql(), zone), prepared, plan.estimatedBytes(prepared.sql()), limits);
  }

  /** Returns how many statements of a tenant are kept. */
  int size(int tenant) {
    TenantPlans plans = byTenant.get(tenant);
    return plans == null ? 0 : plans.size();
  }

  /** The statements of one tenant. */
  private static final class TenantPlans {
    private final LinkedHashMap<Key, Kept> plans = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** A statement, and what it takes. */
    private record Kept(Prepared prepared, long bytes) {}

    synchronized @Nullable Prepared find(Key key) {
      Kept kept = plans.get(key);
      return kept == null ? null : kept.prepared;
    }

    synchronized void add(Key key, Prepared prepared, long size, SqlLimits limits) {
      Kept before = plans.put(key, new Kept(prepared, size));
      bytes += size - (before == null ? 0 : before.bytes);
      Iterator<Kept> oldest = plans.values().iterator();
      while (oldest.hasNext()
          && (plans.size() > limits.cachedPlans() || bytes > limits.cachedBytes())) {
        bytes -= oldest.next().bytes;
        oldest.remove();
      }
    }

    synchronized int size() {
      return plans.size();
    }
  }
}
