package io.keyvalueserve.gates.reclaim;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Requests of tenants on one memory. Each tenant has its own keys, which it asks for by Zipf's law;
 * who asks next is chosen by the tenants' rates.
 *
 * @param activeTenants how many ask ten times as often as the others
 * @param quietTenants how many others there are
 * @param keys of each tenant
 * @param skew the exponent of Zipf's law, for all
 * @param cachedRecords how many records the memory holds
 * @param activePerSecond requests of each active tenant
 */
record Workload(
    int activeTenants,
    int quietTenants,
    int keys,
    double skew,
    int cachedRecords,
    int activePerSecond) {
  static final int TIMES_AS_ACTIVE = 10;

  int tenants() {
    return activeTenants + quietTenants;
  }

  /** The active tenants with nobody else. */
  Workload alone() {
    return new Workload(activeTenants, 0, keys, skew, cachedRecords, activePerSecond);
  }

  double perSecond() {
    return activePerSecond * (activeTenants + (double) quietTenants / TIMES_AS_ACTIVE);
  }

  /** What active tenants hit after the memory has warmed up, 0 to 1. */
  double activeHitRatio(Cache cache, int activeRequests, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] zipf = zipf();
    double quietPart = quietTenants / (quietTenants + (double) activeTenants * TIMES_AS_ACTIVE);
    int warm = activeRequests / 3;
    long all = 0;
    int hits = 0;
    for (int active = 0; active < activeRequests; all++) {
      boolean quiet = random.nextDouble() < quietPart;
      int tenant =
          quiet ? activeTenants + random.nextInt(quietTenants) : random.nextInt(activeTenants);
      int key = tenant * keys + key(zipf, random.nextDouble());
      boolean hit = cache.access(tenant, key, (int) (all / perSecond()));
      if (!quiet) {
        hits += hit && active >= warm ? 1 : 0;
        active++;
      }
    }
    return (double) hits / (activeRequests - warm);
  }

  private double[] zipf() {
    double[] sums = new double[keys];
    double sum = 0;
    for (int i = 0; i < keys; i++) {
      sum += 1 / Math.pow(i + 1, skew);
      sums[i] = sum;
    }
    for (int i = 0; i < keys; i++) {
      sums[i] /= sum;
    }
    return sums;
  }

  private static int key(double[] sums, double at) {
    int found = Arrays.binarySearch(sums, at);
    return Math.min(sums.length - 1, found < 0 ? -found - 1 : found);
  }
}
