package io.keyvalueserve.hazelcast;

import io.keyvalueserve.grid.WaitingLimit;
import io.keyvalueserve.maps.gather.TemporaryHeap;
import io.keyvalueserve.maps.gather.TenantHeap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the requests that the Hazelcast clients of each tenant have waiting at this member.
 * Thread-safe. A counter is shared only by the sessions of one tenant.
 */
final class TenantsWaiting {
  /**
   * Java heap that a request needs beside its bytes: its objects, its task, its place in queues.
   */
  static final int OVERHEAD_BYTES = 1024;

  private final WaitingLimit limit;
  private final TemporaryHeap heap;
  private final ConcurrentHashMap<Integer, OfTenant> tenants = new ConcurrentHashMap<>();

  /**
   * @param limit how much of each kind a tenant may have waiting
   * @param heap where the requests' bytes are counted too
   */
  TenantsWaiting(WaitingLimit limit, TemporaryHeap heap) {
    this.limit = limit;
    this.heap = heap;
  }

  /** The waiting requests of one tenant: the sum over its sessions. */
  final class OfTenant {
    private final int tenant;
    private final AtomicIntegerArray requests = new AtomicIntegerArray(WaitingKind.COUNT);
    private final AtomicLongArray bytes = new AtomicLongArray(WaitingKind.COUNT);
    private final TemporaryHeap.OfTenant temporary;

    /** Changed within the map's own lock of the entry. */
    private int sessions;

    private OfTenant(int tenant, TemporaryHeap.OfTenant temporary) {
      this.tenant = tenant;
      this.temporary = temporary;
    }

    /** Counts a request, unless there are too many then; a long one may wait alone. */
    boolean take(WaitingKind kind, int length) {
      int at = kind.index();
      int requestsNow = requests.incrementAndGet(at);
      long bytesNow = bytes.addAndGet(at, length);
      if (requestsNow <= limit.requests()
          && (bytesNow <= limit.bytes() || bytesNow == length)
          && takeHeap(kind, length + OVERHEAD_BYTES)) {
        return true;
      }
      uncount(at, length);
      return false;
    }

    private boolean takeHeap(WaitingKind kind, long taken) {
      return kind == WaitingKind.FREEING ? temporary.takeReserve(taken) : temporary.take(taken);
    }

    void give(WaitingKind kind, long length) {
      uncount(kind.index(), length);
      temporary.give(length + OVERHEAD_BYTES);
    }

    private void uncount(int at, long length) {
      int _ = requests.decrementAndGet(at);
      long _ = bytes.addAndGet(at, -length);
    }

    /** Returns the heap that its results may take. */
    TenantHeap results() {
      return temporary.results();
    }

    int requests() {
      int sum = 0;
      for (int at = 0; at < WaitingKind.COUNT; at++) {
        sum += requests.get(at);
      }
      return sum;
    }

    long bytes() {
      long sum = 0;
      for (int at = 0; at < WaitingKind.COUNT; at++) {
        sum += bytes.get(at);
      }
      return sum;
    }

    String refusal(WaitingKind kind) {
      return "the tenant's Hazelcast clients have too much waiting at this member: requests="
          + requests.get(kind.index())
          + " bytes="
          + bytes.get(kind.index())
          + " limits="
          + limit.requests()
          + ", "
          + limit.bytes()
          + " Java heap for the tenant's requests="
          + temporary.bytes()
          + " free="
          + temporary.free()
          + "; "
          + temporary.whole()
          + "; send again when some are answered";
    }

    /** The session has ended, and has given back all that it took. */
    void leave() {
      temporary.leave();
      OfTenant _ =
          tenants.computeIfPresent(tenant, (any, known) -> --known.sessions == 0 ? null : known);
    }
  }

  /** Returns the tenant's counter for a session that begins. */
  OfTenant enter(int tenant) {
    return tenants.compute(
        tenant,
        (number, known) -> {
          TemporaryHeap.OfTenant temporary = heap.enter(number);
          OfTenant entered = known == null ? new OfTenant(number, temporary) : known;
          entered.sessions++;
          return entered;
        });
  }

  /** Returns the number of requests of a tenant that wait. */
  int requests(int tenant) {
    OfTenant known = tenants.get(tenant);
    return known == null ? 0 : known.requests();
  }

  /** Returns how much heap a tenant's requests and their results take. */
  long heapBytes(int tenant) {
    return heap.of(tenant).bytes();
  }

  /** Returns the bytes of a tenant's waiting requests. */
  long bytes(int tenant) {
    OfTenant known = tenants.get(tenant);
    return known == null ? 0 : known.bytes();
  }
}
