package io.keyvalueserve.server.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.gates.latency.Latencies;
import io.keyvalueserve.server.MemberFigures;
import io.keyvalueserve.server.MemberReport;
import io.keyvalueserve.server.TenantUsage;
import io.keyvalueserve.tenancy.Door;

/** The JSON of latencies and of members' figures. */
final class LatencyJson {
  static final String LATENCY = "latency";

  private static final double NANOS_PER_MICRO = 1e3;
  private static final double MICROS_PER_MILLI = 1e3;
  private static final double MEDIAN = 0.5;
  private static final double PERCENT_99 = 0.99;
  private static final double PERCENT_99_9 = 0.999;

  private LatencyJson() {}

  /** Adds how long requests took, if there were any. */
  static void put(ObjectNode body, Latencies latencies) {
    if (latencies.count() > 0) {
      body.set(LATENCY, json(latencies));
    }
  }

  /** Adds how long a tenant's requests took, at each door and at all, if there were any. */
  static void putDoors(ObjectNode body, TenantUsage usage) {
    Latencies all = usage.latency();
    if (all.count() > 0) {
      ObjectNode latency = json(all);
      ObjectNode doors = latency.putObject("doors");
      for (Door door : Door.values()) {
        Latencies each = usage.latencies().getOrDefault(door, Latencies.NONE);
        if (each.count() > 0) {
          doors.set(door.label(), json(each));
        }
      }
      body.set(LATENCY, latency);
    }
  }

  private static ObjectNode json(Latencies latencies) {
    return HttpDoor.object()
        .put("requests", latencies.count())
        .put("p50Millis", millis(latencies.percentileNanos(MEDIAN)))
        .put("p99Millis", millis(latencies.percentileNanos(PERCENT_99)))
        .put("p999Millis", millis(latencies.percentileNanos(PERCENT_99_9)))
        .put("maxMillis", millis(latencies.mostNanos()));
  }

  private static double millis(long nanos) {
    return Math.round(nanos / NANOS_PER_MICRO) / MICROS_PER_MILLI;
  }

  /** A member and what it says of itself. */
  static ObjectNode json(MemberReport report) {
    ObjectNode body =
        HttpDoor.object()
            .put("uuid", report.member().uuid().toString())
            .put("address", report.member().address())
            .put("local", report.member().local())
            .put("partitions", report.partitions());
    MemberFigures figures = report.figures();
    if (figures == null) {
      return body.put("state", "silent");
    }
    body.put("name", figures.name())
        .put("state", figures.loading() ? "loading" : "active")
        .put("operationsPerSecond", Math.round(figures.operationsPerSecond()))
        .put("connections", figures.connections());
    put(body, figures.latencies());
    ArrayNode tiers = body.putArray("tiers");
    for (MemberFigures.Tier tier : figures.tiers()) {
      tiers
          .addObject()
          .put("name", tier.name())
          .put("capacityBytes", tier.capacityBytes())
          .put("usedBytes", tier.usedBytes());
    }
    MemberFigures.Log log = figures.log();
    if (log != null) {
      body.putObject("log")
          .put("appendedBytesPerSecond", Math.round(log.appendedBytesPerSecond()))
          .put("liveBytes", log.liveBytes())
          .put("deadBytes", log.deadBytes());
    }
    return body;
  }
}
