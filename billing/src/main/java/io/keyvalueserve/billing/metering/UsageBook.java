package io.keyvalueserve.billing.metering;

import io.keyvalueserve.tenancy.Persistence;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The counters of all tenants' usage on one member. Its owner flushes it at the end of every
 * minute, and keeps the events until a ledger has them. Usage that was flushed is not told again.
 *
 * <p>Counters of what nobody counts any more go away: the book refers to a meter weakly, and when
 * no session has it any more nothing can be added to it, so one last flush has all of it.
 *
 * <p>Thread-safe. Getting a meter may wait for a moment for who gets one of the same name; counting
 * never does.
 */
public final class UsageBook {
  /** A tenant that uses more maps than this between two flushes has the others told as none. */
  static final int MOST_MAPS = 10_000;

  private final UUID member;
  private final long incarnation;
  private final ConcurrentHashMap<Key, Slot> slots = new ConcurrentHashMap<>();

  /** The number of counters of each tenant's use of maps. */
  private final ConcurrentHashMap<Integer, AtomicInteger> maps = new ConcurrentHashMap<>();

  /** Counts since the last sample, of counters that are gone. Guarded by this. */
  private final List<Sample> gone = new ArrayList<>();

  private boolean isSampled;
  private volatile Sharing sharing = (tenantNumber, map) -> SharingLevel.SHARED;
  private volatile Keeping keeping = map -> Persistence.DEFAULT;
  private long interval;

  /**
   * A part of what was counted between two samples.
   *
   * @param map null for what is of no map
   */
  public record Sample(int tenantNumber, @Nullable QualifiedName map, UsageQuantities quantities) {}

  /** Says what is shared at present. Never blocks. */
  @FunctionalInterface
  public interface Sharing {
    /**
     * Returns the sharing level of a map for a tenant, here and now.
     *
     * @param map null for what is of no map
     */
    SharingLevel of(int tenantNumber, @Nullable QualifiedName map);
  }

  /** Says how maps are kept at present. Never blocks. */
  @FunctionalInterface
  public interface Keeping {
    /** Returns the persistence of a map, here and now. */
    Persistence of(QualifiedName map);
  }

  /** The tenant, map and sharing level that counters belong to. */
  record Key(
      TenantName tenant, int tenantNumber, @Nullable QualifiedName map, SharingLevel sharing) {}

  /** Counters, and the meter by which sessions reach them. */
  record Slot(UsageCounters counters, WeakReference<UsageMeter> meter) {}

  /**
   * @param member who counts
   * @param incarnation the member's starts so far, 0 or more: it never counts two lives under one
   */
  public UsageBook(UUID member, long incarnation) {
    if (incarnation < 0) {
      throw new IllegalArgumentException("incarnation is 0 or more: " + incarnation);
    }
    this.member = member;
    this.incarnation = incarnation;
  }

  /**
   * Has what was counted as shared told as what it is when it is flushed: so nobody who counts need
   * know what is reserved. Nothing else may be counted with a level but {@link SharingLevel#SHARED}
   * from then on, or one event would be told twice.
   */
  public void shareBy(Sharing next) {
    sharing = next;
  }

  /** Has what was counted told with how its map is kept when it is flushed. */
  public void keepBy(Keeping next) {
    keeping = next;
  }

  /** Returns the present sharing level of a map for a tenant. */
  public SharingLevel sharing(int tenantNumber, @Nullable QualifiedName map) {
    return sharing.of(tenantNumber, map);
  }

  /**
   * The meter of a tenant for a map. Look it up once for each session and map.
   *
   * @param tenant who is charged
   * @param tenantNumber its number, 1 or more
   * @param map which, also if it is another tenant's; null for what is of no map. A tenant that
   *     uses very many gets the meter of no map for those beyond
   * @param sharing with whom it is shared
   */
  public UsageMeter meter(
      TenantName tenant, int tenantNumber, @Nullable QualifiedName map, SharingLevel sharing) {
    if (tenantNumber < 1) {
      throw new IllegalArgumentException("tenantNumber is 1 or more: " + tenantNumber);
    }
    Key key = new Key(tenant, tenantNumber, map, sharing);
    Slot slot = slots.get(key);
    UsageMeter known = slot == null ? null : slot.meter().get();
    if (known != null) {
      return known;
    }
    boolean isOneMore = slot == null && map != null;
    return newMeter(
        isOneMore && mapsOf(key).get() >= MOST_MAPS
            ? new Key(tenant, tenantNumber, null, sharing)
            : key);
  }

