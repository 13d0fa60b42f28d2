package io.keyvalueserve.gates.reclaim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A memory that is reclaimed by plan: what the members do, with records that are only counted. */
final class TenantCache implements Cache {
  static final int RECORD_BYTES = 100;

  private final ReclaimConfig config;
  private final SplittableRandom random;
  private final int sampleSize;
  private final VictimSample sample;
  private final Map<Integer, TenantActivity> activities = new HashMap<>();
  private final long[] requests;
  private final long[] reuses;
  private final Residents[] residents;
  private final byte[] counts;
  private final int[] lastUse;
  private int lookedSeconds;
  private int held;

  TenantCache(Workload workload, ReclaimConfig config, int sampleSize, int victims, long seed) {
    this.config = config;
    this.sampleSize = sampleSize;
    this.random = new SplittableRandom(seed);
    this.sample = new VictimSample(victims);
    int all = workload.tenants() * workload.keys();
    counts = new byte[all];
    lastUse = new int[all];
    requests = new long[workload.tenants()];
    reuses = new long[workload.tenants()];
    residents = new Residents[workload.tenants()];
    for (int i = 0; i < residents.length; i++) {
      residents[i] = new Residents(all);
      activities.put(i, new TenantActivity(0, 0, 0));
    }
  }

  /** As the product does it unless told otherwise. */
  static TenantCache of(Workload workload, long seed) {
    ReclaimConfig config = ReclaimConfig.of((long) workload.cachedRecords() * RECORD_BYTES);
    return new TenantCache(workload, config, 64, 8, seed);
  }

  int held(int tenant) {
    return residents[tenant].size();
  }

  @Override
  public boolean access(int tenant, int key, int nowSeconds) {
    look(nowSeconds);
    requests[tenant]++;
    boolean hit = residents[tenant].has(key);
    if (hit) {
      reuses[tenant] += lastUse[key] == nowSeconds ? 0 : 1;
      touch(key);
    } else {
      residents[tenant].add(key);
      counts[key] = 0;
      held++;
    }
    lastUse[key] = nowSeconds;
    if (config.neededBytes((long) held * RECORD_BYTES) > 0) {
      reclaim(nowSeconds);
    }
    return hit;
  }

  /** As records in memory count. */
  private void touch(int key) {
    int count = counts[key] & 0xFF;
    if (count < RecordScore.MOST_COUNT && (count == 0 || random.nextDouble() * count * 10 < 1)) {
      counts[key]++;
    }
  }

  private void look(int nowSeconds) {
    if (nowSeconds != lookedSeconds) {
      activities.forEach(
          (tenant, activity) ->
              activity.look(requests[tenant], reuses[tenant], nowSeconds * 1000L));
      lookedSeconds = nowSeconds;
    }
  }

  private void reclaim(int nowSeconds) {
    List<TenantMemory> usages = new ArrayList<>();
    activities.forEach(
        (tenant, activity) ->
            usages.add(
                new TenantMemory(
                    tenant + 1,
                    (long) residents[tenant].size() * RECORD_BYTES,
                    activity.lastActiveMillis(),
                    activity.usesPerSecond(),
                    activity.countedPerSecond(),
                    1,
                    0,
                    Long.MAX_VALUE,
                    ReclaimAction.DELETE)));
    ReclaimPlan plan =
        ReclaimPlanner.plan(config, (long) held * RECORD_BYTES, usages, nowSeconds * 1000L);
    for (ReclaimPlan.Take take : plan.takes()) {
      take(residents[take.tenant() - 1], take.bytes(), nowSeconds);
    }
  }

  private void take(Residents from, long bytes, int nowSeconds) {
    for (long left = bytes; left > 0 && from.size() > 0; ) {
      sample.clear();
      for (int i = 0; i < sampleSize; i++) {
        int key = from.any(random);
        sample.offer(key, RecordScore.of(counts[key] & 0xFF, nowSeconds - lastUse[key]));
      }
      for (int i = 0; i < sample.size() && left > 0; i++) {
        int key = (int) sample.record(i);
        if (from.has(key)) { // a sample may have met a record twice
          from.remove(key);
          held--;
          left -= RECORD_BYTES;
        }
      }
    }
  }
}
