package io.keyvalueserve.gates.heap;

import io.keyvalueserve.billing.metering.LevelIntegrator;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The heap that one tenant makes a member keep, in bytes.
 *
 * <pre>
 *   used = measured   by the member itself or the member where the tenant keeps most
 *        + reserved   for requests that were forwarded and not measured yet
 *        + held       until it is released: transactions, listeners, statistics
 * </pre>
 *
 * <p>Thread-safe; requests allocate nothing and wait for nobody.
 */
public final class HeapAccount {
  private static final int MOST_GENERATIONS = 8;

  private final HeapLedger ledger;
  private final AtomicLong fresh = new AtomicLong();
  private final AtomicLong held = new AtomicLong();

  /** Reservations of the last intervals, the youngest first. Of the thread that settles. */
  private final long[] aging = new long[MOST_GENERATIONS];

  /** Written by the thread that settles. */
  private volatile long agingSum;

  private volatile long measured;
  private volatile long measuredHere;
  private volatile long weight = 1;

  /**
   * The lease that the bytes on this member count to as well; null until the tenant's number is
   * known.
   */
  private volatile @Nullable HeapLease lease;

  /**
   * The bytes to be billed, integrated over time. Guarded by this; null if there were never any.
   */
  private @Nullable LevelIntegrator billed;

  HeapAccount(HeapLedger ledger) {
    this.ledger = ledger;
  }

  /** Changes the tenant's weight among others. */
  public void setWeight(long next) {
    weight = Math.max(1, next);
  }

  /**
   * Has the bytes on this member count to the whole that tenants use. They move from the lease that
   * was set before, if any.
   */
  public synchronized void lease(HeapLease next) {
    HeapLease before = lease;
    if (before != next) {
      lease = next;
      if (before != null) {
        before.give(before.used());
      }
      tellLease();
    }
  }

  /** Corrects what the lease counts: a measurement replaces what was reserved. */
  private synchronized void tellLease() {
    HeapLease told = lease;
    if (told == null) {
      return;
    }
    long more = measuredHere + agingSum + fresh.get() + held.get() - told.used();
    if (more > 0) {
      told.force(more);
    } else if (more < 0) {
      told.give(-more);
    }
  }

  long weight() {
    return weight;
  }

  /**
   * Reserves bytes that a member is about to keep, until a measurement includes them.
   *
   * @return false if the tenant or all tenants would pass their bound; nothing is reserved then
   */
  public boolean reserve(long bytes) {
    return take(fresh, bytes);
  }

  /**
   * Takes bytes until they are released.
   *
   * @return false if the tenant or all tenants would pass their bound; nothing is taken then
   */
  public boolean hold(long bytes) {
    return take(held, bytes);
  }

  /** Gives back bytes that were held. */
  public void release(long bytes) {
    add(held, -bytes);
    HeapLease told = lease;
    if (told != null) {
      told.give(bytes);
    }
  }

  private boolean take(AtomicLong from, long bytes) {
    add(from, bytes);
    HeapLease told = lease;
    if (used() <= ledger.limitOf(this) && ledger.holds() && (told == null || told.take(bytes))) {
      return true;
    }
    add(from, -bytes);
    return false;
  }

  private void add(AtomicLong to, long bytes) {
    to.addAndGet(bytes);
    ledger.reservedMore(bytes);
  }

  /** Returns why {@link #reserve} or {@link #hold} refuses, in words for the tenant. */
  public String refusal() {
    HeapLease told = lease;
    return "a member's Java heap keeps up to "
        + ledger.limitOf(this)
        + " bytes of a tenant and "
        + ledger.limits().allBytes()
        + " of all together in queues, lists, sets, multimaps, ring buffers, replicated maps,"
        + " transactions, locks, listeners and names; the tenant uses "
        + used()
        + " and all use "
        + ledger.used()
        + (told == null ? "" : "; " + told.refusal())
        + "; nothing was changed: remove elements or destroy objects, or retry later";
  }

  /** Returns the bytes that count for the tenant. */
  public long used() {
    return measured + agingSum + fresh.get() + held.get();
  }

  /** Returns the bytes that the last measurement found on this member. */
  public long measuredHere() {
    return measuredHere;
  }

  /** Returns the bytes that are held on this member. */
  public long held() {
    return held.get();
  }

  /**
   * Sets the bytes that are billed from now on.
   *
   * @param bytes 0 or more
   */
  synchronized void bill(long bytes, long nowNanos) {
    LevelIntegrator level = billed;
    if (level == null) {
      if (bytes == 0) {
        return;
      }
      level = new LevelIntegrator(nowNanos);
      billed = level;
    }
    level.set(bytes, nowNanos);
  }

  /** Takes the byte-seconds that were kept until now and not taken before. */
  synchronized long takeByteSeconds(long nowNanos) {
    LevelIntegrator level = billed;
    return level == null ? 0 : level.take(nowNanos);
  }

  /**
   * Ages what is reserved.
   *
   * @param here bytes found on this member
   * @param most bytes found on the member where the tenant keeps most
   * @param generations how many calls a reservation outlives, less one
   */
  void settle(long here, long most, int generations) {
    int slots = Math.clamp(generations - 1L, 1, MOST_GENERATIONS);
    long young = fresh.get();
    long gone = 0;
    for (int i = MOST_GENERATIONS - 1; i >= slots - 1; i--) {
      gone += aging[i];
      aging[i] = 0;
    }
    for (int i = slots - 1; i > 0; i--) {
      aging[i] = aging[i - 1];
    }
    aging[0] = young;
    measuredHere = here;
    measured = most;
    agingSum = agingSum + young - gone;
    fresh.addAndGet(-young); // after it counts as aging: it is never left out
    if (gone != 0) {
      ledger.reservedMore(-gone);
    }
    tellLease();
  }
}
