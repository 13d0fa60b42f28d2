package io.keyvalueserve.gates.fairness;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The time that a tenant's sessions were served and waited to be served, since the beginning. All
 * times are sums over sessions, in nanoseconds.
 *
 * @param tenant the tenant's number
 * @param servedNanos how long it was served
 * @param waits how often a session waited
 * @param waitedNanos how long they waited: from being ready to being served
 * @param behindOthersNanos how much of that other tenants were served; what is left is its own
 *     sessions, and what the thread did beside serving
 * @param longestNanos the longest wait that ended in the last 10 to 20 seconds
 * @param aggressors the tenants that were served most of {@code behindOthersNanos}, the worst
 *     first: at most 8
 */
public record Waits(
    int tenant,
    long servedNanos,
    long waits,
    long waitedNanos,
    long behindOthersNanos,
    long longestNanos,
    List<Aggressor> aggressors) {

  public Waits {
    aggressors = List.copyOf(aggressors);
  }

  /**
   * A tenant that was served while others waited.
   *
   * @param tenant the tenant's number
   * @param nanos for how long; never too little
   * @param errorNanos how much of that may be too much
   */
  public record Aggressor(int tenant, long nanos, long errorNanos) {
    private Aggressor plus(Aggressor other) {
      return new Aggressor(tenant, nanos + other.nanos, errorNanos + other.errorNanos);
    }
  }

  /**
   * The waits of the same tenant on two threads. A tenant that is among the aggressors of one only
   * may have less there than it should.
   */
  public Waits plus(Waits other) {
    Map<Integer, Aggressor> sums = new HashMap<>();
    aggressors.forEach(each -> sums.merge(each.tenant(), each, Aggressor::plus));
    other.aggressors.forEach(each -> sums.merge(each.tenant(), each, Aggressor::plus));
    return new Waits(
        tenant,
        servedNanos + other.servedNanos,
        waits + other.waits,
        waitedNanos + other.waitedNanos,
        behindOthersNanos + other.behindOthersNanos,
        Math.max(longestNanos, other.longestNanos),
        sums.values().stream()
            .sorted(Comparator.comparingLong(Aggressor::nanos).reversed())
            .limit(HeavyHitters.SIZE)
            .toList());
  }
}
