package io.keyvalueserve.server;

import io.keyvalueserve.grid.external.MapStoreStatus;
import io.keyvalueserve.grid.restart.LogFigures;
import io.keyvalueserve.memory.TierReport;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is an alert. The console has the same rules, with the same ids, for what it shows at
 * the moment ({@code lib/alerts.js}), but for external stores and snapshots.
 */
final class AlertRules {
  /** The part of a limit or of the memory from which on there is an alert. */
  private static final double NEARLY_FULL = 0.9;

  /** A write that waits longer than this, and than several delays, is an alert. */
  private static final long LEAST_WAITING_MILLIS = 60_000;

  private static final int WAITING_DELAYS = 10;

  private static final Map<Limit, String> LIMITED =
      Map.of(
          Limit.OPERATIONS, "operations a second",
          Limit.BYTES_IN, "bytes in a second",
          Limit.BYTES_OUT, "bytes out a second",
          Limit.MEMORY, "memory",
          Limit.ENTRIES, "entries",
          Limit.CONNECTIONS, "connections");

  private AlertRules() {}

  /**
   * The alerts that a member has about itself.
   *
   * @param member its address
   * @param log null if it keeps none
   */
  static List<Alert> ofMember(
      String member, List<TierReport> tiers, @Nullable LogFigures log, Instant at) {
    List<Alert> alerts = new ArrayList<>();
    long capacity = tiers.stream().mapToLong(TierReport::capacityBytes).sum();
    long used = tiers.stream().mapToLong(TierReport::usedBytes).sum();
    if (capacity > 0 && used >= NEARLY_FULL * capacity) {
      alerts.add(
          Alert.of("memory " + member, true, "Memory of member " + member + " is short", null, at));
    }
    if (log != null && log.failed()) {
      alerts.add(
          Alert.of("log " + member, true, "The log of member " + member + " has failed", null, at));
    } else if (log != null && log.diskFull()) {
      alerts.add(
          Alert.of(
              "disk " + member,
              true,
              "The disk of the log of member " + member + " is full",
              null,
              at));
    }
    return alerts;
  }

  /**
   * The alerts about the cluster and the tenants in a sample.
   *
   * @param before the sample before it; null if there is none
   */
  static List<Alert> ofCluster(LiveSample now, @Nullable LiveSample before) {
    Instant at = now.at();
    List<Alert> alerts = new ArrayList<>();
    if (!now.safety().lost().isEmpty()) {
      alerts.add(Alert.of("lost", true, "Partitions without a copy", null, at));
    } else if (!now.safety().safe()) {
      alerts.add(Alert.of("unsafe", true, "The cluster is not safe", null, at));
    }
    for (String member : now.silent()) {
      alerts.add(
          Alert.of("silent " + member, true, "Member " + member + " does not answer", null, at));
    }
    now.tenants().forEach((tenant, usage) -> addOf(tenant, usage, now, before, alerts));
    return alerts;
  }

  /**
   * The alerts about external stores.
   *
   * @param delays the delays of writes of the maps that have one, by their names in the grid
   * @param statuses of all members together
   */
  static List<Alert> ofStores(
      Map<String, Duration> delays, Map<String, MapStoreStatus> statuses, Instant at) {
    List<Alert> alerts = new ArrayList<>();
    new TreeMap<>(statuses)
        .forEach(
            (map, status) -> {
              Duration delay = delays.get(map);
              if (delay != null) {
                QualifiedName.parse(map).ifPresent(name -> addOf(name, delay, status, at, alerts));
              }
            });
    return alerts;
  }

  /**
   * The alerts about snapshots.
   *
   * @param latest the last job of each tenant that was to create a snapshot
   */
  static List<Alert> ofSnapshots(List<SnapshotJob> latest, Instant at) {
    List<Alert> alerts = new ArrayList<>();
    for (SnapshotJob job : latest) {
      if (job.state() == SnapshotJob.State.FAILED) {
        String title = "The last snapshot of tenant " + job.tenant() + " has failed";
        TenantName tenant = new TenantName(job.tenant());
        alerts.add(Alert.of("snapshot " + job.tenant(), true, title, tenant, at));
      }
    }
    return alerts;
  }

  /**
   * The alerts about plans of snapshots.
   *
   * @param failures why snapshots that were due could not be taken, by tenants
   */
  static List<Alert> ofPlans(Map<TenantName, String> failures, Instant at) {
    List<Alert> alerts = new ArrayList<>();
    for (TenantName tenant : failures.keySet()) {
      String title = "The snapshots of tenant " + tenant + " by its plan fail";
      alerts.add(Alert.of("snapshot plan " + tenant, true, title, tenant, at));
    }
    return alerts;
  }

  private static void addOf(
      QualifiedName map, Duration delay, MapStoreStatus status, Instant at, List<Alert> alerts) {
    TenantName tenant = map.tenant();
    if (status.problem() != null) {
      String title = "The database behind map " + map + " does not work";
      alerts.add(Alert.of("store " + map, true, title, tenant, at));
    }
    if (status.dead() > 0) {
      String title = "The database behind map " + map + " has refused writes";
      alerts.add(Alert.of("letters " + map, false, title, tenant, at));
    }
    long waited = at.toEpochMilli() - status.oldestMillis();
    if (status.oldestMillis() > 0 && waited > mostWaitingMillis(delay)) {
      String title = "Writes of map " + map + " wait too long for its database";
      alerts.add(Alert.of("waiting " + map, false, title, tenant, at));
    }
  }

  private static long mostWaitingMillis(Duration delay) {
    return Math.max(LEAST_WAITING_MILLIS, WAITING_DELAYS * delay.toMillis());
  }

  private static void addOf(
      TenantName tenant,
      TenantUsage usage,
      LiveSample now,
      @Nullable LiveSample before,
      List<Alert> alerts) {
    TenantUsage earlier = before == null ? null : before.tenants().get(tenant);
    if (earlier != null && usage.throttled() > earlier.throttled()) {
      alerts.add(
          Alert.of("throttled " + tenant, false, tenant + " is throttled", tenant, now.at()));
    }
    Tenant record = now.records().get(tenant);
    if (record == null) {
      return;
    }
    LIMITED.forEach(
        (limit, words) -> {
          long most = record.quota().of(limit);
          double used = used(usage, limit);
          if (most != Quota.UNLIMITED && used > 0 && used >= NEARLY_FULL * most) {
            boolean full = used >= most;
            alerts.add(
                Alert.of(
                    limit.text() + " " + tenant,
                    full,
                    tenant + (full ? " is at its limit of " : " is near its limit of ") + words,
                    tenant,
                    now.at()));
          }
        });
  }

  private static double used(TenantUsage usage, Limit limit) {
    return switch (limit) {
      case OPERATIONS -> usage.operationsPerSecond();
      case BYTES_IN -> usage.bytesInPerSecond();
      case BYTES_OUT -> usage.bytesOutPerSecond();
      case MEMORY -> usage.memoryBytes();
      case ENTRIES -> usage.entries();
      case CONNECTIONS -> usage.connections();
      case BURST, MAPS, VALUE, LOCKS, WEIGHT -> 0;
    };
  }
}
