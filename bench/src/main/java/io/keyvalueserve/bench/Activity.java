package io.keyvalueserve.bench;

import java.util.SortedMap;
import org.HdrHistogram.Histogram;

/**
 * The figures of a storm while all its connections are active at a low rate.
 *
 * @param window latencies count from when a request was due
 * @param losses why connections were lost, and how many
 * @param lateness how long after it was due the load sent a request that nothing held up, in
 *     nanoseconds: latencies are not more exact than this
 */
record Activity(Window window, SortedMap<String, Integer> losses, Histogram lateness) {
  int lost() {
    return Opening.sum(losses);
  }

  double lateMicros(double percentile) {
    return lateness.getValueAtPercentile(percentile) / 1e3;
  }
}
