package io.keyvalueserve.gates.heap;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/**
 * The part of a member's Java heap that tenants and peers may use together, whatever they use it
 * for. Each use has a bound of its own too; the sum of those bounds exceeds the heap.
 *
 * <pre>
 *   all = the sum over tenants and uses of what their leases have reserved
 *   a tenant may reserve more while   own &lt;= share * (most - all)   holds afterwards
 * </pre>
 *
 * <p>This is the rule of dynamic thresholds for shared buffers (Choudhury and Hahne, 1998). A
 * tenant that is alone gets half of the whole, each of n tenants a part of n + 1, and there is
 * always room for one more. The share is 1, multiplied by the tenant's weight over the mean weight
 * of the tenants that use anything, within 1/16 and 16.
 *
 * <p>What cannot be refused in words may use twice what is left: a message that has come in part is
 * only complete when it has come, and its connection would have to be closed. Requests are
 * therefore refused first.
 *
 * <p>Peers without a key have one account together. It reserves without asking, as their budget
 * bounds it: tenants may then use so much less.
 *
 * <p>Thread-safe. A {@link HeapLease} reserves in lumps. Few requests therefore touch what tenants
 * share.
 */
public final class MemberHeap {
  /** The account of peers without a key. */
  public static final int STRANGERS = -1;

  /** The account of what the member keeps for itself, while tenants leave it the room. */
  public static final int MEMBER = -2;

  /**
   * The rest is for the member itself, which takes a tenth of a small heap, for copies that are
   * made while a request is served, and for the collector: it needs free regions, and gives a large
   * array whole ones.
   */
  private static final double PART_OF_HEAP = 0.6;

  private static final double MOST_TIMES = 16;
  private static final int LUMPS = 4096;
  private static final long MOST_LUMP = 256 << 10;

  /** Requests that free something may pass the bound by this part of it. */
  private static final int RESERVE_PART = 16;

  private static final long RECLAIM_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final ConcurrentHashMap<Integer, OfTenant> tenants = new ConcurrentHashMap<>();
  private final AtomicLong all = new AtomicLong();
  private final AtomicLong weightSum = new AtomicLong();
  private final AtomicLong users = new AtomicLong();
  private final AtomicBoolean reclaiming = new AtomicBoolean();
  private final LongSupplier nanoTime;
  private volatile long reclaimedNanos;
  private volatile IntUnaryOperator weights = any -> 1;
  private volatile long most;
  private volatile long lump;

  /**
   * Creates a heap of which nothing is used.
   *
   * @param most bytes that tenants and peers may use together, 1 or more
   * @throws IllegalArgumentException if it is less than 1
   */
  public MemberHeap(long most) {
    this(most, System::nanoTime);
  }

  MemberHeap(long most, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.reclaimedNanos = nanoTime.getAsLong() - RECLAIM_NANOS;
    setMost(most);
  }

  /**
   * Returns the part that tenants and peers may use of a heap: three fifths of it.
   *
   * @param heapBytes the most bytes that the heap may have
   */
  public static MemberHeap ofHeap(long heapBytes) {
    return new MemberHeap(Math.max(1, (long) (PART_OF_HEAP * heapBytes)));
  }

  /** Returns a heap that refuses nothing. */
  public static MemberHeap unbounded() {
    return new MemberHeap(Long.MAX_VALUE / 4);
  }

  /**
   * Changes the bound. What is used already stays.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public void setMost(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException(
          "the heap that tenants may use together must be 1 or more: most=" + bytes);
    }
    most = bytes;
    lump = Math.clamp(bytes / LUMPS, 1, MOST_LUMP);
  }

  /**
   * Sets what knows the weights of tenants by their numbers, 1 or more. It must not block. All have
   * the same weight unless this is called.
   */
  public void setWeights(IntUnaryOperator next) {
    weights = next;
  }

  /**
   * Returns the lease of a tenant for a use. It stays the same for good.
   *
   * @param tenant the tenant's number, {@link #STRANGERS} or {@link #MEMBER}
   */
  public HeapLease lease(int tenant, HeapUse use) {
    return tenants.computeIfAbsent(tenant, OfTenant::new).lease(use);
  }

  /** Returns the most bytes that tenants and peers may use together. */
  public long most() {
    return most;
  }

