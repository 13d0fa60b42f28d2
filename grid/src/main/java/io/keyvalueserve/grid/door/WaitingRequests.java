package io.keyvalueserve.grid.door;

import com.hazelcast.internal.util.collection.Long2LongHashMap;

/**
 * The requests of one session that wait for their answers, so that each is counted once and given
 * back once, whether it is answered, fails, or its connection is lost. The reader of the connection
 * admits, the writer answers, who closes it ends.
 */
final class WaitingRequests {
  private static final long NONE = -1;

  private final TenantsWaiting.OfTenant tenant;
  private final Long2LongHashMap lengths = new Long2LongHashMap(NONE);
  private long bytes;
  private boolean ended;

  WaitingRequests(TenantsWaiting.OfTenant tenant) {
    this.tenant = tenant;
  }

  /**
   * Counts a request from now until it is answered.
   *
   * @return false if its tenant has too much waiting: it is not counted then
   */
  synchronized boolean admit(long correlation, int length) {
    if (ended) {
      return true; // nobody will be answered
    }
    if (!tenant.take(length)) {
      return false;
    }
    long same = lengths.put(correlation, length);
    bytes += length;
    if (same != NONE) { // the client has forgotten the first
      bytes -= same;
      tenant.give(1, same);
    }
    return true;
  }

  /** A request was answered; nothing happens if it was not counted. */
  synchronized void answered(long correlation) {
    long length = lengths.remove(correlation);
    if (length != NONE) {
      bytes -= length;
      tenant.give(1, length);
    }
  }

  /** The connection is closed: nothing will be answered. */
  synchronized void end() {
    if (!ended) {
      ended = true;
      tenant.give(lengths.size(), bytes);
      lengths.clear();
      tenant.leave();
    }
  }

  /** How many requests its tenant has waiting, of all sessions. Any thread. */
  int ofTenant() {
    return tenant.requests();
  }

  /** Why a request was not admitted. */
  String refusal() {
    return tenant.refusal();
  }
}
