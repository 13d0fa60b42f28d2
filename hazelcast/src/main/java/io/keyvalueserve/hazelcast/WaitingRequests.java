package io.keyvalueserve.hazelcast;

import com.hazelcast.internal.util.collection.Long2LongHashMap;
import io.keyvalueserve.maps.gather.Gathering;
import io.keyvalueserve.maps.gather.TenantHeap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one session that wait for their answers, so that each is counted once and given
 * back once, whether it is answered, fails, or its connection is lost. The reader of the connection
 * admits, the writer answers, who closes it ends.
 */
final class WaitingRequests {
  private static final long NONE = -1;
  private static final int KIND_BITS = 2;
  private static final int KIND_MASK = (1 << KIND_BITS) - 1;

  private final TenantsWaiting.OfTenant tenant;

  /** The length of each request, with its kind in the low bits, by the correlation id. */
  private final Long2LongHashMap counted = new Long2LongHashMap(NONE);

  /**
   * The results that are gathered for requests, by the correlation id; null if there never were
   * any.
   */
  private @Nullable Map<Long, Gathering> gathered;

  private boolean ended;

  /** The answers to whether a request may be carried out. */
  enum Outcome {
    ADMITTED,
    /** The tenant has too much waiting. The request is not counted. */
    TOO_MUCH,
    /** A request with the same correlation id waits. The new one is not counted. */
    REPEATED
  }

  WaitingRequests(TenantsWaiting.OfTenant tenant) {
    this.tenant = tenant;
  }

  /** Counts a request from now until it is answered, if it is admitted. */
  synchronized Outcome admit(long correlation, int length, WaitingKind kind) {
    if (ended) {
      return Outcome.ADMITTED; // nobody will be answered
    }
    if (counted.containsKey(correlation)) {
      return Outcome.REPEATED;
    }
    if (!tenant.take(kind, length)) {
      return Outcome.TOO_MUCH;
    }
    long _ = counted.put(correlation, ((long) length << KIND_BITS) | kind.index());
    return Outcome.ADMITTED;
  }

  /** A request was answered; nothing happens if it was not counted. */
  synchronized void answered(long correlation) {
    give(counted.remove(correlation));
    if (gathered != null) {
      Gathering result = gathered.remove(correlation);
      if (result != null) {
        result.release();
      }
    }
  }

  /** Holds what is gathered for a request until it is answered, if it still waits. */
  synchronized void hold(long correlation, Gathering result) {
    if (!ended && counted.containsKey(correlation) && result.retain()) {
      if (gathered == null) {
        gathered = new HashMap<>();
      }
      gathered.put(correlation, result);
    }
  }

  /** Returns the heap that its tenant's results may take. */
  TenantHeap results() {
    return tenant.results();
  }

  private void give(long request) {
    if (request != NONE) {
      tenant.give(WaitingKind.of((int) (request & KIND_MASK)), request >>> KIND_BITS);
    }
  }

  /** The connection is closed: nothing will be answered. */
  synchronized void end() {
    if (!ended) {
      ended = true;
      counted.longForEach((correlation, request) -> give(request));
      counted.clear();
      if (gathered != null) {
        gathered.values().forEach(Gathering::release);
        gathered = null;
      }
      tenant.leave();
    }
  }

  /**
   * Returns the number of requests that the session's tenant has waiting in all sessions. Any
   * thread may call this.
   */
  int ofTenant() {
    return tenant.requests();
  }

  /** Returns why a request was not admitted. */
  String refusal(WaitingKind kind) {
    return tenant.refusal(kind);
  }
}
