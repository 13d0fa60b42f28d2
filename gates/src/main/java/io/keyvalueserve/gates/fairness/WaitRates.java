package io.keyvalueserve.gates.fairness;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The recent waits of tenants, from looks at their total waits. Thread-safe. */
public final class WaitRates {
  private static final int LOOKS = 10;
  private static final double NANOS = 1e9;

  private final Deque<Look> looks = new ArrayDeque<>();
  private volatile Map<Integer, Rates> rates = Map.of();

  private record Look(long nanos, Map<Integer, Waits> waits) {}

  /**
   * The waits of a tenant's sessions.
   *
   * @param waited seconds in a second, of all its sessions together
   * @param behindOthers how much of that other tenants are served
   * @param longestNanos the longest wait of the last 10 to 20 seconds
   * @param behind how much of {@code behindOthers} each of those tenants is served, by its number
   */
  public record Rates(
      double waited, double behindOthers, long longestNanos, Map<Integer, Double> behind) {
    /** The rates of a tenant that waits for nothing. */
    public static final Rates NONE = new Rates(0, 0, 0, Map.of());

    public Rates {
      behind = Map.copyOf(behind);
    }
  }

  /** Looks at the meters. To be called once in a second; the last ten looks count. */
  public synchronized void look(Collection<Waits> readings, long nowNanos) {
    Map<Integer, Waits> now = new HashMap<>();
    readings.forEach(waits -> now.put(waits.tenant(), waits));
    Look oldest = looks.peekFirst();
    if (oldest != null && nowNanos - oldest.nanos() > 0) {
      double seconds = (nowNanos - oldest.nanos()) / NANOS;
      Map<Integer, Rates> changed = new HashMap<>();
      now.forEach(
          (tenant, waits) -> {
            Waits before = oldest.waits().getOrDefault(tenant, notYet(tenant));
            changed.put(tenant, between(before, waits, seconds * NANOS));
          });
      rates = changed;
    }
    looks.addLast(new Look(nowNanos, now));
    if (looks.size() > LOOKS) {
      looks.removeFirst();
    }
  }

  /** Returns the waits of a tenant that was not there at the last look. */
  private static Waits notYet(int tenant) {
    return new Waits(tenant, 0, 0, 0, 0, 0, List.of());
  }

  private static Rates between(Waits before, Waits now, double nanos) {
    Map<Integer, Long> then = new HashMap<>();
    before.aggressors().forEach(each -> then.put(each.tenant(), each.nanos()));
    Map<Integer, Double> behind = new HashMap<>();
    for (Waits.Aggressor each : now.aggressors()) {
      // One that is new may be taken for more than it was: by what it replaced.
      long since = then.getOrDefault(each.tenant(), each.errorNanos());
      if (each.nanos() > since) {
        behind.put(each.tenant(), (each.nanos() - since) / nanos);
      }
    }
    return new Rates(
        Math.max(0, now.waitedNanos() - before.waitedNanos()) / nanos,
        Math.max(0, now.behindOthersNanos() - before.behindOthersNanos()) / nanos,
        now.longestNanos(),
        behind);
  }

  /** Returns the waits of a tenant at the last look. */
  public Rates of(int tenant) {
    return rates.getOrDefault(tenant, Rates.NONE);
  }
}
