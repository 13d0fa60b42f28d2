package io.keyvalueserve.server;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what tenants have in a repository while they are not in memory: when they are back, and
 * once a day. A ledger with an entry for each minute would take more memory than the tenant left.
 *
 * <p>The oldest member does it for all once a day, at midnight in UTC. Thread-safe; blocks.
 */
final class HibernatedUsage {
  private static final Logger LOG = LoggerFactory.getLogger(HibernatedUsage.class);
  private static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);
  private static final long SECOND_MILLIS = 1_000;

  /** The cluster's setting with the time until which all was counted. */
  private static final String TOLD = "hibernation.told";

  private final UsageBook book;
  private final GridMember grid;
  private final Function<TenantName, Optional<Tenant>> tenants;
  private final InstantSource clock;
  private volatile long lastDay;

  HibernatedUsage(
      UsageBook book,
      GridMember grid,
      Function<TenantName, Optional<Tenant>> tenants,
      InstantSource clock) {
    this.book = book;
    this.grid = grid;
    this.tenants = tenants;
    this.clock = clock;
  }

  /** Counts all tenants once a day, if this member is the one that does. To be called often. */
  void look() {
    long now = clock.millis();
    long day = now / DAY_MILLIS;
    if (day == lastDay || !grid.isOldest()) {
      return;
    }
    long told = toldMillis();
    if (told / DAY_MILLIS < day) {
      grid.settings().put(TOLD, Long.toString(now));
      grid.sleepingTenants()
          .forEachAsleep((tenant, bytes, since) -> add(new TenantName(tenant), bytes, since, told));
    }
    lastDay = day;
  }

  /** Counts a tenant that is back. */
  void woke(TenantName tenant, long bytes, long sinceMillis) {
    add(tenant, bytes, sinceMillis, toldMillis());
  }

  private long toldMillis() {
    return grid.settings().get(TOLD).map(Long::parseLong).orElse(0L);
  }

  private void add(TenantName name, long bytes, long sinceMillis, long toldMillis) {
    long millis = clock.millis() - Math.max(sinceMillis, toldMillis);
    Tenant tenant = tenants.apply(name).orElse(null);
    if (tenant == null || millis <= 0) {
      return;
    }
    LOG.debug("hibernated: tenant={} bytes={} millis={}", name, bytes, millis);
    book.meter(name, tenant.number(), null, SharingLevel.SHARED)
        .add(
            Measure.HIBERNATED_BYTES,
            Math.multiplyExact(bytes, Math.max(1, millis / SECOND_MILLIS)));
  }
}
