package io.keyvalueserve.bench;

import io.keyvalueserve.bench.IsolationServer.Subject;
import java.util.List;

/**
 * How a saturated server served equal tenants whose loads were not equal.
 *
 * @param loads what each offered
 * @param rounds in their order
 */
record IsolationFairness(Subject subject, List<String> loads, List<Round> rounds) {
  private static final double SATURATED = 0.9;

  /**
   * One round.
   *
   * @param served operations of each tenant, as its clients counted them
   * @param total the same, with what they were served before and after
   * @param failed errors of all
   * @param nanos how long it took
   * @param serverBusy how much of one core the server used, from 0 to 1
   * @param coreBusy how much of its core was used, by whomever, from 0 to 1
   */
  record Round(
      List<Long> served,
      List<Long> total,
      long failed,
      long nanos,
      double serverBusy,
      double coreBusy) {
    /** The least of what a tenant was served by the most: 1 is fair, 0 starves somebody. */
    double minMax() {
      return IsolationFairness.minMax(served);
    }

    double perSecond(int tenant) {
      return served.get(tenant) * 1e9 / nanos;
    }
  }

  /**
   * The min-max ratio that Pisces is judged by (Shue, Freedman, Shaikh: Performance Isolation and
   * Fairness for Multi-Tenant Cloud Storage, OSDI 2012): the least share by the most, from 0 to 1;
   * 0 if nobody was served.
   *
   * @param served one or more figures
   */
  static double minMax(List<Long> served) {
    long least = served.stream().mapToLong(Long::longValue).min().orElseThrow();
    long most = served.stream().mapToLong(Long::longValue).max().orElseThrow();
    return most == 0 ? 0 : (double) least / most;
  }

  double medianMinMax() {
    return Median.of(rounds.stream().mapToDouble(Round::minMax).toArray());
  }

  double perSecond(int tenant) {
    return Median.of(rounds.stream().mapToDouble(round -> round.perSecond(tenant)).toArray());
  }

  double serverBusy() {
    return Median.of(rounds.stream().mapToDouble(Round::serverBusy).toArray());
  }

  long failed() {
    return rounds.stream().mapToLong(Round::failed).sum();
  }

  /** Whether the server had no time left: else there was nothing to divide. */
  boolean isSaturated() {
    return Median.of(rounds.stream().mapToDouble(Round::coreBusy).toArray()) >= SATURATED;
  }
}
