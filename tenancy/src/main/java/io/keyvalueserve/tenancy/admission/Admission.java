package io.keyvalueserve.tenancy.admission;

import io.keyvalueserve.tenancy.Quota;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the doors of one member ask before they serve a tenant.
 *
 * <p>Thread-safe; never blocks. Where nothing is limited it costs some volatile reads; where
 * something is, a look at the clock and a compare-and-set for each limit.
 */
public final class Admission {
  private final Gate operations;
  private final Gate bytesIn;
  private final Gate bytesOut;
  private final Usage usage;
  private final LongSupplier nanoClock;
  private final LongAdder throttled = new LongAdder();
  private volatile Quota quota = Quota.USUAL;

  Admission(Gate operations, Gate bytesIn, Gate bytesOut, Usage usage, LongSupplier nanoClock) {
    this.operations = operations;
    this.bytesIn = bytesIn;
    this.bytesOut = bytesOut;
    this.usage = usage;
    this.nanoClock = nanoClock;
  }

  void setQuota(Quota next) {
    quota = next;
  }

  /** How much the tenant may use. */
  public Quota quota() {
    return quota;
  }

  /** What the tenant keeps. */
  public Usage usage() {
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
    if (!isLimited()) {
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

  /** Counts bytes of answers that were written to the tenant's clients. */
  public void sent(long bytes) {
    if (bytesOut.isLimited()) {
      bytesOut.charge(bytes, nanoClock.getAsLong());
    }
  }

  /** How many requests were not admitted, since the member started. */
  public long throttled() {
    return throttled.sum();
  }

  /** Whether any rate is limited. */
  public boolean isLimited() {
    return operations.isLimited() || bytesIn.isLimited() || bytesOut.isLimited();
  }

  private Throttled throttled(Resource resource, long wait) {
    throttled.increment();
    return new Throttled(resource, quota.of(resource.limit()), wait);
  }
}
