package io.keyvalueserve.bench;

import org.HdrHistogram.Histogram;

/**
 * The rate at which a load offered operations.
 *
 * @param perSecond operations; 0 if as many as the server answered
 * @param lateness how long after it was due the load sent what no earlier reply held up, in
 *     nanoseconds: latencies are not more exact than this
 */
record Offer(long perSecond, Histogram lateness) {
  /** As many as the server answers. */
  static final Offer MOST = new Offer(0, new Histogram(1));

  boolean hasRate() {
    return perSecond > 0;
  }

  double lateMicros(double percentile) {
    return lateness.getValueAtPercentile(percentile) / 1e3;
  }
}
