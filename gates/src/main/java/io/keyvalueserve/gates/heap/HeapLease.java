package io.keyvalueserve.gates.heap;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The Java heap that one tenant uses for one thing, in bytes. Counts what is used, and reserves it
 * from the {@link MemberHeap} in lumps: up to two lumps stay reserved in advance until others need
 * them.
 *
 * <pre>
 *   used &lt;= reserved     whenever a take has succeeded and is not given back
 * </pre>
 *
 * <p>Thread-safe. What it touches belongs to the tenant, but for one request in many. Its lock is
 * held for some additions.
 */
public final class HeapLease {
  /** A tenant that uses no more than this part for a thing may use the reserve for it. */
  private static final int LITTLE_PART = 64;

  private final MemberHeap heap;
  private final MemberHeap.OfTenant tenant;
  private final AtomicLong used = new AtomicLong();

  /** Written under the lock. */
  private volatile long reserved;

  HeapLease(MemberHeap heap, MemberHeap.OfTenant tenant) {
    this.heap = heap;
    this.tenant = tenant;
  }

  private enum Way {
    ASKING,
    AHEAD,
    FREEING,
    FORCED
  }

  /**
   * Takes bytes and returns true, or takes nothing if the tenant would use too many.
   *
   * @param bytes 0 or more
   */
  public boolean take(long bytes) {
    return take(bytes, Way.ASKING);
  }

  /**
   * Does the same as {@link #take} for a use that cannot be refused in words. The tenant may use
   * more for it. A little may come from the reserve, even if others have grown until the tenant is
   * beyond its part.
   */
  public boolean takeAhead(long bytes) {
    return take(bytes, Way.AHEAD);
  }

  /**
   * Does the same as {@link #take} for a request that frees other bytes. It may use the reserve
   * too.
   */
  public boolean takeToFree(long bytes) {
    return take(bytes, Way.FREEING);
  }

  /** Takes bytes that are used already, whether there is room or not. */
  public void force(long bytes) {
    boolean _ = take(bytes, Way.FORCED);
  }

  /** Gives back bytes that were taken. */
  public void give(long bytes) {
    long now = used.addAndGet(-bytes);
    if (now + 2 * heap.lump() < reserved) {
      shrink(heap.lump());
    }
  }

  private boolean take(long bytes, Way way) {
    long now = used.addAndGet(bytes);
    if (now <= reserved || extend(way)) {
      return true;
    }
    long _ = used.addAndGet(-bytes);
    return false;
  }

  private synchronized boolean extend(Way way) {
    long missing = used.get() - reserved;
    if (missing <= 0) {
      return true;
    }
    long lump = heap.lump();
    long step = (missing + lump - 1) / lump * lump;
    if (way == Way.FORCED) {
      tenant.force(step);
    } else if (!reserve(step, way)) {
      step = missing; // near the bound each byte counts
      if (!reserve(step, way)) {
        return false;
      }
    }
    reserved += step;
    return true;
  }

  private boolean reserve(long bytes, Way way) {
    return switch (way) {
      case ASKING -> tenant.reserve(bytes, 1);
      case AHEAD ->
          tenant.reserve(bytes, 2)
              || (used.get() <= heap.most() / LITTLE_PART && tenant.reserveToFree(bytes));
      case FREEING -> tenant.reserveToFree(bytes);
      case FORCED -> true;
    };
  }

  private synchronized void shrink(long advance) {
    long before = reserved;
    long next = Math.max(0, used.get()) + advance;
    if (next >= before) {
      return;
    }
    reserved = next; // who takes bytes now sees this, or is seen by the next line
    long needed = Math.min(before, used.get());
    if (needed > next) {
      next = needed;
      reserved = next;
    }
    tenant.release(before - next);
  }

  /** Gives back what is reserved in advance. */
  void trim() {
    if (reserved > used.get()) {
      shrink(0);
    }
  }

  /** Returns the bytes that are used now. */
  public long used() {
    return used.get();
  }

  /** Returns about how many bytes the tenant can take now, 0 or more. */
  public long free() {
    return tenant.free() + Math.max(0, reserved - used.get());
  }

  /** Returns why {@link #take} refuses, in words for the tenant. */
  public String refusal() {
    return "tenants may use up to "
        + heap.most()
        + " bytes of a member's Java heap together; all use "
        + heap.reserved()
        + ", the tenant "
        + tenant.reserved()
        + " and may take "
        + tenant.free()
        + " more now";
  }
}
