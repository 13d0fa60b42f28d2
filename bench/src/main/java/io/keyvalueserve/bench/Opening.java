package io.keyvalueserve.bench;

import java.util.Map;
import java.util.SortedMap;
import org.HdrHistogram.Histogram;

/**
 * How a server took many connections at once.
 *
 * @param asked how many tried
 * @param refusals the others' reasons, and how many had each
 * @param nanos from the first attempt until each was answered a request, or was refused
 * @param serverNanos the processor time that the server used meanwhile
 * @param overflows how often a queue of connections to accept was full
 * @param latencies of those answered: from the attempt to the answer to the first request, in
 *     nanoseconds
 */
record Opening(
    int asked,
    SortedMap<String, Integer> refusals,
    long nanos,
    long serverNanos,
    long overflows,
    Histogram latencies) {

  int refused() {
    return sum(refusals);
  }

  int answered() {
    return asked - refused();
  }

  double seconds() {
    return nanos / 1e9;
  }

  /** The server's processor time for each that it answered, in microseconds. */
  double serverCpuMicros() {
    return serverNanos / 1e3 / answered();
  }

  double millis(double percentile) {
    return latencies.getValueAtPercentile(percentile) / 1e6;
  }

  static int sum(Map<String, Integer> reasons) {
    return reasons.values().stream().mapToInt(Integer::intValue).sum();
  }
}
