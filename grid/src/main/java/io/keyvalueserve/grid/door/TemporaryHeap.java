package io.keyvalueserve.grid.door;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;

/**
 * Bounds the Java heap that requests of Hazelcast clients take while they wait at this member: for
 * each tenant and for all of them together. Thread-safe.
 *
 * <p>A tenant may take bytes while it then has no more than what is left for everybody. A tenant
 * that is alone therefore gets half of the whole, and each of n tenants a part of n + 1, so that
 * there is always room for one more. This is the rule of dynamic thresholds for shared buffers
 * (Choudhury and Hahne, 1998). A tenant's threshold is multiplied by its weight over the mean
 * weight of the tenants that are connected, within 1/16 and 16.
 */
final class TemporaryHeap {
  private static final int HEAP_PART = 4;

  /** Requests that free something may pass the bound by this part of it. */
  private static final int RESERVE_PART = 4;

  /** Weights count for at most this many times the mean, and at least for this part of it. */
  private static final double MOST_TIMES = 16;

  private final long most;
  private final IntUnaryOperator weights;
  private final AtomicLong all = new AtomicLong();

  /** Those that are connected. Guarded by this. */
  private final Map<Integer, OfTenant> tenants = new HashMap<>();

  private volatile double meanWeight = 1;

  /**
   * Creates an account of which nothing is taken.
   *
   * @param most bytes that all tenants may have together, 1 or more
   * @param weights of tenants by their numbers, 1 or more; asked at each session
   */
  TemporaryHeap(long most, IntUnaryOperator weights) {
    this.most = most;
    this.weights = weights;
  }

  /** Creates the account of a member: a quarter of its Java heap. */
  static TemporaryHeap ofMember(IntUnaryOperator weights) {
    return new TemporaryHeap(Runtime.getRuntime().maxMemory() / HEAP_PART, weights);
  }

  /** Returns the account of a tenant. It is the same until as many have left as entered. */
  synchronized OfTenant enter(int tenant) {
    OfTenant entered = tenants.computeIfAbsent(tenant, OfTenant::new);
    entered.users++;
    entered.weight = weights.applyAsInt(tenant);
    weigh();
    return entered;
  }

  private synchronized void leave(OfTenant left) {
    if (--left.users == 0) {
      tenants.remove(left.tenant);
      weigh();
    }
  }

  private void weigh() {
    meanWeight = tenants.values().stream().mapToInt(each -> each.weight).average().orElse(1);
  }

  /** Returns how many bytes all tenants have. */
  long bytes() {
    return all.get();
  }

  /** The bytes of one tenant. */
  final class OfTenant {
    private final int tenant;
    private final AtomicLong own = new AtomicLong();
    private volatile int weight = 1;

    /** Guarded by the whole. */
    private int users;

    private OfTenant(int tenant) {
      this.tenant = tenant;
    }

    /** Takes bytes and returns true, or takes nothing if the tenant has too many. */
    boolean take(long bytes) {
      long ownNow = own.addAndGet(bytes);
      long allNow = all.addAndGet(bytes);
      if (ownNow <= share() * (most - allNow)) {
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
      double share = share();
      return Math.max(0, (long) ((share * (most - all.get()) - own.get()) / (1 + share)));
    }

    private double share() {
      return Math.clamp(weight / meanWeight, 1 / MOST_TIMES, MOST_TIMES);
    }

    /** Ends one use of this account; {@link TemporaryHeap#enter} began it. */
    void leave() {
      TemporaryHeap.this.leave(this);
    }
  }
}
