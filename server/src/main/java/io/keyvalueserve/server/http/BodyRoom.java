package io.keyvalueserve.server.http;

import io.helidon.http.Status;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of large values that all requests together may have on the Java heap; a tenant may have
 * half of them. A request that finds no room is told to come again. Nobody waits, so slow senders
 * hold nobody up. The first 64 KiB of a request are not counted, so small values always find room.
 * Counted bytes count to the {@link MemberHeap} too. Thread-safe.
 */
final class BodyRoom {
  private static final int UNCOUNTED_BYTES = 64 * 1024;
  private static final int RETRY_SECONDS = 1;

  private final long most;
  private final MemberHeap whole;
  private final AtomicLong used = new AtomicLong();
  private final ConcurrentHashMap<Integer, Long> usedByTenant = new ConcurrentHashMap<>();

  /**
   * @param most how many bytes, at least twice as many as one request may have
   * @param whole where the bytes count too
   */
  BodyRoom(long most, MemberHeap whole) {
    this.most = most;
    this.whole = whole;
  }

  /** Returns the bytes that are in use. */
  long used() {
    return used.get();
  }

  /** The part of one request of a tenant, by its number. It has nothing at first. */
  Part part(int tenant) {
    return new Part(tenant);
  }

  private boolean take(int tenant, long bytes) {
    if (used.addAndGet(bytes) > most) {
      used.addAndGet(-bytes);
      return false;
    }
    if (usedByTenant.merge(tenant, bytes, Long::sum) > most / 2) {
      uncount(tenant, bytes);
      return false;
    }
    if (!whole.lease(tenant, HeapUse.BODIES).take(bytes)) {
      uncount(tenant, bytes);
      return false;
    }
    return true;
  }

  private void giveBack(int tenant, long bytes) {
    uncount(tenant, bytes);
    whole.lease(tenant, HeapUse.BODIES).give(bytes);
  }

  private void uncount(int tenant, long bytes) {
    used.addAndGet(-bytes);
    usedByTenant.computeIfPresent(
        tenant, (number, before) -> before == bytes ? null : Long.valueOf(before - bytes));
  }

  /** The room of one request. Used by one thread. */
  final class Part implements AutoCloseable {
    private final int tenant;
    private long bytes;
    private long counted;

    private Part(int tenant) {
      this.tenant = tenant;
    }

    /**
     * Takes more.
     *
     * @throws Errors.Refused if there is no room
     */
    void take(long more) {
      bytes += more;
      long toCount = Math.max(0, bytes - UNCOUNTED_BYTES) - counted;
      if (toCount > 0) {
        if (!BodyRoom.this.take(tenant, toCount)) {
          throw new HttpErrors.Refused(
              Status.SERVICE_UNAVAILABLE_503,
              "busy",
              "as many large values are on their way, of this tenant or of all, as there is memory"
                  + " for; try again",
              RETRY_SECONDS);
        }
        counted += toCount;
      }
    }

    @Override
    public void close() {
      if (counted > 0) {
        giveBack(tenant, counted);
      }
      bytes = 0;
      counted = 0;
    }
  }
}