  /** Returns the bytes that are reserved: what is used, and what leases have in advance. */
  public long reserved() {
    return all.get();
  }

  /** Returns the bytes that all tenants and peers use for something, about. */
  public long used(HeapUse use) {
    long sum = 0;
    for (OfTenant each : tenants.values()) {
      sum += each.lease(use).used();
    }
    return sum;
  }

  /** Returns the bytes that a tenant has reserved for all its uses. */
  public long reserved(int tenant) {
    OfTenant known = tenants.get(tenant);
    return known == null ? 0 : known.own.get();
  }

  long lump() {
    return lump;
  }

  /** Takes back what leases have in advance; returns false if that was done a moment ago. */
  private boolean reclaim() {
    if (nanoTime.getAsLong() - reclaimedNanos < RECLAIM_NANOS
        || !reclaiming.compareAndSet(false, true)) {
      return false;
    }
    try {
      for (OfTenant each : tenants.values()) {
        if (each.own.get() > 0) {
          each.leases.values().forEach(HeapLease::trim);
        }
      }
    } finally {
      reclaimedNanos = nanoTime.getAsLong();
      reclaiming.set(false);
    }
    return true;
  }

  /** The leases of one tenant, or of all peers without a key. */
  final class OfTenant {
    private final int tenant;
    private final Map<HeapUse, HeapLease> leases = new EnumMap<>(HeapUse.class);
    private final AtomicLong own = new AtomicLong();
    private volatile int weight = 1;

    /** The part of its weight that is in the sum of weights; 0 if none is. Guarded by this. */
    private int summed;

    private OfTenant(int tenant) {
      this.tenant = tenant;
      for (HeapUse use : HeapUse.values()) {
        leases.put(use, new HeapLease(MemberHeap.this, this));
      }
    }

    HeapLease lease(HeapUse use) {
      return Objects.requireNonNull(leases.get(use));
    }

    /**
     * Reserves bytes and returns true, or reserves nothing if the tenant would have too many.
     *
     * @param times how many times its share of what is left it may have
     */
    boolean reserve(long bytes, int times) {
      return tryReserve(bytes, times) || (reclaim() && tryReserve(bytes, times));
    }

    private boolean tryReserve(long bytes, int times) {
      long ownNow = add(bytes);
      if (ownNow <= times * share() * (most - all.get())) {
        return true;
      }
      release(bytes);
      return false;
    }

    /** Reserves bytes for what frees others; the reserve is there for it too. */
    boolean reserveToFree(long bytes) {
      long _ = add(bytes);
      if (all.get() <= most + most / RESERVE_PART) {
        return true;
      }
      release(bytes);
      return false;
    }

    /** Reserves bytes without asking: they are used already. */
    void force(long bytes) {
      long _ = add(bytes);
    }

    void release(long bytes) {
      long _ = all.addAndGet(-bytes);
      if (own.addAndGet(-bytes) <= 0) {
        weigh();
      }
    }

    /** Returns how many bytes the tenant can reserve now, 0 or more. */
    long free() {
      double share = share();
      return Math.max(0, (long) ((share * (most - all.get()) - own.get()) / (1 + share)));
    }

    long reserved() {
      return own.get();
    }

    private long add(long bytes) {
      long _ = all.addAndGet(bytes);
      long ownNow = own.addAndGet(bytes);
      if (ownNow == bytes) {
        weigh();
      }
      return ownNow;
    }

    private double share() {
      long count = users.get();
      long sum = weightSum.get();
      return count < 1 || sum < 1
          ? 1
          : Math.clamp((double) weight * count / sum, 1 / MOST_TIMES, MOST_TIMES);
    }

    /** Takes its weight into the mean, or out of it. */
    private synchronized void weigh() {
      if (tenant < 0) {
        return;
      }
      int now = own.get() > 0 ? Math.max(1, weights.applyAsInt(tenant)) : 0;
      if (now > 0) {
        weight = now;
      }
      if (now != summed) {
        long _ = weightSum.addAndGet((long) now - summed);
        long _ = users.addAndGet((now > 0 ? 1 : 0) - (summed > 0 ? 1 : 0));
        summed = now;
      }
    }
  }
}
