package io.keyvalueserve.gates.fairness;

import java.util.ArrayList;
import java.util.List;

/**
 * Slices that go on beside each other, on several threads: which there are, what they take, and
 * what their tenants have been charged for them. Confined as the scheduler is that has them.
 */
final class SlicesAtOnce<T> {
  /** The number of slices that an expected time averages over. */
  private static final int SMOOTHING = 8;

  private final ServiceLog log;

  /** The claims whose slices go on, in no order. */
  private final List<Claim<T>> going = new ArrayList<>();

  /** The time until which the slices have been accounted for. */
  private long accountedNanos;

  /** The expected time of a slice of a tenant that had none yet. */
  private long expected;

  /**
   * Creates an instance without slices.
   *
   * @param log takes what is served
   * @param expected how long one is expected to take before any has: 1 or more
   */
  SlicesAtOnce(ServiceLog log, long expected) {
    this.log = log;
    this.expected = expected;
  }

  int count() {
    return going.size();
  }

  Claim<T> get(int place) {
    return going.get(place);
  }

  /**
   * Returns the expected time of a slice, from recent slices of its tenant or, if there were none,
   * of all tenants.
   */
  long expected(Flow<T> flow) {
    return flow.expected == 0 ? expected : flow.expected;
  }

  /**
   * A slice goes on.
   *
   * @param charged what is charged for it at its beginning, or {@link Claim#FREE}
   */
  void add(Claim<T> claim, long charged, long nowNanos) {
    claim.flow.going++;
    claim.charged = charged;
    claim.begunNanos = nowNanos;
    claim.place = going.size();
    going.add(claim);
  }

  /**
   * A slice has ended.
   *
   * @return what of it was charged and not taken
   */
  long remove(Claim<T> claim, long nowNanos) {
    Claim<T> moved = going.removeLast();
    if (moved != claim) {
      going.set(claim.place, moved);
      moved.place = claim.place;
    }
    claim.place = Claim.NOWHERE;
    Flow<T> flow = claim.flow;
    flow.going--;
    long cost = nowNanos - claim.begunNanos;
    if (cost > 0) { // something was done
      flow.expected =
          flow.expected == 0 ? cost : flow.expected + (cost - flow.expected) / SMOOTHING;
      expected += (cost - expected) / SMOOTHING;
    }
    return claim.charged == Claim.FREE ? 0 : Math.max(0, claim.charged - cost);
  }

  /** Accounts for what was served until now: each had an equal part of the time. */
  void account(long nowNanos) {
    int count = going.size();
    if (count > 0) {
      long part = (nowNanos - accountedNanos) / count;
      for (int i = 0; i < count; i++) {
        Flow<T> flow = going.get(i).flow;
        flow.served += part;
        log.add(flow.tenant, part);
        flow.meter.served(flow.served);
      }
    }
    accountedNanos = nowNanos;
  }

  /**
   * Charges a slice for the time it has taken beyond what was charged before, and returns that
   * time.
   */
  long due(Claim<T> claim, long nowNanos) {
    long took = nowNanos - claim.begunNanos;
    long due = took - claim.charged;
    if (due <= 0) {
      return 0;
    }
    claim.charged = took;
    return due;
  }
}
