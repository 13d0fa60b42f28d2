package io.keyvalueserve.gates.admission;

import io.keyvalueserve.billing.spending.Spendings;
import io.keyvalueserve.gates.heap.HeapLedger;
import io.keyvalueserve.gates.heap.HeapLimits;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantState;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The quotas of all tenants, as one member holds to them. Fed with the records of the catalogue.
 *
 * <p>Thread-safe. What doors ask never blocks; changes take turns.
 */
public final class Admissions {
  private final LongSupplier nanoClock;
  private final Spendings spendings;
  private final HeapLedger heap =
      new HeapLedger(HeapLimits.ofHeap(Runtime.getRuntime().maxMemory()));
  private final MemberHeap memberHeap = MemberHeap.ofHeap(Runtime.getRuntime().maxMemory());
  private final ConcurrentHashMap<String, TenantHoldings> usages = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, TenantHoldings> memoryLimited = new ConcurrentHashMap<>();
  private final AtomicBoolean locking = new AtomicBoolean();
  private final ConcurrentHashMap<Integer, Admission> admissions = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Tenant> known = new ConcurrentHashMap<>();
  private volatile MemberShares shares;
  private @Nullable BiConsumer<RateKey, RateLimit> listener;
  private volatile Runnable tenantsListener = () -> {};

  /**
   * Creates the admissions of a member that is alone until {@link #join} is called.
   *
   * @param nanoClock runs like {@link System#nanoTime}
   */
  public Admissions(LongSupplier nanoClock) {
    this(nanoClock, InstantSource.system());
  }

  /**
   * Creates the admissions of a member that is alone, with a clock of its own for money.
   *
   * @param clock says in which month money is spent
   */
  public Admissions(LongSupplier nanoClock, InstantSource clock) {
    this.nanoClock = nanoClock;
    this.spendings = new Spendings(clock);
    this.shares = new MemberShares(UUID.randomUUID(), 1, ShareTimes.DEFAULT, nanoClock.getAsLong());
  }

  /**
   * Makes the member one among others. To be called before anything else.
   *
   * @param members how many there are, with this one
   * @param limits told of every limit on a rate from now on, as it changes
   * @return its shares, for who exchanges them with others
   * @throws IllegalStateException if something was admitted before
   */
  public synchronized MemberShares join(
      UUID self, int members, BiConsumer<RateKey, RateLimit> limits) {
    if (!admissions.isEmpty()) {
      throw new IllegalStateException("a member joins others before it admits anything");
    }
    MemberShares joined =
        new MemberShares(self, members, ShareTimes.DEFAULT, nanoClock.getAsLong());
    shares = joined;
    listener = limits;
    return joined;
  }

  /** Returns the limits of a tenant, which its doors ask. */
  public Admission of(Identity identity) {
    return of(identity.number(), identity.tenant().value());
  }

  private Admission of(int number, String tenant) {
    Admission known = admissions.get(number);
    if (known != null) {
      return known;
    }
    Admission made = make(number, tenant);
    Admission before = admissions.putIfAbsent(number, made);
    if (before != null) {
      return before;
    }
    tenantsListener.run();
    return made;
  }

  private Admission make(int number, String tenant) {
    heap.account(tenant).lease(memberHeap.lease(number, HeapUse.KEPT));
    return new Admission(
        gate(number, Resource.OPERATIONS),
        gate(number, Resource.BYTES_IN),
        gate(number, Resource.BYTES_OUT),
        usage(tenant),
        spendings.purse(number),
        nanoClock);
  }

  /** Has somebody told of each tenant that comes or goes, by any thread. */
  public void onTenants(Runnable listener) {
    tenantsListener = listener;
  }

  /** Returns what the tenant with this number keeps, or null if the number is not known. */
  public @Nullable TenantHoldings usage(int number) {
    Admission known = admissions.get(number);
    return known == null ? null : known.usage();
  }

  /** Returns the purses of all tenants: what they may spend, and what they spend on this member. */
  public Spendings spendings() {
    return spendings;
  }

  private Gate gate(int tenant, Resource resource) {
    return shares.gate(new RateKey(tenant, resource), nanoClock.getAsLong());
  }

