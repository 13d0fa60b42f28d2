package io.keyvalueserve.grid.settings;

import com.hazelcast.core.HazelcastException;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.restart.DurableMaps;
import io.keyvalueserve.maps.ChargedTo;
import io.keyvalueserve.tenancy.Persistence;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of maps that one member knows, and how far it has carried them out. Settings of a
 * map that arrive late do no harm, because the highest revision wins. Changes that take time are
 * carried out by one thread, in the order in which they came. Thread-safe.
 */
final class MemberSettings implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemberSettings.class);

  /** The beginning of what a member says that cannot carry out what is behind a map. */
  static final String STORE_FAILURE = "store: ";

  private static final long FORGETTING_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final @Nullable DurableMaps durable;
  private final OverMemorySink overMemory;
  private final BiConsumer<String, @Nullable ChargedTo> chargedTo;
  private final BiConsumer<String, @Nullable MapStoreSettings> store;
  private final Map<String, MapSettings> known = new ConcurrentHashMap<>();
  private final Map<String, Reached> reached = new ConcurrentHashMap<>();
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("kvs-map-settings").daemon().factory());

  private final AtomicLong lastForgot = new AtomicLong(System.nanoTime());

  private record Reached(long revision, SettingsProgress progress) {}

  /**
   * @param durable null if the member keeps nothing on its disk
   * @param overMemory told what is set
   * @param chargedTo told what is set, null for the usual
   * @param store told which table is behind a map, null for none; may throw what does not hold, and
   *     why
   */
  MemberSettings(
      @Nullable DurableMaps durable,
      OverMemorySink overMemory,
      BiConsumer<String, @Nullable ChargedTo> chargedTo,
      BiConsumer<String, @Nullable MapStoreSettings> store) {
    this.chargedTo = chargedTo;
    this.store = store;
    this.durable = durable;
    this.overMemory = overMemory;
  }

  /** Returns the settings that apply to a map, as far as this member knows. */
  MapSettings of(String map) {
    MapSettings settings = known.get(map);
    return settings == null ? MapSettings.none(map) : settings;
  }

  /** Returns how a map is kept, as far as this member knows. */
  Keeping keeping(String map) {
    return Keeping.of(of(map), ofTenantOf(map));
  }

  Collection<MapSettings> all() {
    return known.values();
  }

  /** Takes all settings in. Each is carried out with the others known. */
  void takeAll(Collection<MapSettings> all) {
    all.forEach(this::know);
    all.forEach(this::take);
  }

  private void know(MapSettings settings) {
    MapSettings _ =
        known.merge(
            settings.map(),
            settings,
            (before, next) -> next.revision() > before.revision() ? next : before);
  }

  /** Takes settings in, if they are news. Does not block. */
  void take(MapSettings settings) {
    boolean[] news = new boolean[1];
    forgetOld();
    know(settings);
    Reached before = reached.get(settings.map());
    if (before == null || before.revision() < settings.revision()) {
      Reached _ =
          reached.compute(
              settings.map(),
              (map, reach) -> {
                news[0] = reach == null || reach.revision() < settings.revision();
                return news[0]
                    ? new Reached(settings.revision(), SettingsProgress.UNDER_WAY)
                    : reach;
              });
    }
    if (news[0]) {
      try {
        worker.execute(() -> carryOut(settings));
      } catch (RejectedExecutionException e) {
        LOG.debug("the member goes down: map={}", settings.map());
      }
    }
  }

  /** News that came at the same time may be here in any order: the older ones have no say. */
  private void carryOut(MapSettings settings) {
    if (of(settings.map()).revision() > settings.revision()) {
      return;
    }
    SettingsProgress progress;
    if (!settings.isOfTenant()) {
      chargedTo.accept(settings.map(), settings.chargedTo());
      SettingsProgress ofStore = carryOutStore(settings);
      progress = keep(settings).and(ofStore);
    } else if (isWordless(settings)) {
      progress = keep(settings).and(keepMapsOf(settings));
    } else {
      progress = keepMapsOf(settings).and(keep(settings));
    }
    if (worker.isShutdown() && !progress.equals(SettingsProgress.DONE)) {
      return;
    }
    Reached done = new Reached(settings.revision(), progress);
    Reached _ =
        reached.computeIfPresent(
            settings.map(), (map, reach) -> reach.revision() > done.revision() ? reach : done);
  }

  /**
   * Keeps those maps of a tenant that have settings. Where the tenant has a word, this comes first,
   * and where it has none any more, last: so the log does not forget a map, even for a moment, that
   * does not follow its tenant.
   */
  private SettingsProgress keepMapsOf(MapSettings tenant) {
    SettingsProgress progress = SettingsProgress.DONE;
    for (MapSettings each : known.values()) {
      if (!each.isOfTenant() && tenant.map().equals(MapSettings.tenantOf(each.map()))) {
        progress = progress.and(keep(each));
      }
    }
    return progress;
  }

  /** Keeps a map, or all maps of a tenant for which nothing else is set, as the settings say. */
  private SettingsProgress keep(MapSettings settings) {
    String map = settings.map();
    MapSettings tenant = settings.isOfTenant() ? settings : ofTenantOf(map);
    Keeping keeping = Keeping.of(settings.isOfTenant() ? MapSettings.none(map) : settings, tenant);
    if (settings.isNothing() || (settings.isOfTenant() && isWordless(settings))) {
      overMemory.unset(map);
    } else {
      overMemory.set(map, keeping.overMemory());
    }
    Durability next = keeping.durability();
    try {
      if (durable != null) {
        durable.set(map, ownDurability(settings, tenant, durable.usual()));
      } else if (next != null && next != Durability.NONE) {
        return SettingsProgress.failed("it keeps nothing on disk: start it with --data");
      }
      return SettingsProgress.DONE;
    } catch (HazelcastException e) {
      if (worker.isShutdown()) {
        LOG.info("the member goes down while a map's durability changes: map={}", map);
      } else {
        LOG.error("a map's durability could not be changed: map={}", map, e);
      }
      return SettingsProgress.failed(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.error("a map's durability could not be changed: map={}", map, e);
      return SettingsProgress.failed("internal error, see the member's log");
    }
  }

  private MapSettings ofTenantOf(String map) {
    String tenant = MapSettings.tenantOf(map);
    return tenant == null ? MapSettings.none(map) : of(tenant);
  }

  private static boolean isWordless(MapSettings tenant) {
    return tenant.persistence() == Persistence.DEFAULT;
  }

  /**
   * Returns the durability that is a map's own, or that of all maps of a tenant; null if there is
   * none. A map that has settings of its own does not follow its tenant by itself: what the
   * tenant's word means for it is its own.
   */
  private static @Nullable Durability ownDurability(
      MapSettings settings, MapSettings tenant, Durability usual) {
    if (settings.isOfTenant()) {
      return Keeping.of(MapSettings.none(settings.map()), settings).durability();
    }
    if (settings.isNothing()) {
      return null;
    }
    Durability durability = Keeping.of(settings, tenant).durability();
    return durability == null && !isWordless(tenant) ? usual : durability;
  }

  /**
   * Returns the durability of each map, and of all maps of a tenant, that is not the usual one.
   *
   * @param all the settings of all maps and tenants
   */
  static Map<String, Durability> durabilities(Collection<MapSettings> all, Durability usual) {
    Map<String, MapSettings> byName = new HashMap<>();
    all.forEach(settings -> byName.put(settings.map(), settings));
    Map<String, Durability> own = new HashMap<>();
    for (MapSettings settings : all) {
      String tenant = MapSettings.tenantOf(settings.map());
      MapSettings none = MapSettings.none(settings.map());
      Durability durability =
          ownDurability(settings, tenant == null ? none : byName.getOrDefault(tenant, none), usual);
      if (durability != null) {
        own.put(settings.map(), durability);
      }
    }
    return own;
  }

  private SettingsProgress carryOutStore(MapSettings settings) {
    try {
      store.accept(settings.map(), settings.store());
      return SettingsProgress.DONE;
    } catch (RuntimeException e) {
      LOG.warn("the store behind a map does not hold here: map={}", settings.map(), e);
      return SettingsProgress.failed(STORE_FAILURE + e.getMessage());
    }
  }

  /** Returns how far this member has come with settings that it was told of, or newer ones. */
  SettingsProgress of(MapSettings settings) {
    Reached reach = reached.get(settings.map());
    return reach == null || reach.revision() < settings.revision()
        ? SettingsProgress.UNDER_WAY
        : reach.progress();
  }

  /** Waits until everything is done that came before. */
  void await() {
    CompletableFuture.runAsync(() -> {}, worker).join();
  }

  /**
   * Settings that are gone are known for a while, as others may still tell of them: not for ever,
   * or whoever makes maps and destroys them fills the member's memory.
   */
  private void forgetOld() {
    long now = System.nanoTime();
    long last = lastForgot.get();
    if (now - last < FORGETTING_NANOS || !lastForgot.compareAndSet(last, now)) {
      return;
    }
    long before = System.currentTimeMillis() - TimeUnit.NANOSECONDS.toMillis(FORGETTING_NANOS);
    known
        .values()
        .removeIf(
            settings ->
                settings.isNothing()
                    && settings.revision() < before
                    && reached.remove(
                        settings.map(), new Reached(settings.revision(), SettingsProgress.DONE)));
  }

  /** Stops whatever is under way, and waits until it has: it writes to the member's maps. */
  @Override
  public void close() {
    worker.shutdownNow();
    boolean ended = false;
    boolean interrupted = false;
    while (!ended) {
      try {
        ended = worker.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