  private AtomicInteger mapsOf(Key key) {
    return maps.computeIfAbsent(key.tenantNumber(), _ -> new AtomicInteger());
  }

  private UsageMeter newMeter(Key key) {
    UsageMeter[] made = new UsageMeter[1]; // refers to it strongly until it is returned
    slots.compute(
        key,
        (k, slot) -> {
          UsageMeter known = slot == null ? null : slot.meter().get();
          if (slot != null && known != null) {
            made[0] = known;
            return slot;
          }
          if (slot == null && k.map() != null) {
            int _ = mapsOf(k).incrementAndGet();
          }
          UsageCounters counters = slot == null ? new UsageCounters() : slot.counters();
          made[0] = new UsageMeter(counters);
          return new Slot(counters, new WeakReference<>(made[0]));
        });
    return made[0];
  }

  /**
   * Returns the usage since the last flush: one event for each tenant, map and sharing level that
   * used anything. Every count is in exactly one event of all flushes.
   *
   * @param minute the minute that it is told of: minutes since 1970. A flush that comes late has
   *     some of the next minute in it
   * @throws IllegalArgumentException if there is no such minute; nothing was flushed
   */
  public synchronized List<UsageEvent> flush(long minute) {
    if (minute < 0 || minute > UsageIdentity.MOST_MINUTE) {
      throw new IllegalArgumentException(
          "minute is 0 to " + UsageIdentity.MOST_MINUTE + ": " + minute);
    }
    List<UsageEvent> events = new ArrayList<>();
    for (Key key : slots.keySet()) {
      // Under the key's lock, so that nobody gets a meter of counters that are just going away.
      slots.computeIfPresent(key, (k, slot) -> flush(k, slot, minute, events));
    }
    interval++;
    return events;
  }

  /**
   * Adds what was counted, if anything was.
   *
   * @return the slot; null if nobody can count in it any more
   */
  @Nullable Slot flush(Key key, Slot slot, long minute, List<UsageEvent> events) {
    boolean isForgotten = slot.meter().get() == null; // before it is read for the last time
    UsageQuantities quantities = slot.counters().flush();
    if (!quantities.isEmpty()) {
      events.add(
          new UsageEvent(
              new UsageIdentity(
                  member,
                  incarnation,
                  interval,
                  key.tenant(),
                  key.tenantNumber(),
                  key.map(),
                  key.sharing() == SharingLevel.SHARED
                      ? sharing.of(key.tenantNumber(), key.map())
                      : key.sharing(),
                  key.map() == null ? Persistence.DEFAULT : keeping.of(key.map()),
                  minute),
              quantities));
    }
    if (isForgotten && isSampled) {
      addSample(key, slot, gone);
    }
    if (isForgotten && key.map() != null) {
      int _ = mapsOf(key).decrementAndGet();
    }
    return isForgotten ? null : slot;
  }

  /**
   * Returns the usage since the last sample, whether it was flushed meanwhile or not. Every count
   * is in exactly one sample. Costs nothing while counting, and takes no memory for what is idle.
   */
  public synchronized List<Sample> sample() {
    isSampled = true;
    List<Sample> samples = new ArrayList<>(gone);
    gone.clear();
    slots.forEach((key, slot) -> addSample(key, slot, samples));
    return samples;
  }

  private static void addSample(Key key, Slot slot, List<Sample> samples) {
    UsageQuantities more = slot.counters().sample();
    if (more != null) {
      samples.add(new Sample(key.tenantNumber(), key.map(), more));
    }
  }

  /**
   * Returns the number of counters: those that sessions hold, and those that the next flush lets
   * go.
   */
  int size() {
    return slots.size();
  }
}
