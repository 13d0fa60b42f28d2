package io.keyvalueserve.server.http;

import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.ClientBacklog;
import io.keyvalueserve.server.TenantUsage;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The quotas of tenants over all members, and their usage on this member. Sum the usage over
 * members; memory and entries are counted with their backups. Some tenants have series of their
 * own. The usage of the others is added up under the tenant {@code (rest)}. Not thread-safe.
 */
final class QuotaMetrics {
  private static final String THROTTLED = "kvs.throttled";
  private static final String THROTTLED_MEANS =
      "Requests that were not admitted, as a rate was used up";

  private final MeterRegistry registry;
  private final MultiGauge limits;
  private final MultiGauge used;
  private final MultiGauge waiting;
  private final MultiGauge behind;
  private final MultiGauge backlogRequests;
  private final MultiGauge backlogBytes;
  private final MultiGauge unreadBytes;
  private final AtomicLong cutOff = new AtomicLong();
  private final Map<String, Throttled> throttled = new HashMap<>();
  private final RestCounter throttledRest = new RestCounter();
  private boolean hasRest;

  QuotaMetrics(MeterRegistry registry) {
    this.registry = registry;
    limits =
        MultiGauge.builder("kvs.quota.limit")
            .description("What a tenant may use on all members, where that is limited")
            .register(registry);
    waiting =
        MultiGauge.builder("kvs.waiting")
            .description("How long a tenant's sessions wait to be served here, seconds a second")
            .register(registry);
    behind =
        MultiGauge.builder("kvs.waiting.behind")
            .description("How much of that another tenant is served, seconds a second")
            .register(registry);
    backlogRequests =
        MultiGauge.builder("kvs.client.waiting.requests")
            .description("Requests of a tenant's Hazelcast clients that are not answered here yet")
            .register(registry);
    backlogBytes =
        MultiGauge.builder("kvs.client.waiting.bytes")
            .description("How long these are")
            .baseUnit("bytes")
            .register(registry);
    unreadBytes =
        MultiGauge.builder("kvs.client.unread.bytes")
            .description("Answers and events that a tenant's Hazelcast clients have not read")
            .baseUnit("bytes")
            .register(registry);
    FunctionCounter.builder("kvs.client.cut.off", cutOff, AtomicLong::doubleValue)
        .description("Hazelcast clients that were cut off, as they did not read")
        .register(registry);
    used =
        MultiGauge.builder("kvs.quota.used")
            .description("What a tenant uses on this member, with backups")
            .register(registry);
  }

  /**
   * Takes the figures for the next scrape.
   *
   * @param chosen the tenants with series of their own
   * @param withRest whether the others have one together
   */
  void update(Administration administration, Set<TenantName> chosen, boolean withRest) {
    List<Row<?>> limitRows = new ArrayList<>();
    List<Row<?>> usedRows = new ArrayList<>();
    List<Row<?>> waitingRows = new ArrayList<>();
    List<Row<?>> behindRows = new ArrayList<>();
    List<Row<?>> backlogRequestRows = new ArrayList<>();
    List<Row<?>> backlogByteRows = new ArrayList<>();
    List<Row<?>> unreadRows = new ArrayList<>();
    cutOff.set(administration.clientsCutOffHere());
    TenantUsage sum = TenantUsage.NOTHING;
    Set<String> present = new HashSet<>();
    for (TenantName tenant : chosen) {
      Tenant record = administration.knownTenant(tenant).orElse(null);
      if (record == null) {
        continue;
      }
      String name = tenant.value();
      present.add(name);
      for (Limit limit : Limit.values()) {
        if (record.quota().of(limit) != Quota.UNLIMITED) {
          limitRows.add(Row.of(tags(name, limit), record.quota().of(limit)));
        }
      }
      TenantUsage usage = administration.usageHere(tenant);
      sum = sum.plus(usage);
      use(name, usage, usedRows);
      usedRows.add(Row.of(tags(name, Limit.LOCKS), usage.locks()));
      waitingRows.add(Row.of(Tags.of("tenant", name), usage.waited()));
      usage
          .behind()
          .forEach(
              (other, seconds) ->
                  behindRows.add(Row.of(Tags.of("tenant", name, "other", other), seconds)));
      ClientBacklog backlog = administration.backlogHere(tenant);
      backlogRequestRows.add(Row.of(Tags.of("tenant", name), backlog.requests()));
      backlogByteRows.add(Row.of(Tags.of("tenant", name), backlog.bytes()));
      unreadRows.add(Row.of(Tags.of("tenant", name), backlog.unreadBytes()));
      throttled(name, usage);
    }
    throttled.entrySet().removeIf(each -> leaves(each.getKey(), each.getValue(), present));
    if (withRest) {
      rest(administration.allUsageHere(), sum, usedRows);
    }
    limits.register(limitRows, true);
    used.register(usedRows, true);
    waiting.register(waitingRows, true);
    behind.register(behindRows, true);
    backlogRequests.register(backlogRequestRows, true);
    backlogBytes.register(backlogByteRows, true);
    unreadBytes.register(unreadRows, true);
  }

