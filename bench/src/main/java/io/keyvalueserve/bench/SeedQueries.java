package io.keyvalueserve.bench;

import java.util.List;

/**
 * The figures of seed 001 ("Benchmarking and Performance Analysis for Distributed Cache Systems")
 * measured: operations per second, the average of 1 to 128 clients, of four nodes on one machine of
 * 4 cores. It prints the same figures for its queries 2 and 3 of 10,000 entries and more, so those
 * are no targets.
 *
 * @param system and its version
 * @param perSecond of get and of its queries 0 to 3
 */
record SeedQueries(String system, int entries, List<Double> perSecond) {
  private static final String HAZELCAST = "Hazelcast 3.6";
  private static final String INFINISPAN = "Infinispan 8.1";

  static final List<SeedQueries> ALL =
      List.of(
          new SeedQueries(HAZELCAST, 100, List.of(63_330.0, 3485.25, 4157.87, 4101.74, 12_154.58)),
          new SeedQueries(INFINISPAN, 100, List.of(126_510.0, 2493.22, 2633.41, 2631.53, 3360.91)),
          new SeedQueries(HAZELCAST, 1_000, List.of(59_480.0, 401.24, 406.09, 651.77, 5099.81)),
          new SeedQueries(INFINISPAN, 1_000, List.of(127_040.0, 612.90, 613.40, 785.25, 1322.45)),
          new SeedQueries(HAZELCAST, 10_000, List.of(64_210.0, 40.18, 40.36, 68.24, 68.24)),
          new SeedQueries(INFINISPAN, 10_000, List.of(125_390.0, 66.20, 66.44, 93.91, 93.91)),
          new SeedQueries(HAZELCAST, 100_000, List.of(64_130.0, 4.06, 3.60, 5.80, 5.80)),
          new SeedQueries(INFINISPAN, 100_000, List.of(124_620.0, 5.81, 6.01, 8.17, 8.17)));

  /** The paper's figures for a query; NaN if it is not its own. */
  double of(Query query) {
    int place = Query.OF_SEED.indexOf(query);
    return place < 0 ? Double.NaN : perSecond.get(place);
  }
}
