package io.keyvalueserve.grid.settings;

import com.hazelcast.cluster.Address;
import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryRemovedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.restart.DurableMaps;
import io.keyvalueserve.grid.settings.MapSettingsException.Kind;
import io.keyvalueserve.grid.space.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of all maps, in a system map of the grid with two backups: each map's under its name
 * in the grid.
 *
 * <p>A change is a compare-and-set there, then a notice to each member until it has carried it out
 * ({@link Spread}). The system map's own events tell members that could not be reached. Blocks;
 * thread-safe.
 */
public final class GridMapSettings implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GridMapSettings.class);
  private static final String MAPS = "__kvs.maps";
  private static final int BACKUPS = 2;

  /** What {@link #everything} begins with. */
  private static final String HEAD = "settings";

  private final IMap<String, String> maps;
  private final @Nullable DurableMaps durable;
  private final MemberSettings member;
  private final Spread spread;

  /**
   * The settings as this member reaches them; to be {@link #load loaded} before anything else.
   *
   * @param durable null if the members keep nothing on their disks
   */
  public GridMapSettings(
      HazelcastInstance instance, NodeEngine nodeEngine, @Nullable DurableMaps durable) {
    this.maps = instance.getMap(MAPS);
    this.durable = durable;
    this.member = new MemberSettings(durable);
    this.spread = new Spread(nodeEngine, member);
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    config.addMapConfig(
        new MapConfig(MAPS).setInMemoryFormat(InMemoryFormat.NATIVE).setBackupCount(BACKUPS));
    MapSettingsNotice.register(config);
  }

  /**
   * Tells a member that is about to take part what holds in a cluster that runs. What it has kept
   * itself holds if there is none.
   */
  public static void learn(NodeEngine nodeEngine, Address master, DurableMaps durable) {
    String[] lines = Spread.everything(nodeEngine, master).split("\n", -1);
    if (!lines[0].equals(HEAD)) {
      return;
    }
    Map<String, Durability> own = new HashMap<>();
    for (String line : List.of(lines).subList(1, lines.length)) {
      note(MapSettingsCodec.decode(line), own);
    }
    durable.setAll(own);
  }

  /** Reads what holds, and waits until it does on this member. */
  public void load() {
    var _ =
        maps.addEntryListener(
            (EntryAddedListener<String, String>) event -> told(event.getValue()), true);
    var _ =
        maps.addEntryListener(
            (EntryUpdatedListener<String, String>) event -> told(event.getValue()), true);
    var _ =
        maps.addEntryListener(
            (EntryRemovedListener<String, String>) event -> toldOfRemoval(event.getOldValue()),
            true);
    Map<String, Durability> own = new HashMap<>();
    for (String text : maps.values()) {
      MapSettings settings = MapSettingsCodec.decode(text);
      member.take(settings);
      note(settings, own);
    }
    member.await();
    if (durable != null) {
      durable.retain(own.keySet());
    }
  }

  private static void note(MapSettings settings, Map<String, Durability> own) {
    if (settings.durability() != null) {
      Durability _ = own.put(settings.map(), settings.durability());
    }
  }

  // ---- what holds

  /** What is set for a map. */
  public MapSettings of(QualifiedName map) {
    return stored(map.toString());
  }

  /** The maps of a tenant for which something is set, in no order. */
  public List<MapSettings> of(TenantName tenant) {
    return maps.entrySet().stream()
        .filter(entry -> QualifiedName.belongsTo(tenant, entry.getKey()))
        .map(entry -> MapSettingsCodec.decode(entry.getValue()))
        .toList();
  }

  /** How durable maps are that have no setting of their own; null if none is. */
  public @Nullable Durability usualDurability() {
    return durable == null ? null : durable.usual();
  }

  private MapSettings stored(String map) {
    return decoded(map, maps.get(map));
  }

  private static MapSettings decoded(String map, @Nullable String text) {
    return text == null ? MapSettings.none(map) : MapSettingsCodec.decode(text);
  }

  // ---- changes

  /**
   * Sets how durable a map is, with all that it has: when this returns that is so on every member.
   *
   * @param next null for what is usual
   * @throws MapSettingsException if it is not; the message says why and what to do
   */
  public MapSettings setDurability(QualifiedName map, @Nullable Durability next) {
    if (durable == null) {
      throw new MapSettingsException(
          Kind.NOTHING_ON_DISK,
          "durability: the members keep nothing on disk: start them with --data");
    }
    MapSettings before = of(map);
    MapSettings after = change(map.toString(), settings -> settings.with(next));
    try {
      spread.to(after);
      return after;
    } catch (MapSettingsException e) {
      if (e.kind() == Kind.NOT_CARRIED_OUT) {
        takeBack(map, next, before.durability());
      }
      throw e;
    }
  }

  /**
   * What a member could not do is no longer asked of any, unless somebody asks for another thing.
   */
  private void takeBack(
      QualifiedName map, @Nullable Durability failed, @Nullable Durability before) {
    MapSettings again =
        change(
            map.toString(),
            settings -> settings.durability() == failed ? settings.with(before) : settings);
    try {
      spread.to(again);
    } catch (MapSettingsException e) {
      LOG.warn("a change of durability could not be taken back on every member: map={}", map, e);
    }
  }

  /** Removes what is set for the maps of a tenant. */
  public void forget(TenantName tenant) {
    for (MapSettings settings : of(tenant)) {
      spread.to(change(settings.map(), MapSettings::withoutAnything));
    }
  }

  /**
   * Adds an index to what is set for a map, and does not wait until other members hear of it. Who
   * has seen an earlier revision cannot drop it any more.
   */
  void add(String map, MapIndex index) {
    boolean added = false;
    while (!added) {
      String text = maps.get(map);
      added = replace(map, text, decoded(map, text).with(index)) != null;
    }
  }

  /** Removes what this member knows of a map's indexes, unless something has changed since. */
  void dropIndexes(MapSettings known) {
    String text = maps.get(known.map());
    MapSettings now = decoded(known.map(), text);
    if (now.revision() == known.revision()) {
      MapSettings _ = replace(known.map(), text, now.withoutIndexes());
    }
  }

  private MapSettings change(String map, UnaryOperator<MapSettings> change) {
    while (true) {
      String text = maps.get(map);
      MapSettings before = decoded(map, text);
      MapSettings changed = change.apply(before);
      if (changed.equals(before)) {
        member.take(before);
        return before;
      }
      MapSettings after = replace(map, text, changed);
      if (after != null) {
        return after;
      }
    }
  }

  /**
   * @param text what was stored before
   * @return what holds now; null if something else had been stored meanwhile
   */
  private @Nullable MapSettings replace(String map, @Nullable String text, MapSettings next) {
    MapSettings after = next.revised(System.currentTimeMillis());
    String fresh = MapSettingsCodec.encode(after);
    boolean replaced;
    if (text == null) {
      replaced = maps.putIfAbsent(map, fresh) == null;
    } else {
      replaced = after.isNothing() ? maps.remove(map, text) : maps.replace(map, text, fresh);
    }
    if (!replaced) {
      return null;
    }
    member.take(after);
    return after;
  }

  // ---- what this member knows

  /** Whatever this member knows of a map's settings, at once. */
  MapSettings known(String map) {
    return member.of(map);
  }

  /** All that this member knows, for one that is about to take part. */
  String everything() {
    StringBuilder text = new StringBuilder(HEAD);
    member.all().forEach(settings -> text.append('\n').append(MapSettingsCodec.encode(settings)));
    return text.toString();
  }

  List<MapSettings> all() {
    return List.copyOf(member.all());
  }

  /** Takes settings in that this member was told of, and says how far it has come with them. */
  Progress told(String text) {
    MapSettings settings;
    try {
      settings = MapSettingsCodec.decode(text);
    } catch (IllegalArgumentException e) {
      LOG.error("the settings of a map cannot be read: {}", e.getMessage());
      return Progress.failed(String.valueOf(e.getMessage()));
    }
    member.take(settings);
    return member.of(settings);
  }

  private void toldOfRemoval(String text) {
    MapSettings gone = MapSettingsCodec.decode(text);
    member.take(gone.withoutAnything().revised(0));
  }

  @Override
  public void close() {
    member.close();
  }
}
