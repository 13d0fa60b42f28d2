package io.keyvalueserve.grid.external;

import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.catalogue.ExternalStore;
import io.keyvalueserve.grid.catalogue.GridStoreCatalogue;
import io.keyvalueserve.grid.catalogue.SecretSeal;
import io.keyvalueserve.grid.member.DataMembers;
import io.keyvalueserve.grid.settings.MapStoreSettings;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.stores.Database;
import io.keyvalueserve.stores.StoreAddress;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The external stores of one member: a pool of connections for each tenant and store, and the maps
 * that have a table there. Changes of the catalogue and of maps' settings are followed at once.
 * Thread-safe.
 */
public final class ExternalStores implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExternalStores.class);

  private static final long MOST_DRAINING_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final SecretSeal seal;
  private final NativeMaps maps;
  private final NodeEngine nodeEngine;
  private final Map<String, ExternalStore> stores = new HashMap<>();
  private final Map<Pool, Database> databases = new HashMap<>();
  private final Map<String, StoreLink> links = new HashMap<>();
  private boolean closed;

  /** Names the connections of one tenant to a store. */
  private record Pool(String store, String tenant) {
    static Pool of(String store, String map) {
      return new Pool(
          store, QualifiedName.parse(map).map(name -> name.tenant().toString()).orElse(map));
    }
  }

  /** Creates the stores of a member, none of them connected. */
  public ExternalStores(SecretSeal seal, NativeMaps maps, NodeEngine nodeEngine) {
    this.seal = seal;
    this.maps = maps;
    this.nodeEngine = nodeEngine;
  }

  /** Follows the catalogue. To be called once. */
  public void follow(GridStoreCatalogue catalogue) {
    catalogue.subscribe(this::changed);
  }

  /** A store is another by now: the maps that use it are connected anew. */
  synchronized void changed(ExternalStore store) {
    ExternalStore known = stores.get(store.name());
    if (known != null && known.revision() >= store.revision()) {
      return;
    }
    stores.put(store.name(), store);
    List<Database> before = takePools(store.name());
    for (StoreLink link : List.copyOf(links.values())) {
      if (link.settings().store().equals(store.name())) {
        link(link.map(), link.settings());
      }
    }
    before.forEach(Database::close);
  }

  private List<Database> takePools(String store) {
    List<Database> taken = new ArrayList<>();
    databases
        .entrySet()
        .removeIf(each -> each.getKey().store().equals(store) && taken.add(each.getValue()));
    return taken;
  }

  /**
   * Puts a table behind a map, in the place of what was there.
   *
   * @param map its name in the grid
   * @param settings null to take it off
   */
  public synchronized void behind(String map, @Nullable MapStoreSettings settings) {
    StoreLink before = links.get(map);
    if (before == null ? settings == null : before.settings().equals(settings)) {
      return;
    }
    if (settings == null) {
      maps.external().set(map, null);
      StoreLink gone = links.remove(map);
      if (gone != null) {
        end(gone, null);
      }
    } else {
      link(map, settings);
    }
  }

  private void link(String map, MapStoreSettings settings) {
    if (closed) {
      return;
    }
    ExternalStore store = stores.get(settings.store());
    int poolSize = store == null ? 1 : store.poolSize();
    StoreLink next =
        new StoreLink(
            map,
            settings,
            new TableSource(
                () -> database(settings.store(), map),
                settings,
                nodeEngine.getSerializationService()),
            poolSize,
            store == null ? ExternalStore.USUAL_TIMEOUT : store.timeout(),
            maps,
            nodeEngine);
    StoreLink before = links.put(map, next);
    maps.external().set(map, next);
    if (before != null) {
      end(before, settings);
    }
    next.start(before);
  }

  /** A table that is followed no more keeps no changes for the map. */
  private static void end(StoreLink link, @Nullable MapStoreSettings next) {
    MapStoreSettings before = link.settings();
    boolean goesOn =
        next != null
            && next.follow()
            && next.store().equals(before.store())
            && next.table().equals(before.table());
    if (before.follow() && !goesOn) {
      link.stopFollowing();
    }
    link.close();
  }

  private synchronized Database database(String name, String map) {
    Pool pool = Pool.of(name, map);
    Database known = databases.get(pool);
    if (known != null) {
      return known;
    }
    ExternalStore store = stores.get(name);
    if (store == null || store.deleted() || closed) {
      throw new NoStoreException("there is no store '" + name + "': create it, or name another");
    }
    Database made = new Database(address(store));
    databases.put(pool, made);
    return made;
  }

  private StoreAddress address(ExternalStore store) {
    String sealed = store.sealedPassword();
    return new StoreAddress(
        store.jdbcUrl(),
        store.user(),
        sealed == null ? null : seal.open(store.name(), sealed),
        store.poolSize(),
        store.timeout());
  }

  /** Returns what is between this member and the stores of all its maps, by map. */
  public synchronized Map<String, MapStoreStatus> status() {
    Map<String, MapStoreStatus> status = new HashMap<>();
    links.forEach((map, link) -> status.put(map, link.status()));
    return status;
  }

  /**
   * Takes note that somebody has ended dead letters of a map, and has the others looked at now.
   *
   * @param left how many have left their queues
   */
  synchronized void ended(String map, long left) {
    StoreLink link = links.get(map);
    if (link != null) {
      long _ = link.counts().waiting.addAndGet(-left);
      link.wake();
    }
  }

  /** Has databases that did not work, and that nobody has needed since, looked at once more. */
  synchronized void lookAgain() {
    links.values().forEach(StoreLink::lookAgain);
  }

  /**
   * Has all that waits written, as far as that can be, if this is the last member of its cluster
   * that holds data. Others would get the queues. Blocks.
   */
  public void drain() {
    if (DataMembers.of(nodeEngine).size() > 1) {
      return;
    }
    List<StoreLink> draining;
    synchronized (this) {
      draining = List.copyOf(links.values());
    }
    draining.forEach(StoreLink::drain);
    long end = System.nanoTime() + MOST_DRAINING_NANOS;
    for (StoreLink link : draining) {
      long left = link.awaitDrained(end);
      if (left > 0) {
        LOG.warn(
            "{} writes of a map still wait for its external store as the member goes down; they"
                + " are in its log, if it has one: map={}",
            left,
            link.map());
      }
    }
  }

  /** Returns what is between a map and its table; null if it has none. */
  synchronized @Nullable StoreLink link(String map) {
    return links.get(map);
  }

  /** Ends all connections. What waits stays in its queues. */
  @Override
  public synchronized void close() {
    closed = true;
    links.values().forEach(StoreLink::close);
    links.clear();
    for (Database each : databases.values()) {
      try {
        each.close();
      } catch (RuntimeException e) {
        LOG.warn("the connections to a store were not all closed: {}", e.getMessage());
      }
    }
    databases.clear();
  }
}
