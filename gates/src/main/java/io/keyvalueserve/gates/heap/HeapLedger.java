package io.keyvalueserve.gates.heap;

import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The heap accounts of all tenants on one member, and the bound on all of them together.
 *
 * <p>While less than three quarters of that bound are used, each tenant may use its own bound.
 * Above that, a tenant may use no more than its share of the three quarters, by weight among the
 * tenants that keep anything. The last quarter is for tenants that are below their share.
 *
 * <p>Thread-safe. Requests reserve and release without a lock; {@link #settle} has one caller.
 */
public final class HeapLedger {
  private static final int PARTS = 4;
  private static final int OPEN_PARTS = 3;

  private final ConcurrentHashMap<String, HeapAccount> accounts = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<UUID, KeptReport> others = new ConcurrentHashMap<>();
  private volatile HeapLimits limits;

  /** Reserved and held by all tenants here. */
  private final LongAdder reserved = new LongAdder();

  private volatile long measuredTotal;

  /**
   * True if any account may have figures other than 0. Accessed only by the caller of {@link
   * #settle}.
   */
  private boolean settledAnything;

  /**
   * True if any account may have figures other than 0 to be billed. Accessed only by the caller of
   * {@link #bill}.
   */
  private boolean billsAnything;

  private volatile long weights = 1;

  /** Creates an empty ledger. */
  public HeapLedger(HeapLimits limits) {
    this.limits = limits;
  }

  /** Changes the bounds. What is kept already stays. */
  public void setLimits(HeapLimits next) {
    limits = next;
  }

  HeapLimits limits() {
    return limits;
  }

  /** Returns the account of a tenant, by the tenant's name. */
  public HeapAccount account(String tenant) {
    return accounts.computeIfAbsent(tenant, absent -> new HeapAccount(this));
  }

  /** Takes in the figures of another member. */
  public void hear(KeptReport report) {
    others.put(report.member(), report);
  }

  /**
   * Replaces the measured figures, and drops reservations that are old enough to be among them.
   *
   * @param here the bytes that tenants keep on this member, by the tenants' names
   * @param members the ids of all members; reports of others are forgotten
   * @param generations how many calls a reservation outlives: 2 or more
   */
  public void settle(Map<String, Long> here, Collection<UUID> members, int generations) {
    others.keySet().retainAll(members);
    boolean anything = !here.isEmpty() || isAnyReserved();
    for (KeptReport report : others.values()) {
      anything |= !report.tenants().isEmpty();
    }
    if (!anything && !settledAnything) {
      return; // as it was: nobody is asked, however many tenants there are
    }
    settledAnything = anything;
    here.keySet().forEach(this::account);
    others.values().forEach(report -> report.tenants().keySet().forEach(this::account));
    long sum = 0;
    for (Map.Entry<String, HeapAccount> each : accounts.entrySet()) {
      long own = here.getOrDefault(each.getKey(), 0L);
      long most = own;
      for (KeptReport report : others.values()) {
        most = Math.max(most, report.tenants().getOrDefault(each.getKey(), 0L));
      }
      HeapAccount account = each.getValue();
      account.settle(own, most, generations);
      if (account.used() > 0) {
        sum += account.weight();
      }
    }
    weights = Math.max(1, sum);
    long total = 0;
    for (long bytes : here.values()) {
      total += bytes;
    }
    for (KeptReport report : others.values()) {
      total = Math.max(total, report.total());
    }
    measuredTotal = total;
  }

  /**
   * Sets what tenants are billed for from now on.
   *
   * @param owned bytes in partitions that this member owns, without backups, by tenants' names
   * @param nowNanos of {@link System#nanoTime}
   */
  public void bill(Map<String, Long> owned, long nowNanos) {
    if (owned.isEmpty() && !billsAnything) {
      return;
    }
    billsAnything = !owned.isEmpty();
    owned.keySet().forEach(this::account);
    accounts.forEach((name, account) -> account.bill(owned.getOrDefault(name, 0L), nowNanos));
  }

  /**
   * Takes the byte-seconds that a tenant kept on this member until now and that were not taken
   * before.
   *
   * @param nowNanos as in {@link #bill}
   */
  public long takeByteSeconds(String tenant, long nowNanos) {
    HeapAccount account = accounts.get(tenant);
    return account == null ? 0 : account.takeByteSeconds(nowNanos);
  }

  /** Returns the bytes that all tenants use of their common bound. */
  public long used() {
    return measuredTotal + reserved.sum();
  }

  /** Returns whether anything is reserved that no measurement has confirmed. */
  public boolean isAnyReserved() {
    return reserved.sum() != 0;
  }

  void reservedMore(long bytes) {
    reserved.add(bytes);
  }

  /** Returns how much a tenant may use now. */
  long limitOf(HeapAccount account) {
    HeapLimits now = limits;
    long open = now.allBytes() / PARTS * OPEN_PARTS;
    if (used() <= open) {
      return now.tenantBytes();
    }
    double share = (double) open * account.weight() / Math.max(weights, account.weight());
    return Math.min(now.tenantBytes(), (long) share);
  }

  /** Returns whether all tenants together are within their bound. */
  boolean holds() {
    return used() <= limits.allBytes();
  }
}
