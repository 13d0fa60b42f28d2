package io.keyvalueserve.server.http;

import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.ClientBacklog;
import io.keyvalueserve.server.TenantUsage;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Quota;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What tenants may use, over all members, and what they use on this one: sum it over members, and
 * mind that memory and entries are counted with their backups. Not thread-safe.
 */
final class QuotaMetrics {
  private final MeterRegistry registry;
  private final MultiGauge limits;
  private final MultiGauge used;
  private final MultiGauge waiting;
  private final MultiGauge behind;
  private final MultiGauge backlogRequests;
  private final MultiGauge backlogBytes;
  private final MultiGauge unreadBytes;
  private final AtomicLong cutOff = new AtomicLong();
  private final Map<String, AtomicReference<TenantUsage>> latest = new HashMap<>();

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

  /** Takes the figures for the next scrape. */
  void update(Administration administration) {
    List<Row<?>> limitRows = new ArrayList<>();
    List<Row<?>> usedRows = new ArrayList<>();
    List<Row<?>> waitingRows = new ArrayList<>();
    List<Row<?>> behindRows = new ArrayList<>();
    List<Row<?>> backlogRequestRows = new ArrayList<>();
    List<Row<?>> backlogByteRows = new ArrayList<>();
    List<Row<?>> unreadRows = new ArrayList<>();
    cutOff.set(administration.clientsCutOffHere());
    administration
        .quotasByTenant()
        .forEach(
            (tenant, quota) -> {
              String name = tenant.value();
              for (Limit limit : Limit.values()) {
                if (quota.of(limit) != Quota.UNLIMITED) {
                  limitRows.add(Row.of(tags(name, limit), quota.of(limit)));
                }
              }
              TenantUsage usage = administration.usageHere(tenant);
              usedRows.add(Row.of(tags(name, Limit.MEMORY), usage.memoryBytes()));
              usedRows.add(Row.of(tags(name, Limit.ENTRIES), usage.entries()));
              usedRows.add(Row.of(tags(name, Limit.CONNECTIONS), usage.connections()));
              usedRows.add(Row.of(tags(name, Limit.LOCKS), usage.locks()));
              usedRows.add(Row.of(tags(name, Limit.OPERATIONS), usage.operationsPerSecond()));
              usedRows.add(Row.of(tags(name, Limit.BYTES_IN), usage.bytesInPerSecond()));
              usedRows.add(Row.of(tags(name, Limit.BYTES_OUT), usage.bytesOutPerSecond()));
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
            });
    limits.register(limitRows, true);
    used.register(usedRows, true);
    waiting.register(waitingRows, true);
    behind.register(behindRows, true);
    backlogRequests.register(backlogRequestRows, true);
    backlogBytes.register(backlogByteRows, true);
    unreadBytes.register(unreadRows, true);
  }

  private static Tags tags(String tenant, Limit limit) {
    return Tags.of("tenant", tenant, "limit", limit.text());
  }

  private void throttled(String tenant, TenantUsage usage) {
    latest
        .computeIfAbsent(
            tenant,
            added -> {
              AtomicReference<TenantUsage> reference = new AtomicReference<>(usage);
              FunctionCounter.builder("kvs.throttled", reference, now -> now.get().throttled())
                  .description("Requests that were not admitted, as a rate was used up")
                  .tag("tenant", added)
                  .register(registry);
              return reference;
            })
        .set(usage);
  }
}
