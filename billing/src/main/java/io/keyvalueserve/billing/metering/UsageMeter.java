package io.keyvalueserve.billing.metering;

import java.lang.ref.Reference;

/**
 * Counts what a tenant uses of one map. A session gets its own from {@link UsageBook#meter} when it
 * selects the map, and keeps it for as long as it needs it; then it forgets it.
 *
 * <p>Thread-safe. Counting allocates nothing, takes no lock and touches nothing of other tenants.
 */
public final class UsageMeter implements UsageSink {
  private final UsageCounters counters;

  UsageMeter(UsageCounters counters) {
    this.counters = counters;
  }

  /**
   * Adds to a flow, or the unit-seconds of a level.
   *
   * @param quantity 0 or more; together no more than 2^63 - 1 between two flushes
   * @throws IllegalArgumentException if it is negative; nothing is counted
   */
  @Override
  public void add(Measure measure, long quantity) {
    try {
      counters.add(measure, quantity);
    } finally {
      Reference.reachabilityFence(this); // or the book could let go of the counters before
    }
  }

  /**
   * Adds one request with its bytes.
   *
   * @param operation what it did
   * @param operations on how many keys: 0 or more
   * @param bytesIn of the request: 0 or more
   * @param bytesOut of the answer: 0 or more
   */
  public void request(Measure operation, long operations, long bytesIn, long bytesOut) {
    try {
      counters.add(operation, operations);
      counters.add(Measure.BYTES_IN, bytesIn);
      counters.add(Measure.BYTES_OUT, bytesOut);
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
