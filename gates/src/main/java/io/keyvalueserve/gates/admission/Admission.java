package io.keyvalueserve.gates.admission;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.spending.Purse;
import io.keyvalueserve.tenancy.Quota;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one tenant on one member, which every door asks before it serves the tenant.
 *
 * <p>Thread-safe; never blocks. Where nothing is limited it costs some volatile reads; where
 * something is, a look at the clock and a compare-and-set for each limit.
 */
public final class Admission {
  /**
   * Requests a second with which a tenant may look after itself on one member, whatever its quota.
   */
  public static final int ADMINISTRATION_PER_SECOND = 50;

  private static final int ADMINISTRATION_BURST = 4 * ADMINISTRATION_PER_SECOND;
  private static final long NANOS_LESS_THAN_A_MILLI = 999_999;

  private final Gate operations;
  private final Gate bytesIn;
  private final Gate bytesOut;
  private final TenantHoldings usage;
  private final Purse purse;
  private final LongSupplier nanoClock;
  private final LongAdder throttled = new LongAdder();
  private final TokenBucket administration;
  private volatile Quota quota = Quota.USUAL;

  Admission(
      Gate operations,
      Gate bytesIn,
      Gate bytesOut,
      TenantHoldings usage,
      Purse purse,
      LongSupplier nanoClock) {
    this.operations = operations;
    this.bytesIn = bytesIn;
    this.bytesOut = bytesOut;
    this.usage = usage;
    this.purse = purse;
    this.nanoClock = nanoClock;
    administration =
        new TokenBucket(ADMINISTRATION_PER_SECOND, ADMINISTRATION_BURST, nanoClock.getAsLong());
  }

  void setQuota(Quota next) {
    quota = next;
  }

  /** Returns the quota of the tenant. */
  public Quota quota() {
    return quota;
  }

  /** Returns what the tenant keeps. */
  public TenantHoldings usage() {
    return usage;
  }

  /**
   * Admits a request, or does not. One that is admitted may leave debt in bytes, which keeps later
   * ones waiting.
   *
   * @param count operations: 0 to 2^40
   * @param bytes of the request: 0 to 2^40
   * @return null if it is admitted
   */
  public @Nullable Throttled admit(long count, long bytes) {
    if (!isRateLimited()) {
      return null;
    }
    long now = nanoClock.getAsLong();
    long wait = bytesIn.take(0, now);
    if (wait > 0) {
      return throttled(Resource.BYTES_IN, wait);
    }
    wait = bytesOut.take(0, now);
    if (wait > 0) {
      return throttled(Resource.BYTES_OUT, wait);
    }
    wait = operations.take(count, now);
    if (wait > 0) {
      return throttled(Resource.OPERATIONS, wait);
    }
    bytesIn.charge(bytes, now);
    return null;
  }

  /**
   * Admits a request, or does not: by the rates as {@link #admit(long, long)}, and by what it
   * costs.
   *
   * @param measure what it does; null if only its rates count, as for a PING
   * @return null if it is admitted
   */
  public @Nullable NotAdmitted admit(@Nullable Measure measure, long count, long bytes) {
    Throttled byRate = admit(count, bytes);
    if (byRate != null || measure == null || !purse.isCapped()) {
      return byRate;
    }
    return paid(purse.take(measure, count, bytes));
  }

  /**
   * Admits several operations at once: all of them or none.
   *
   * @param reads how many of them read: 0 or more; the others likewise
   */
  public @Nullable NotAdmitted admit(long reads, long writes, long deletes, long bytes) {
    Throttled byRate = admit(reads + writes + deletes, bytes);
    return byRate != null || !purse.isCapped()
        ? byRate
        : paid(purse.take(reads, writes, deletes, bytes));
  }

  /**
   * Takes operations from the rates and the spending that were carried out already: those of a
   * script, whose number is not known before. The tenant may owe them afterwards.
   *
   * @param reads how many of them read: 0 or more; the others likewise
   */
  public void charge(long reads, long writes, long deletes) {
    if (purse.isCapped()) {
      purse.charge(Measure.READS, reads);
      purse.charge(Measure.WRITES, writes);
      purse.charge(Measure.DELETES, deletes);
    }
    if (operations.isLimited()) {
      operations.charge(reads + writes + deletes, nanoClock.getAsLong());
    }
  }

  /**
   * Admits a request about the tenant and not about its entries. It takes nothing of the quota: a
   * tenant that has used that up must still see why, and its bill.
   *
   * @return 0 if it is admitted, else in how many milliseconds to try again
   */
  public long admitAdministration() {
    return TimeUnit.NANOSECONDS.toMillis(
        administration.take(1, nanoClock.getAsLong()) + NANOS_LESS_THAN_A_MILLI);
  }

  private @Nullable NotAdmitted paid(long waitMillis) {
    if (waitMillis == 0) {
      return null;
    }
    OverCap over = OverCap.of(purse, waitMillis);
    if (over != null) {
      throttled.increment();
    }
    return over;
  }

  /** Counts bytes of answers that were written to the tenant's clients. */
  public void sent(long bytes) {
    if (purse.isCapped()) {
      purse.charge(Measure.BYTES_OUT, bytes);
    }
    if (bytesOut.isLimited()) {
      bytesOut.charge(bytes, nanoClock.getAsLong());
    }
  }

  /** Returns the number of requests that were not admitted since the member started. */
  public long throttled() {
    return throttled.sum();
  }

  /** Returns whether any rate or the spending is limited. */
  public boolean isLimited() {
    return isRateLimited() || purse.isCapped();
  }

  private boolean isRateLimited() {
    return operations.isLimited() || bytesIn.isLimited() || bytesOut.isLimited();
  }

  private Throttled throttled(Resource resource, long wait) {
    throttled.increment();
    return new Throttled(resource, quota.of(resource.limit()), wait);
  }
}
