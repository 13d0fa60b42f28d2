package io.keyvalueserve.server.http;

import io.keyvalueserve.server.SnapshotJob.Kind;
import io.keyvalueserve.server.SnapshotJob.State;
import io.keyvalueserve.server.SnapshotJobs;
import io.keyvalueserve.tenancy.TenantName;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The figures of this member's snapshot jobs, as metrics. The tenants whose snapshots are the
 * oldest have series of their own, up to a number. Thread-safe.
 */
final class SnapshotMetrics implements MultiCollector {
  /** The most tenants that have a series. */
  static final int MOST_TENANTS = 200;

  private static final double MILLIS = 1e3;

  private final SnapshotJobs jobs;

  SnapshotMetrics(SnapshotJobs jobs) {
    this.jobs = jobs;
  }

  @Override
  public MetricSnapshots collect() {
    CounterSnapshot.Builder ended =
        CounterSnapshot.builder()
            .name("kvs_snapshot_jobs")
            .help("Snapshot jobs of this member that have ended, by kind and result");
    for (Kind kind : Kind.values()) {
      for (State result : List.of(State.DONE, State.FAILED)) {
        ended.dataPoint(
            point(
                Labels.of("kind", kind.text(), "result", result.text()),
                (double) jobs.count(kind, result)));
      }
    }
    CounterSnapshot entries =
        CounterSnapshot.builder()
            .name("kvs_snapshot_written_entries")
            .help("Entries in the snapshots that this member has created")
            .dataPoint(point(Labels.EMPTY, (double) jobs.writtenEntries()))
            .build();
    CounterSnapshot bytes =
        CounterSnapshot.builder()
            .name("kvs_snapshot_written_bytes")
            .help("Bytes that the snapshots of this member have added to repositories")
            .dataPoint(point(Labels.EMPTY, (double) jobs.writtenBytes()))
            .build();
    GaugeSnapshot.Builder last =
        GaugeSnapshot.builder()
            .name("kvs_snapshot_last_success_timestamp_seconds")
            .help("When this member has last created a snapshot of the tenant, since 1970");
    jobs.successes().entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.<Long>naturalOrder()))
        .limit(MOST_TENANTS)
        .forEach(
            each ->
                last.dataPoint(
                    GaugeDataPointSnapshot.builder()
                        .labels(Labels.of("tenant", nameOf(each)))
                        .value(each.getValue() / MILLIS)
                        .build()));
    return MetricSnapshots.of(ended.build(), entries, bytes, last.build());
  }

  private static String nameOf(Map.Entry<TenantName, Long> tenant) {
    return tenant.getKey().value();
  }

  private static CounterDataPointSnapshot point(Labels labels, double value) {
    return CounterDataPointSnapshot.builder().labels(labels).value(value).build();
  }
}
