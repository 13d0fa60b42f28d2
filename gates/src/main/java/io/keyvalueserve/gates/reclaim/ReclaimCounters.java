package io.keyvalueserve.gates.reclaim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counters of memory that was reclaimed since the member started, for metrics. Thread-safe. */
public final class ReclaimCounters {
  private final Map<Key, Total> totals = new ConcurrentHashMap<>();

  private record Key(int tenant, ReclaimReason.Kind reason, ReclaimAction action) {}

  private record Total(long bytes, long records) {
    Total plus(Total other) {
      return new Total(bytes + other.bytes, records + other.records);
    }
  }

  /**
   * The memory reclaimed from one tenant for one reason in one way.
   *
   * @param bytes of memory that came free
   */
  public record Reading(
      int tenant, ReclaimReason.Kind reason, ReclaimAction action, long bytes, long records) {}

  /** Adds what a report says. */
  public void add(ReclaimReport report) {
    for (ReclaimReport.Item item : report.items()) {
      ReclaimPlan.Take take = item.take();
      totals.merge(
          new Key(take.tenant(), take.reason().kind(), take.action()),
          new Total(item.freedBytes(), item.records()),
          Total::plus);
    }
  }

  /** All counters, by tenant, reason and action. */
  public List<Reading> readings() {
    List<Reading> readings = new ArrayList<>();
    totals.forEach(
        (key, total) ->
            readings.add(
                new Reading(key.tenant, key.reason, key.action, total.bytes, total.records)));
    readings.sort(
        Comparator.comparingInt(Reading::tenant)
            .thenComparing(Reading::reason)
            .thenComparing(Reading::action));
    return readings;
  }

  /** Forgets a tenant that was deleted. */
  public void forget(int tenant) {
    totals.keySet().removeIf(key -> key.tenant == tenant);
  }
}
