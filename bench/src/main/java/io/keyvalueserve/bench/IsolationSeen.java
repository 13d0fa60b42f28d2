package io.keyvalueserve.bench;

import java.util.List;
import java.util.SortedMap;

/**
 * What a victim has seen in a time.
 *
 * @param window what was answered in that time, without errors; latencies count from when requests
 *     were due, also of those that were answered later, or not at all; those of errors do not count
 * @param asked how many requests were due
 * @param answered how many of those were answered as they should, also later
 * @param errors what the others met, and how many met it
 * @param slowest the hundredth of the requests that took longest, which p99 leaves out; of those
 *     whose latencies count
 */
record IsolationSeen(
    Window window,
    long asked,
    long answered,
    SortedMap<String, Long> errors,
    List<SlowRequest> slowest) {
  long failed() {
    return errors.values().stream().mapToLong(Long::longValue).sum();
  }
}