  private static void use(String tenant, TenantUsage usage, List<Row<?>> rows) {
    rows.add(Row.of(tags(tenant, Limit.MEMORY), usage.memoryBytes()));
    rows.add(Row.of(tags(tenant, Limit.ENTRIES), usage.entries()));
    rows.add(Row.of(tags(tenant, Limit.CONNECTIONS), usage.connections()));
    rows.add(Row.of(tags(tenant, Limit.OPERATIONS), usage.operationsPerSecond()));
    rows.add(Row.of(tags(tenant, Limit.BYTES_IN), usage.bytesInPerSecond()));
    rows.add(Row.of(tags(tenant, Limit.BYTES_OUT), usage.bytesOutPerSecond()));
  }

  /** They were not read at one moment: a difference can be a little below 0. */
  private void rest(TenantUsage all, TenantUsage own, List<Row<?>> rows) {
    use(
        OwnTenants.REST,
        new TenantUsage(
            Math.max(0, all.operationsPerSecond() - own.operationsPerSecond()),
            Math.max(0, all.bytesInPerSecond() - own.bytesInPerSecond()),
            Math.max(0, all.bytesOutPerSecond() - own.bytesOutPerSecond()),
            0,
            Math.max(0, all.memoryBytes() - own.memoryBytes()),
            Math.max(0, all.entries() - own.entries()),
            Math.max(0, all.connections() - own.connections()),
            0,
            0,
            0,
            Map.of(),
            Map.of()),
        rows);
    if (!hasRest) {
      hasRest = true;
      FunctionCounter.builder(THROTTLED, throttledRest, RestCounter::shown)
          .description(THROTTLED_MEANS)
          .tag("tenant", OwnTenants.REST)
          .register(registry);
    }
    long _ = throttledRest.update(all.throttled() - own.throttled());
  }

  private static Tags tags(String tenant, Limit limit) {
    return Tags.of("tenant", tenant, "limit", limit.text());
  }

  private void throttled(String tenant, TenantUsage usage) {
    throttled
        .computeIfAbsent(
            tenant,
            added -> {
              AtomicReference<TenantUsage> latest = new AtomicReference<>(usage);
              return new Throttled(
                  latest,
                  FunctionCounter.builder(THROTTLED, latest, now -> now.get().throttled())
                      .description(THROTTLED_MEANS)
                      .tag("tenant", added)
                      .register(registry));
            })
        .latest()
        .set(usage);
  }

  private boolean leaves(String tenant, Throttled gone, Set<String> present) {
    if (present.contains(tenant)) {
      return false;
    }
    registry.remove(gone.meter());
    throttledRest.joins(gone.latest().get().throttled());
    return true;
  }

  private record Throttled(AtomicReference<TenantUsage> latest, Meter meter) {}
}
