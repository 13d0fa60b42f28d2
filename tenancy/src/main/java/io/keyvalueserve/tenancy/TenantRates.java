package io.keyvalueserve.tenancy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much tenants do in a second on this member, between two looks at their meters. Thread-safe.
 */
public final class TenantRates {
  private static final double NANOS = 1e9;

  private Map<TenantName, long[]> last = Map.of();
  private long lastNanos;
  private volatile Map<TenantName, Rates> rates = Map.of();

  /**
   * What a tenant does in a second.
   *
   * @param operations that were admitted
   * @param bytesIn that were read
   * @param bytesOut that were written
   */
  public record Rates(double operations, double bytesIn, double bytesOut) {
    /** Of a tenant that does nothing. */
    public static final Rates NONE = new Rates(0, 0, 0);
  }

  /** Looks at the meters. To be called once in a second or so. */
  public synchronized void look(List<TenantMeters.Reading> readings, long nowNanos) {
    Map<TenantName, long[]> sums = new HashMap<>();
    for (TenantMeters.Reading reading : readings) {
      long[] sum = sums.computeIfAbsent(reading.tenant(), tenant -> new long[3]);
      sum[0] += reading.operations();
      sum[1] += reading.bytesIn();
      sum[2] += reading.bytesOut();
    }
    double seconds = (nowNanos - lastNanos) / NANOS;
    Map<TenantName, Rates> now = new HashMap<>();
    sums.forEach(
        (tenant, sum) -> {
          long[] before = last.get(tenant);
          if (before != null && seconds > 0) {
            now.put(
                tenant,
                new Rates(
                    Math.max(0, sum[0] - before[0]) / seconds,
                    Math.max(0, sum[1] - before[1]) / seconds,
                    Math.max(0, sum[2] - before[2]) / seconds));
          }
        });
    last = sums;
    lastNanos = nowNanos;
    rates = now;
  }

  /** What a tenant did in a second, at the last look. */
  public Rates of(TenantName tenant) {
    return rates.getOrDefault(tenant, Rates.NONE);
  }
}
