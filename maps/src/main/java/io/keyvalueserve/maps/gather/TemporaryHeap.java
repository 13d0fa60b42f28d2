package io.keyvalueserve.maps.gather;

import io.keyvalueserve.gates.heap.HeapLease;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;

/**
 * Bounds the Java heap that requests of Hazelcast clients take while they wait at this member, and
 * that their results take while these are gathered: for each tenant and for all of them together.
 * Thread-safe.
 *
 * <p>A tenant may take bytes while it then has no more than what is left for everybody. A tenant
 * that is alone therefore gets half of the whole, and each of n tenants a part of n + 1, so that
 * there is always room for one more. This is the rule of dynamic thresholds for shared buffers
 * (Choudhury and Hahne, 1998). A tenant's threshold is multiplied by its weight over the mean
 * weight of the tenants that are connected, within 1/16 and 16.
 *
 * <p>Results may take bytes only while the tenant then has no more than half of what is left: a
 * third of the whole if it is alone. Requests therefore pass while results are gathered.
 *
 * <p>All bytes count to the {@link MemberHeap} too, which may refuse them as well.
 */
public final class TemporaryHeap {
  /** Requests that free something may pass the bound by this part of it. */
  private static final int RESERVE_PART = 4;

  /** Weights count for at most this many times the mean, and at least for this part of it. */
  private static final double MOST_TIMES = 16;

  private final long most;
  private final IntUnaryOperator weights;
  private final MemberHeap whole;
  private final HeapUse use;
  private final AtomicLong all = new AtomicLong();
  private final ConcurrentHashMap<Integer, OfTenant> tenants = new ConcurrentHashMap<>();
  private volatile double meanWeight = 1;

  /**
   * Creates an account of which nothing is taken.
   *
   * @param most bytes that all tenants may have together, 1 or more
   * @param weights of tenants by their numbers, 1 or more; asked when a session begins
   * @param whole where the bytes count too
   * @param use what they are for
   */
  public TemporaryHeap(long most, IntUnaryOperator weights, MemberHeap whole, HeapUse use) {
    this.most = most;
    this.weights = weights;
    this.whole = whole;
    this.use = use;
  }

  /** Returns the account of a tenant. It stays the same for good. */
  public OfTenant of(int tenant) {
    return tenants.computeIfAbsent(tenant, OfTenant::new);
  }

  /** Returns the account of a tenant of which a session begins. */
  public synchronized OfTenant enter(int tenant) {
    OfTenant entered = of(tenant);
    entered.sessions++;
    entered.weight = weights.applyAsInt(tenant);
    weigh();
    return entered;
  }

  private synchronized void leave(OfTenant left) {
    left.sessions--;
    weigh();
  }

  private void weigh() {
    long sum = 0;
    int connected = 0;
    for (OfTenant each : tenants.values()) {
      if (each.sessions > 0) {
        sum += each.weight;
        connected++;
      }
    }
    meanWeight = connected == 0 ? 1 : (double) sum / connected;
  }

  /** Returns how many bytes all tenants have. */
  public long bytes() {
    return all.get();
  }

  /** The bytes of one tenant. */
  public final class OfTenant {
    private final AtomicLong own = new AtomicLong();
    private final HeapLease lease;
    private final TenantHeap results = new Results();
    private volatile int weight;

    /** Guarded by the whole. */
    private int sessions;

    private OfTenant(int tenant) {
      this.weight = weights.applyAsInt(tenant);
      this.lease = whole.lease(tenant, use);
    }

    /** Ends a session that {@link TemporaryHeap#enter} was told of. */
    public void leave() {
      TemporaryHeap.this.leave(this);
    }

    private double share() {
      return Math.clamp(weight / meanWeight, 1 / MOST_TIMES, MOST_TIMES);
    }

    /** Returns the part of it that results may take. */
    public TenantHeap results() {
      return results;
    }

    /** Takes bytes and returns true, or takes nothing if the tenant has too many. */
    public boolean take(long bytes) {
      long ownNow = own.addAndGet(bytes);
      long allNow = all.addAndGet(bytes);
      if (ownNow <= share() * (most - allNow) && takeOfWhole(bytes)) {
        return true;
      }
      uncount(bytes);
      return false;
    }

    /** Answers cannot be refused in words: their connection would have to be closed. */
    private boolean takeOfWhole(long bytes) {
      return use == HeapUse.UNREAD ? lease.takeAhead(bytes) : lease.take(bytes);
    }

    /** Returns whether only the whole can refuse bytes now, and not this part of it. */
    public boolean hasRoomHere(long bytes) {
      return own.get() + bytes <= share() * (most - all.get() - bytes);
    }

    /** Takes bytes for what frees others; the reserve is there for it too. */
    public boolean takeReserve(long bytes) {
      long _ = own.addAndGet(bytes);
      if (all.addAndGet(bytes) <= most + most / RESERVE_PART && lease.takeToFree(bytes)) {
        return true;
      }
      uncount(bytes);
      return false;
    }

    /** Gives back bytes that were taken. */
    public void give(long bytes) {
      uncount(bytes);
      lease.give(bytes);
    }

    private void uncount(long bytes) {
      long _ = own.addAndGet(-bytes);
      long _ = all.addAndGet(-bytes);
    }

    /** Returns how many bytes the tenant has. */
    public long bytes() {
      return own.get();
    }

    /** Returns how many bytes the tenant can take now, 0 or more. */
    public long free() {
      double share = share();
      long here = (long) ((share * (most - all.get()) - own.get()) / (1 + share));
      return Math.clamp(here, 0, lease.free());
    }

    /** Returns what the whole allows, in words for the tenant. */
    public String whole() {
      return lease.refusal();
    }

    private final class Results implements TenantHeap {
      @Override
      public boolean take(long bytes) {
        long ownNow = own.addAndGet(bytes);
        long allNow = all.addAndGet(bytes);
        if (2 * ownNow <= share() * (most - allNow) && lease.take(bytes)) {
          return true;
        }
        uncount(bytes);
        return false;
      }

      @Override
      public void give(long bytes) {
        OfTenant.this.give(bytes);
      }

      @Override
      public long free() {
        double share = share();
        long here = (long) ((share * (most - all.get()) - 2 * own.get()) / (2 + share));
        return Math.clamp(here, 0, lease.free());
      }
    }
  }
}