  /** Returns what a tenant keeps. */
  public TenantHoldings usage(String tenant) {
    return usages.computeIfAbsent(
        tenant, absent -> new TenantHoldings(locking, heap.account(tenant)));
  }

  /** Returns whether a tenant of this name exists or existed. */
  boolean knows(String tenant) {
    return known.containsKey(tenant);
  }

  /** Shows what each tenant keeps, with the tenant's name. */
  void forEachUsage(BiConsumer<String, TenantHoldings> visitor) {
    usages.forEach(visitor);
  }

  /** Returns the usage of the tenants whose memory is limited. */
  public Collection<TenantHoldings> memoryLimited() {
    return memoryLimited.values();
  }

  /** Returns what tenants make this member keep on its Java heap. */
  public HeapLedger heap() {
    return heap;
  }

  /** Returns what tenants and peers use of this member's Java heap together. */
  public MemberHeap memberHeap() {
    return memberHeap;
  }

  /** Returns whether a lock was admitted since the last call. */
  public boolean haveLocksBeenLetIn() {
    return locking.get() && locking.getAndSet(false);
  }

  /**
   * Returns the usage of the tenant that owns an object of the grid, or null if the object is the
   * grid's own.
   */
  public @Nullable TenantHoldings usageOfObject(String gridName) {
    int slash = gridName.indexOf('/');
    return slash < 1 ? null : usage(gridName.substring(0, slash));
  }

  /** Returns the number of connections that a tenant may have open on this member. */
  public long mostConnectionsHere(Identity identity) {
    return of(identity).usage().mostConnectionsHere();
  }

  /** The tenants that are known. */
  public Collection<Tenant> tenants() {
    return known.values();
  }

  /** Takes a tenant's record in; one that is not newer than what is known changes nothing. */
  public synchronized void apply(Tenant tenant) {
    String name = tenant.name().value();
    Tenant before = known.get(name);
    if (before != null && before.revision() >= tenant.revision()) {
      return;
    }
    if (before != null && before.number() != tenant.number()) {
      forget(before.number());
    }
    if (tenant.state() == TenantState.DELETED) {
      forget(tenant.number());
      usage(name).setQuota(Quota.USUAL);
      memoryLimited.remove(name);
      known.put(name, tenant);
      return;
    }
    known.put(name, tenant);
    Quota quota = tenant.quota();
    usage(name).setQuota(quota);
    if (quota.of(Limit.MEMORY) == Quota.UNLIMITED) {
      memoryLimited.remove(name);
    } else {
      memoryLimited.put(name, usage(name));
    }
    of(tenant.number(), name).setQuota(quota);
    for (Resource resource : Resource.values()) {
      setLimit(new RateKey(tenant.number(), resource), rate(quota, resource.limit()));
    }
  }

  private void forget(int number) {
    for (Resource resource : Resource.values()) {
      setLimit(new RateKey(number, resource), RateLimit.UNLIMITED);
    }
    Admission gone = admissions.remove(number);
    if (gone != null) {
      tenantsListener.run();
    }
    shares.forget(number);
    spendings.forget(number);
  }

  private void setLimit(RateKey key, RateLimit limit) {
    shares.setLimit(key, limit, nanoClock.getAsLong());
    BiConsumer<RateKey, RateLimit> told = listener;
    if (told != null) {
      told.accept(key, limit);
    }
  }

  private static RateLimit rate(Quota quota, Limit limit) {
    long perSecond = quota.of(limit);
    if (perSecond == Quota.UNLIMITED) {
      return RateLimit.UNLIMITED;
    }
    double burst = (double) perSecond * quota.of(Limit.BURST) / 1000;
    return new RateLimit(perSecond, Math.max(1, (long) burst));
  }

  /** Shows a visitor each limit on rates that is set for a tenant. Deleted tenants have none. */
  public synchronized void forEachRate(BiConsumer<RateKey, RateLimit> visitor) {
    for (Map.Entry<String, Tenant> entry : known.entrySet()) {
      Tenant tenant = entry.getValue();
      if (tenant.state() != TenantState.DELETED) {
        for (Resource resource : Resource.values()) {
          RateLimit limit = rate(tenant.quota(), resource.limit());
          if (limit.isLimited()) {
            visitor.accept(new RateKey(tenant.number(), resource), limit);
          }
        }
      }
    }
  }
}
