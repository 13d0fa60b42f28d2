package io.keyvalueserve.gates.reclaim;

import java.util.Locale;

/**
 * What active tenants hit beside quiet ones, in percent of what they hit alone, under each policy:
 * {@code ReclaimSimulation [requests of the active tenants [requests a second of each of them]]}.
 */
final class ReclaimSimulation {
  private static final int[][] TENANTS = {{2, 2}, {2, 8}, {4, 4}, {2, 20}, {1, 20}};
  private static final double[] SKEWS = {0.7, 0.99, 1.2};
  private static final int KEYS = 50_000;

  private ReclaimSimulation() {}

  public static void main(String[] arguments) {
    int requests = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2_000_000;
    int perSecond = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000;
    System.out.println(
        "active + quiet, skew, records; for each policy: hit ratio alone -> beside quiet: kept");
    for (int[] tenants : TENANTS) {
      for (double skew : SKEWS) {
        for (int cached : new int[] {10_000, 40_000}) {
          run(new Workload(tenants[0], tenants[1], KEYS, skew, cached, perSecond), requests);
        }
      }
    }
  }

  private static void run(Workload workload, int requests) {
    System.out.printf(
        "%d + %d tenants, %d keys each, Zipf %.2f, %d records in memory%n",
        workload.activeTenants(),
        workload.quietTenants(),
        workload.keys(),
        workload.skew(),
        workload.cachedRecords());
    Workload alone = workload.alone();
    print(
        "reclaim by tenant",
        alone.activeHitRatio(TenantCache.of(alone, 1), requests, 2),
        workload.activeHitRatio(TenantCache.of(workload, 1), requests, 2));
    for (Peers peer : Peers.values()) {
      print(
          peer.name().toLowerCase(Locale.ROOT).replace('_', ' '),
          alone.activeHitRatio(peer.cache(alone, 1), requests, 2),
          workload.activeHitRatio(peer.cache(workload, 1), requests, 2));
    }
  }

  private static void print(String policy, double alone, double mixed) {
    System.out.printf(
        "  %-18s %.4f -> %.4f: %6.2f %%%n", policy, alone, mixed, 100 * mixed / alone);
  }
}
