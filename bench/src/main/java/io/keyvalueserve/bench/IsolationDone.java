package io.keyvalueserve.bench;

import java.util.Map;
import java.util.SortedMap;

/**
 * What an aggressor did in the time that counts.
 *
 * @param failure why it could not; empty if it could
 * @param answered operations that were answered as they should
 * @param total the same, at any time
 * @param refused operations and connections that met a limit of the tenant
 * @param errors what others met, and how many met it
 * @param peers what peers without a key saw at each door; empty for other aggressors
 */
record IsolationDone(
    String failure,
    long answered,
    long total,
    long refused,
    SortedMap<String, Long> errors,
    Map<HostileDoor, KeylessSeen> peers) {
  long failed() {
    return errors.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns what peers without a key saw at all doors together. */
  KeylessSeen allPeers() {
    return peers.values().stream().reduce(KeylessSeen.NONE, KeylessSeen::plus);
  }
}
