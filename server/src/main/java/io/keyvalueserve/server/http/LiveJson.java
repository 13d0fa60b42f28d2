package io.keyvalueserve.server.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.gates.latency.Latencies;
import io.keyvalueserve.grid.restart.LogFigures;
import io.keyvalueserve.memory.TierReport;
import io.keyvalueserve.server.LiveFigures.Frame;
import io.keyvalueserve.server.LiveSample;
import io.keyvalueserve.server.MemberFigures;
import io.keyvalueserve.server.MemberReport;
import io.keyvalueserve.server.TenantUsage;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Live figures as they are sent. */
final class LiveJson {
  private static final double MILLIS = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double TENTHS = 10;

  private LiveJson() {}

  static ObjectNode ofCluster(Frame frame) {
    LiveSample now = frame.now();
    ObjectNode body = head(frame);
    ClusterJson.put(body, now.safety());
    ArrayNode members = body.putArray("members");
    now.reports().forEach(report -> members.add(LatencyJson.json(report)));
    LatencyJson.put(
        body,
        now.reports().stream()
            .map(MemberReport::figures)
            .filter(Objects::nonNull)
            .map(MemberFigures::latencies)
            .reduce(Latencies.NONE, Latencies::plus));
    if (now.loading() != null) {
      body.set("loading", AdminRoutes.json(now.loading()));
    }
    ObjectNode memory = body.putObject("memory");
    memory
        .put("capacityBytes", now.tiers().stream().mapToLong(TierReport::capacityBytes).sum())
        .put("usedBytes", now.tiers().stream().mapToLong(TierReport::usedBytes).sum());
    ArrayNode tiers = memory.putArray("tiers");
    for (TierReport tier : now.tiers()) {
      tiers
          .addObject()
          .put("name", tier.name())
          .put("capacityBytes", tier.capacityBytes())
          .put("usedBytes", tier.usedBytes());
    }
    if (now.log() != null) {
      body.set("log", json(now.log()));
    }
    ArrayNode tenants = body.putArray("tenants");
    now.tenants()
        .forEach(
            (tenant, usage) -> tenants.add(json(frame, tenant, usage, now.records().get(tenant))));
    TenantUsage all = now.totals();
    body.put("tenantCount", now.tenantCount())
        .putObject("totals")
        .put(Limit.OPERATIONS.text(), rounded(all.operationsPerSecond()))
        .put(Limit.BYTES_IN.text(), Math.round(all.bytesInPerSecond()))
        .put(Limit.BYTES_OUT.text(), Math.round(all.bytesOutPerSecond()))
        .put(Limit.MEMORY.text(), all.memoryBytes())
        .put(Limit.ENTRIES.text(), all.entries())
        .put(Limit.CONNECTIONS.text(), all.connections());
    ArrayNode silent = body.putArray("silent");
    now.silent().forEach(silent::add);
    return body;
  }

  /** Returns the part of a frame about one tenant. */
  static ObjectNode ofTenant(Frame frame, TenantName tenant) {
    TenantUsage usage = frame.now().tenants().get(tenant);
    ObjectNode body = head(frame);
    if (usage != null) {
      body.set("tenant", json(frame, tenant, usage));
    }
    return body.put("complete", frame.now().silent().isEmpty());
  }

  private static ObjectNode head(Frame frame) {
    return HttpDoor.object().put("at", frame.now().at().toString());
  }

  private static ObjectNode json(LogFigures log) {
    return HttpDoor.object()
        .put("chunks", log.statistics().chunks())
        .put("fileBytes", log.statistics().fileBytes())
        .put("liveBytes", log.statistics().liveBytes())
        .put("syncs", log.statistics().syncs())
        .put("diskFull", log.diskFull())
        .put("failed", log.failed());
  }

  private static ObjectNode json(
      Frame frame, TenantName tenant, TenantUsage usage, @Nullable Tenant record) {
    ObjectNode body = json(frame, tenant, usage);
    if (record != null) {
      body.put("state", record.state().name().toLowerCase(Locale.ROOT));
      body.set("limits", QuotaRoutes.limits(record.quota()));
    }
    return body;
  }

  private static ObjectNode json(Frame frame, TenantName tenant, TenantUsage usage) {
    ObjectNode body =
        HttpDoor.object()
            .put("tenant", tenant.value())
            .put(Limit.OPERATIONS.text(), rounded(usage.operationsPerSecond()))
            .put(Limit.BYTES_IN.text(), Math.round(usage.bytesInPerSecond()))
            .put(Limit.BYTES_OUT.text(), Math.round(usage.bytesOutPerSecond()))
            .put(Limit.MEMORY.text(), usage.memoryBytes())
            .put(Limit.ENTRIES.text(), usage.entries())
            .put(Limit.CONNECTIONS.text(), usage.connections())
            .put("throttledPerSecond", rounded(frame.throttledPerSecond(tenant)))
            .put("waitedMillisPerSecond", rounded(usage.waited() * MILLIS))
            .put("longestWaitMillis", rounded(usage.longestWaitNanos() / NANOS_PER_MILLI));
    LatencyJson.put(body, usage.latency());
    return body;
  }

  private static double rounded(double figure) {
    return Math.round(figure * TENTHS) / TENTHS;
  }
}
