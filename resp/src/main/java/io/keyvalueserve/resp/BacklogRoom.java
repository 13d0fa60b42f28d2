package io.keyvalueserve.resp;

import io.keyvalueserve.gates.heap.HeapLease;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.resp.RespServerConfig.BacklogLimits;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the bytes of requests that are read ahead for clients that do not read their replies: for
 * one connection, for all of one tenant, and for all. They count to the {@link MemberHeap} too.
 *
 * <p>Room is taken in units, so that few reads touch what connections share. Thread-safe; what is a
 * connection's own is in its {@link Part}.
 */
final class BacklogRoom {
  static final int UNIT_BYTES = 128 * 1024;

  private final BacklogLimits limits;
  private final MemberHeap whole;
  private final AtomicLong held = new AtomicLong();
  private final ConcurrentHashMap<Integer, AtomicLong> tenants = new ConcurrentHashMap<>();

  /**
   * Creates a bound under which nothing is held.
   *
   * @param whole where the bytes count too
   */
  BacklogRoom(BacklogLimits limits, MemberHeap whole) {
    this.limits = limits;
    this.whole = whole;
  }

  /** Returns the bytes that may be held now, whether they are or not. */
  long held() {
    return held.get();
  }

  /** Forgets a tenant that was deleted. */
  void forget(int tenant) {
    tenants.remove(tenant);
  }

  private static boolean take(AtomicLong from, long most) {
    long now = from.get();
    while (now + UNIT_BYTES <= most) {
      if (from.compareAndSet(now, now + UNIT_BYTES)) {
        return true;
      }
      now = from.get();
    }
    return false;
  }

  /** The room of one connection. On its event loop only. */
  final class Part {
    /** The tenant that it had when it took its first unit. */
    private @Nullable AtomicLong tenant;

    /** The lease of the same tenant. */
    private HeapLease lease = whole.lease(MemberHeap.STRANGERS, HeapUse.READ_AHEAD);

    private long own;

    /**
     * Takes room until it has enough for so many bytes.
     *
     * @param number the tenant's
     * @return whether there was enough
     */
    boolean covers(long bytes, int number) {
      if (own >= bytes) {
        return true;
      }
      if (bytes > limits.ofConnection()) {
        return false;
      }
      AtomicLong shared = tenant;
      if (shared == null) {
        shared = tenants.computeIfAbsent(number, _ -> new AtomicLong());
        tenant = shared;
        lease = whole.lease(number < 1 ? MemberHeap.STRANGERS : number, HeapUse.READ_AHEAD);
      }
      while (own < bytes) {
        if (!take(shared, limits.ofTenant())) {
          return false;
        }
        if (!take(held, limits.ofAll())) {
          shared.addAndGet(-UNIT_BYTES);
          return false;
        }
        if (!lease.take(UNIT_BYTES)) {
          shared.addAndGet(-UNIT_BYTES);
          held.addAndGet(-UNIT_BYTES);
          return false;
        }
        own += UNIT_BYTES;
      }
      return true;
    }

    /** Gives back what so many bytes do not need, but for one unit unless there are none. */
    void shrink(long bytes) {
      AtomicLong shared = tenant;
      if (shared == null) {
        return;
      }
      long needed = bytes == 0 ? 0 : (bytes / UNIT_BYTES + 2) * UNIT_BYTES;
      if (own > needed) {
        shared.addAndGet(needed - own);
        held.addAndGet(needed - own);
        lease.give(own - needed);
        own = needed;
      }
      if (own == 0) {
        tenant = null;
      }
    }
  }
}
