package io.keyvalueserve.grid.hibernation;

import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.proxyservice.InternalProxyService;
import io.keyvalueserve.grid.catalogue.Hibernation;
import io.keyvalueserve.grid.catalogue.Hibernation.Image;
import io.keyvalueserve.grid.catalogue.Hibernation.Phase;
import io.keyvalueserve.maps.HeldTenants;
import io.keyvalueserve.maps.HiddenMaps;
import io.keyvalueserve.maps.NativeMaps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds requests for tenants that are not in memory, and frees the memory of those that have left
 * it. Thread-safe.
 *
 * <p>A record that is older than what is known is ignored. So records may come twice, and late.
 */
public final class SleepingTenants implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SleepingTenants.class);

  private final NodeEngine nodeEngine;
  private final NativeMaps maps;
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final Map<String, Duration> settings = new ConcurrentHashMap<>();

  /** The tenants that change their phase, and who carries that out. */
  private final Map<String, Hibernation> changing = new ConcurrentHashMap<>();

  private final Map<String, Set<Integer>> wanted = new ConcurrentHashMap<>();
  private final LinkedBlockingQueue<String> demands = new LinkedBlockingQueue<>();
  private final AtomicLong asleep = new AtomicLong();
  private final AtomicLong asleepBytes = new AtomicLong();
  private final Object dropping = new Object();
  private @Nullable String dropped;
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("kvs-hibernation").factory());

  /**
   * The known state of a tenant; small, as there may be very many.
   *
   * @param bytes in the repository; 0 unless the tenant is asleep
   * @param sinceMillis when it left memory
   */
  private record Known(long revision, Phase phase, long bytes, long sinceMillis) {}

  /** Is shown tenants that are in a repository alone. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Shows one.
     *
     * @param bytes that it has there
     * @param sinceMillis when it left memory, in milliseconds since 1970
     */
    void visit(String tenant, long bytes, long sinceMillis);
  }

  private volatile Consumer<String> onFreed = tenant -> {};

  /** Takes the demands of a member's maps from now on. */
  public SleepingTenants(NodeEngine nodeEngine, NativeMaps maps) {
    this.nodeEngine = nodeEngine;
    this.maps = maps;
    maps.heldTenants().onDemand(this::want);
  }

  /** Sets who is told when the maps of a tenant have left the memory of this member. */
  public void onFreed(Consumer<String> listener) {
    onFreed = listener;
  }

  // ---- demands

  /** Notes that somebody waits for a partition of a tenant, or for {@link HeldTenants#ALL}. */
  void want(String tenant, int partition) {
    boolean[] isNew = {false};
    Set<Integer> _ =
        wanted.compute(
            tenant,
            (any, before) -> {
              Set<Integer> partitions = before == null ? new HashSet<>() : before;
              isNew[0] = partitions.add(partition);
              return partitions;
            });
    if (isNew[0]) {
      boolean _ = demands.offer(tenant);
    }
  }

  /** Has a tenant returned by {@link #nextDemand} again. */
  void repeat(String tenant) {
    boolean _ = demands.offer(tenant);
  }

  /** Returns a tenant that somebody waits for; null if there is none for a while. */
  @Nullable String nextDemand() throws InterruptedException {
    return demands.poll(1, TimeUnit.SECONDS);
  }

  /** Returns whether somebody waits for a tenant. */
  boolean isWanted(String tenant) {
    return wanted.containsKey(tenant);
  }

  /** Takes the partitions that somebody has waited for since the last call. */
  Set<Integer> takeWanted(String tenant) {
    Set<Integer> taken = wanted.remove(tenant);
    return taken == null ? Set.of() : taken;
  }

  // ---- what is known

  /** Takes a record in. Does not block. */
  public void apply(Hibernation record) {
    synchronized (changing) { // one after the other: what is known and what is done agree
      Known before = known.get(record.tenant());
      Phase old = before == null ? Phase.AWAKE : before.phase();
      if (before != null && before.revision() > record.revision()) {
        return;
      }
      boolean isNew = before == null || before.revision() < record.revision();
      if (isNew) {
        note(record, before);
      }
      switch (record.phase()) {
        case AWAKE -> maps.heldTenants().release(record.tenant());
        case FALLING_ASLEEP -> maps.heldTenants().hold(record.tenant());
        case ASLEEP -> {
          maps.heldTenants().hold(record.tenant());
          if (old != Phase.ASLEEP) {
            drop(record);
          }
          if (maps.heldTenants().isAwaited(record.tenant())) {
            want(record.tenant(), HeldTenants.ALL);
          }
        }
        case WAKING -> maps.heldTenants().serve(record.tenant(), record.loaded());
      }
    }
  }

  private void note(Hibernation record, @Nullable Known before) {
    String tenant = record.tenant();
    Image image = record.image();
    long bytes = record.phase() == Phase.ASLEEP && image != null ? image.bytes() : 0;
    long was = before != null && before.phase() == Phase.ASLEEP ? 1 : 0;
    long is = record.phase() == Phase.ASLEEP ? 1 : 0;
    long _ = asleep.addAndGet(is - was);
    long _ = asleepBytes.addAndGet(bytes - (before == null ? 0 : before.bytes()));
    Known _ =
        known.put(
            tenant, new Known(record.revision(), record.phase(), bytes, record.sinceMillis()));
    if (record.after() == null) {
      Duration _ = settings.remove(tenant);
    } else {
      Duration _ = settings.put(tenant, record.after());
    }
    if (record.phase() == Phase.FALLING_ASLEEP || record.phase() == Phase.WAKING) {
      Hibernation _ = changing.put(tenant, record);
    } else {
      Hibernation _ = changing.remove(tenant);
    }
  }

  /** Returns whether this member knows a record of a tenant, and none that is newer. */
  boolean isLast(Hibernation record) {
    Known of = known.get(record.tenant());
    return of != null && of.revision() == record.revision();
  }

  /** Returns the phase of a tenant, as far as this member knows. */
  public Phase phaseOf(String tenant) {
    Known of = known.get(tenant);
    return of == null ? Phase.AWAKE : of.phase();
  }

  /** Returns the last record of each tenant that changes its phase. */
  List<Hibernation> changing() {
    return List.copyOf(changing.values());
  }

  /** Returns the setting of a tenant; null if it has none. */
  @Nullable Duration after(String tenant) {
    return settings.get(tenant);
  }

  /** Returns whether any tenant has a setting with a time. */
  boolean isAnySet() {
    return settings.values().stream().anyMatch(after -> !after.isZero());
  }

  /** Returns the least time after which a tenant falls asleep. */
  Duration leastAfter(Duration usual) {
    return settings.values().stream()
        .filter(after -> !after.isZero())
        .reduce(
            usual.isZero() ? Hibernation.MOST_AFTER : usual, (a, b) -> a.compareTo(b) < 0 ? a : b);
  }

  /** Returns the number of tenants that are in a repository alone. */
  public long asleep() {
    return asleep.get();
  }

  /** Returns the bytes that these have in repositories. */
  public long asleepBytes() {
    return asleepBytes.get();
  }

  /** Shows the tenants that are in a repository alone. */
  public void forEachAsleep(Visitor visitor) {
    known.forEach(
        (tenant, of) -> {
          if (of.phase() == Phase.ASLEEP) {
            visitor.visit(tenant, of.bytes(), of.sinceMillis());
          }
        });
  }

  // ---- memory is freed

  private void drop(Hibernation record) {
    try {
      worker.execute(() -> dropNow(record));
    } catch (RejectedExecutionException e) {
      LOG.debug("the member goes down");
    }
  }

  private void dropNow(Hibernation record) {
    String tenant = record.tenant();
    synchronized (dropping) {
      if (phaseOf(tenant) != Phase.ASLEEP) {
        return; // it wakes already: what is here is what the repository has
      }
      dropped = tenant;
    }
    try {
      Image image = record.image();
      Set<String> names = new LinkedHashSet<>();
      if (image != null) {
        image.maps().forEach(map -> names.add(tenant + '/' + map));
      }
      maps.tenantMaps().drop(tenant, names);
      onFreed.accept(tenant);
    } catch (RuntimeException e) {
      LOG.warn("the memory of a hibernated tenant is freed later: tenant={}", tenant, e);
    } finally {
      synchronized (dropping) {
        dropped = null;
        dropping.notifyAll();
      }
    }
  }

  /** Frees what has come into memory of tenants that are asleep, as with a partition that moved. */
  void dropLeftovers() {
    for (String tenant : maps.tenantMaps().lastUses(this::isAsleep).keySet()) {
      if (isAsleep(tenant)) {
        drop(new Hibernation(tenant, 0, Phase.ASLEEP, null, 0, "", null, new BitSet(0)));
      }
    }
  }

  private boolean isAsleep(String tenant) {
    return phaseOf(tenant) == Phase.ASLEEP;
  }

  /**
   * Waits until nothing of a tenant is being freed. Nothing will be unless it falls asleep again:
   * this member knows that it wakes.
   */
  void awaitDropped(String tenant) throws InterruptedException {
    synchronized (dropping) {
      while (tenant.equals(dropped)) {
        dropping.wait();
      }
    }
  }

  /** Returns the names of a tenant's maps that this member knows of, without the tenant's name. */
  List<String> mapNames(String tenant) {
    Set<String> names = new LinkedHashSet<>(maps.tenantMaps().names(tenant));
    for (String name : proxies().getDistributedObjectNames(MapService.SERVICE_NAME)) {
      if (name.startsWith(tenant + '/') && !HiddenMaps.isHidden(name)) {
        boolean _ = names.add(name);
      }
    }
    List<String> maps = new ArrayList<>();
    names.forEach(name -> maps.add(name.substring(tenant.length() + 1)));
    return maps;
  }

  private InternalProxyService proxies() {
    return (InternalProxyService) nodeEngine.getProxyService();
  }

  /** Takes no more. */
  @Override
  public void close() {
    worker.shutdownNow();
  }
}
