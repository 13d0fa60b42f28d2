package io.keyvalueserve.grid.door;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the Java heap that requests of Hazelcast clients take while they wait at this member: for
 * each tenant and for all of them together. Thread-safe.
 *
 * <p>A tenant may take bytes while it then has no more than what is left for everybody. A tenant
 * that is alone therefore gets half of the whole, and each of n tenants a part of n + 1, so that
 * there is always room for one more. This is the rule of dynamic thresholds for shared buffers
 * (Choudhury and Hahne, 1998).
 */
final class TemporaryHeap {
  private static final int HEAP_PART = 4;

  /** Requests that free something may pass the bound by this part of it. */
  private static final int RESERVE_PART = 4;

  private final long most;
  private final AtomicLong all = new AtomicLong();
  private final ConcurrentHashMap<Integer, OfTenant> tenants = new ConcurrentHashMap<>();

  /**
   * Creates an account of which nothing is taken.
   *
   * @param most bytes that all tenants may have together, 1 or more
   */
  TemporaryHeap(long most) {
    this.most = most;
  }

  /** Creates the account of a member: a quarter of its Java heap. */
  static TemporaryHeap ofMember() {
    return new TemporaryHeap(Runtime.getRuntime().maxMemory() / HEAP_PART);
  }

  /** Returns the account of a tenant. It stays the same for good. */
  OfTenant of(int tenant) {
    return tenants.computeIfAbsent(tenant, any -> new OfTenant());
  }

  /** Returns how many bytes all tenants have. */
  long bytes() {
    return all.get();
  }

  /** The bytes of one tenant. */
  final class OfTenant {
    private final AtomicLong own = new AtomicLong();

    private OfTenant() {}

    /** Takes bytes and returns true, or takes nothing if the tenant has too many. */
    boolean take(long bytes) {
      long ownNow = own.addAndGet(bytes);
      long allNow = all.addAndGet(bytes);
      if (ownNow <= most - allNow) {
        return true;
      }
      give(bytes);
      return false;
    }

    /** Takes bytes for what frees others; the reserve is there for it too. */
    boolean takeReserve(long bytes) {
      long _ = own.addAndGet(bytes);
      if (all.addAndGet(bytes) <= most + most / RESERVE_PART) {
        return true;
      }
      give(bytes);
      return false;
    }

    /** Gives back bytes that were taken. */
    void give(long bytes) {
      long _ = own.addAndGet(-bytes);
      long _ = all.addAndGet(-bytes);
    }

    /** Returns how many bytes the tenant has. */
    long bytes() {
      return own.get();
    }

    /** Returns how many bytes the tenant can take now, 0 or more. */
    long free() {
      return Math.max(0, (most - all.get() - own.get()) / 2);
    }
  }
}
