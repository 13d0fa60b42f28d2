package io.keyvalueserve.gates;

import io.keyvalueserve.gates.latency.LaneNumbers;
import io.keyvalueserve.gates.latency.LatencyMeter;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts of what this member admitted and refused, by tenant and door, since it started.
 *
 * <p>A door looks its {@link Meter} up once for each session and then adds to it without a lock.
 * Thread-safe.
 */
public final class TenantMeters {
  private final ConcurrentHashMap<Identity, TenantMeter> meters = new ConcurrentHashMap<>();
  private final AtomicInteger changes = new AtomicInteger();
  private volatile Latencies latencies = new Latencies(0, Map.of());
  private final Map<Door, LaneNumbers> lanes = new EnumMap<>(Door.class);

  /**
   * Creates meters that have counted nothing.
   *
   * @param processors that this process has, from 1 on: so many threads of a door count at once
   */
  public TenantMeters(int processors) {
    for (Door door : Door.values()) {
      lanes.put(door, new LaneNumbers(processors));
    }
  }

  /** The counters of one tenant at one door. They live as long as the member. */
  public Meter meter(Identity identity, Door door) {
    Identity tenant = new Identity(identity.tenant(), identity.number(), "");
    TenantMeter known = meters.get(tenant);
    if (known == null) {
      known = meters.computeIfAbsent(tenant, added -> new TenantMeter(added, lanes));
      changes.incrementAndGet();
    }
    return known.at(door);
  }

  /** The key of a meter: a tenant and the door that served it. */
  public record Key(TenantName tenant, Door door) {}

  /**
   * Returns the latencies of each tenant's requests at each door, since this member started.
   * Returns the same map as long as no tenant comes or goes.
   */
  public Map<Key, LatencyMeter> latencies() {
    int now = changes.get();
    Latencies known = latencies;
    if (known.changes() != now) {
      known = new Latencies(now, collectLatencies());
      latencies = known;
    }
    return known.byKey();
  }

  private Map<Key, LatencyMeter> collectLatencies() {
    Map<Key, LatencyMeter> all = new HashMap<>();
    for (TenantMeter each : meters.values()) {
      for (Door door : Door.values()) {
        all.put(new Key(each.tenant.tenant(), door), each.at(door).latency());
      }
    }
    return Collections.unmodifiableMap(all);
  }

  private record Latencies(int changes, Map<Key, LatencyMeter> byKey) {}

  /**
   * A visitor of each tenant's totals at all doors since this member started; see {@link Reading}.
   */
  @FunctionalInterface
  public interface TotalsVisitor {
    /** Shows one tenant. */
    void visit(TenantName tenant, long operations, long bytesIn, long bytesOut);
  }

  /** Shows every tenant that has used this member. Allocates nothing. */
  public void forEachTotal(TotalsVisitor visitor) {
    for (TenantMeter each : meters.values()) {
      visitor.visit(
          each.tenant.tenant(),
          each.resp.operations.sum() + each.hazelcast.operations.sum() + each.http.operations.sum(),
          each.resp.bytesIn.sum() + each.hazelcast.bytesIn.sum() + each.http.bytesIn.sum(),
          each.resp.bytesOut.sum() + each.hazelcast.bytesOut.sum() + each.http.bytesOut.sum());
    }
  }

  /** The counters of one tenant, one for each door; empty if it has not used this member. */
  public List<Reading> readings(Identity tenant) {
    TenantMeter meter = meters.get(new Identity(tenant.tenant(), tenant.number(), ""));
    return meter == null ? List.of() : meter.readings();
  }

  /** All counters, read one after the other: not a snapshot of one instant. */
  public List<Reading> readings() {
    return meters.values().stream().flatMap(meter -> meter.readings().stream()).toList();
  }

  /** The counters of one tenant at one door; all 0 if it has done nothing there. */
  public Reading reading(Identity identity, Door door) {
    TenantMeter known = meters.get(new Identity(identity.tenant(), identity.number(), ""));
    return known == null
        ? new Reading(identity.tenant(), door, 0, 0, 0, 0, 0)
        : known.reading(door, known.at(door));
  }

  /** Returns the recent rates of one tenant at one door. */
  public RecentRates.PerSecond recentRates(Identity identity, Door door) {
    return meter(identity, door).recentRates();
  }

  /** Forgets a tenant that was deleted. */
  public void forget(int tenantNumber) {
    if (meters.keySet().removeIf(identity -> identity.number() == tenantNumber)) {
      changes.incrementAndGet();
    }
  }

  /**
   * The counters of one tenant at one door.
   *
   * @param operations key operations and commands that were admitted
   * @param refused requests that were refused for want of a right
   * @param bytesIn bytes read from its clients
   * @param bytesOut bytes written to its clients
   * @param sessions sessions that began: 0 at the HTTP door, which has none
   */
  public record Reading(
      TenantName tenant,
      Door door,
      long operations,
      long refused,
      long bytesIn,
      long bytesOut,
      long sessions) {}

  /** One tenant's counters at one door. Thread-safe; adding never blocks. */
  public static final class Meter {
    private final LongAdder operations = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder bytesIn = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();
    private final LongAdder sessions = new LongAdder();
    private final RecentRates recent = new RecentRates(System.nanoTime());

    private final LatencyMeter latency;

    private Meter(LaneNumbers lanes) {
      this.latency = new LatencyMeter(lanes);
    }

    /** Returns the meter of its requests' latencies. */
    public LatencyMeter latency() {
      return latency;
    }

    /** Returns the recent rates of its operations and bytes. */
    public RecentRates.PerSecond recentRates() {
      return recent.look(System.nanoTime(), operations.sum(), bytesIn.sum(), bytesOut.sum());
    }

    /** Adds one session that began. */
    public void sessionBegan() {
      sessions.increment();
    }

    /** Adds operations that were admitted. */
    public void operations(long count) {
      operations.add(count);
    }

    /** Adds one request that was refused. */
    public void refused() {
      refused.increment();
    }

    /** Adds bytes that came in. */
    public void bytesIn(long count) {
      bytesIn.add(count);
    }

    /** Adds bytes that went out. */
    public void bytesOut(long count) {
      bytesOut.add(count);
    }
  }

  private static final class TenantMeter {
    final Identity tenant;
    private final Meter resp;
    private final Meter hazelcast;
    private final Meter http;
    private final Meter postgres;

    TenantMeter(Identity tenant, Map<Door, LaneNumbers> lanes) {
      this.tenant = tenant;
      this.resp = meter(lanes, Door.RESP);
      this.hazelcast = meter(lanes, Door.HAZELCAST);
      this.http = meter(lanes, Door.HTTP);
      this.postgres = meter(lanes, Door.POSTGRES);
    }

    private static Meter meter(Map<Door, LaneNumbers> lanes, Door door) {
      return new Meter(Objects.requireNonNull(lanes.get(door)));
    }

    Meter at(Door door) {
      return switch (door) {
        case RESP -> resp;
        case HAZELCAST -> hazelcast;
        case HTTP -> http;
        case POSTGRES -> postgres;
      };
    }

    List<Reading> readings() {
      return Arrays.stream(Door.values()).map(door -> reading(door, at(door))).toList();
    }

    private Reading reading(Door door, Meter meter) {
      return new Reading(
          tenant.tenant(),
          door,
          meter.operations.sum(),
          meter.refused.sum(),
          meter.bytesIn.sum(),
          meter.bytesOut.sum(),
          meter.sessions.sum());
    }
  }
}
