package io.keyvalueserve.gates;

import io.keyvalueserve.tenancy.TenantName;
import java.util.HashMap;
import java.util.Map;

/**
 * The rates of tenants on this member, per second, between two looks at their meters. Thread-safe.
 */
public final class TenantRates {
  private static final double NANOS = 1e9;

  private final Map<TenantName, Seen> last = new HashMap<>();
  private long generation;
  private long lastNanos;
  private volatile Map<TenantName, Rates> rates = Map.of();

  /**
   * The rates of one tenant per second.
   *
   * @param operations that were admitted
   * @param bytesIn that were read
   * @param bytesOut that were written
   */
  public record Rates(double operations, double bytesIn, double bytesOut) {
    /** The rates of a tenant that does nothing. */
    public static final Rates NONE = new Rates(0, 0, 0);
  }

  /** Looks at the meters. To be called once in a second or so. */
  public synchronized void look(TenantMeters meters, long nowNanos) {
    double seconds = (nowNanos - lastNanos) / NANOS;
    Map<TenantName, Rates> now = new HashMap<>();
    generation++;
    meters.forEachTotal(
        (tenant, operations, bytesIn, bytesOut) -> {
          Seen before = last.get(tenant);
          if (before == null) {
            last.put(tenant, new Seen(operations, bytesIn, bytesOut, generation));
            return;
          }
          boolean changed =
              before.operations != operations
                  || before.bytesIn != bytesIn
                  || before.bytesOut != bytesOut;
          if (changed && seconds > 0) { // the others do nothing, which most do
            now.put(
                tenant,
                new Rates(
                    Math.max(0, operations - before.operations) / seconds,
                    Math.max(0, bytesIn - before.bytesIn) / seconds,
                    Math.max(0, bytesOut - before.bytesOut) / seconds));
          }
          before.operations = operations;
          before.bytesIn = bytesIn;
          before.bytesOut = bytesOut;
          before.generation = generation;
        });
    last.values().removeIf(seen -> seen.generation != generation);
    lastNanos = nowNanos;
    rates = now;
  }

  /** The counters of a tenant at the last look. */
  private static final class Seen {
    long operations;
    long bytesIn;
    long bytesOut;
    long generation;

    Seen(long operations, long bytesIn, long bytesOut, long generation) {
      this.operations = operations;
      this.bytesIn = bytesIn;
      this.bytesOut = bytesOut;
      this.generation = generation;
    }
  }

  /** Returns the rates of the tenants that did anything between the last two looks. */
  public Map<TenantName, Rates> all() {
    return rates;
  }

  /** Returns the rates of a tenant at the last look; {@link Rates#NONE} if it did nothing. */
  public Rates of(TenantName tenant) {
    return rates.getOrDefault(tenant, Rates.NONE);
  }
}
