package io.keyvalueserve.grid.settings;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipAdapter;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryRemovedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.Role;
import io.keyvalueserve.grid.member.DataMembers;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.restart.DurableMaps;
import io.keyvalueserve.grid.settings.MapSettingsException.Kind;
import io.keyvalueserve.maps.ChargedTo;
import io.keyvalueserve.maps.HiddenMaps;
import io.keyvalueserve.tenancy.Persistence;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
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
  private static final int MOST_FORGETTING_SECONDS = 20;

  /** The beginning of the text that {@link #everything} returns. */
  private static final String HEAD = "settings";

  private final HazelcastInstance instance;
  private final IMap<String, String> maps;
  private final @Nullable DurableMaps durable;
  private final MemberSettings member;
  private final Spread spread;
  private final KeepingChanges changes;
  private final ExecutorService background =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("kvs-maps-", 0).factory());

  /**
   * The settings as this member reaches them; to be {@link #load loaded} before anything else.
   *
   * @param durable null if the members keep nothing on their disks
   * @param overMemory told what becomes of a map's entries when memory is short
   * @param chargedTo told for whom a map's entries count
   * @param store told which table is behind a map, null for none; may throw what does not hold on
   *     this member, and why
   */
  public GridMapSettings(
      HazelcastInstance instance,
      NodeEngine nodeEngine,
      @Nullable DurableMaps durable,
      OverMemorySink overMemory,
      BiConsumer<String, @Nullable ChargedTo> chargedTo,
      BiConsumer<String, @Nullable MapStoreSettings> store) {
    this.instance = instance;
    this.maps = instance.getMap(MAPS);
    this.durable = durable;
    this.member = new MemberSettings(durable, overMemory, chargedTo, store);
    this.spread = new Spread(nodeEngine, member);
    this.changes = new KeepingChanges(this, spread, background);
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    config.addMapConfig(
        new MapConfig(MAPS).setInMemoryFormat(InMemoryFormat.NATIVE).setBackupCount(BACKUPS));
    MapSettingsNotice.register(config);
  }

  /**
   * Tells a member that is about to take part what holds in a cluster that runs. What it has kept
   * itself holds if there is none. Asks the master, or the oldest others if that is a witness.
   */
  public static void learn(NodeEngine nodeEngine, Address master, DurableMaps durable) {
    Member leader = nodeEngine.getClusterService().getMember(master);
    List<Address> asked =
        leader != null && Role.of(leader) == Role.WITNESS
            ? DataMembers.of(nodeEngine).stream()
                .filter(member -> !member.localMember())
                .map(Member::getAddress)
                .toList()
            : List.of(master);
    for (Address each : asked) {
      if (learn(Spread.everything(nodeEngine, each).split("\n", -1), durable)) {
        return;
      }
    }
  }

  private static boolean learn(String[] lines, DurableMaps durable) {
    if (!lines[0].equals(HEAD)) {
      return false;
    }
    Map<String, Durability> own =
        MemberSettings.durabilities(
            List.of(lines).subList(1, lines.length).stream().map(MapSettingsCodec::decode).toList(),
            durable.usual());
    durable.setAll(own);
    return true;
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
    UUID _ = instance.getCluster().addMembershipListener(new Departures());
    List<MapSettings> all = read();
    member.await();
    if (durable != null) {
      durable.retain(MemberSettings.durabilities(all, durable.usual()).keySet());
    }
  }

  /** Reads all. What holds for all maps of a tenant comes before what holds for one of them. */
  private List<MapSettings> read() {
    List<MapSettings> all =
        maps.values().stream()
            .map(MapSettingsCodec::decode)
            .sorted(Comparator.comparing(settings -> !settings.isOfTenant()))
            .toList();
    member.takeAll(all);
    return all;
  }

  /** Reads the settings again when a member leaves. It may have set something and told nobody. */
  private final class Departures extends MembershipAdapter {
    @Override
    public void memberRemoved(MembershipEvent event) {
      try {
        background.execute(this::readAgain);
      } catch (RejectedExecutionException e) {
        LOG.debug("this member goes down too");
      }
    }

    private void readAgain() {
      try {
        List<MapSettings> _ = read();
      } catch (RuntimeException e) {
        LOG.warn("the settings of maps could not be read again: {}", e.getMessage());
      }
    }
  }

  // ---- what holds

  /** Returns the settings of a map. */
  public MapSettings of(QualifiedName map) {
    return stored(map.toString());
  }

  /** The maps of a tenant for which something is set, as this member knows, in no order. */
  public List<MapSettings> of(TenantName tenant) {
    return member.all().stream()
        .filter(settings -> !settings.isNothing() && !settings.isOfTenant())
        .filter(settings -> QualifiedName.belongsTo(tenant, settings.map()))
        .toList();
  }

  /** Shows what is set for each map for which anything is. */
  public void forEach(Consumer<MapSettings> visitor) {
    member.all().stream()
        .filter(settings -> !settings.isNothing() && !settings.isOfTenant())
        .forEach(visitor);
  }

  /** Returns the settings of a tenant that hold for all its maps: its word, and its consent. */
  public MapSettings ofAll(TenantName tenant) {
    return stored(MapSettings.ofTenant(tenant));
  }

  /** Returns the word by which a map is kept, as far as this member knows, without a wait. */
  public Persistence keptAs(QualifiedName map) {
    return member.keeping(map.toString()).effective();
  }

  /**
   * Returns the durability of maps that have no setting of their own; null if no map is durable.
   */
  public @Nullable Durability usualDurability() {
    return durable == null ? null : durable.usual();
  }

  /**
   * Returns whether nothing of a map may be on a disk, as far as this member knows, without a wait.
   *
   * @param map its name in the grid
   */
  public boolean isInMemoryAlone(String map) {
    return member.keeping(HiddenMaps.inFrontOf(map)).effective() == Persistence.MEMORY;
  }

  private MapSettings stored(String map) {
    return decoded(map, maps.get(map));
  }

  /** Returns the settings in a text. Settings that are gone keep the revision that they had. */
  private MapSettings decoded(String map, @Nullable String text) {
    return text == null ? member.of(map).withoutAnything() : MapSettingsCodec.decode(text);
  }

  // ---- changes

  /**
   * Sets how a map is kept, with all that it has. When this returns that is so on every member.
   *
   * @param patience how long to wait; the change goes on afterwards, see {@link #pending}
   * @throws MapSettingsException if it is not; the message says why and what to do
   */
  public MapSettings keep(QualifiedName map, KeepingChange change, Duration patience) {
    requireDisk(change);
    MapSettings _ = change.applyTo(of(map)); // what contradicts itself is refused at once
    return change.isOfLog()
        ? changes.carryOut(map.toString(), wanted(change), patience)
        : change(map, change::applyTo, patience);
  }

  /**
   * Sets the word for those maps of a tenant that have none of their own, with all that they have.
   * Otherwise as {@link #keep}.
   */
  public MapSettings keepAll(TenantName tenant, Persistence word, Duration patience) {
    KeepingChange change = KeepingChange.NOTHING.persistence(word);
    requireDisk(change);
    return changes.carryOut(MapSettings.ofTenant(tenant), wanted(change), patience);
  }

  private static KeepingChanges.Wanted wanted(KeepingChange change) {
    return new KeepingChanges.Wanted(change, change.field(), change::applyTo, true);
  }

  private void requireDisk(KeepingChange change) {
    if (durable == null && change.needsDisk()) {
      throw new MapSettingsException(
          Kind.NOTHING_ON_DISK,
          change.field(),
          change.field() + ": the members keep nothing on disk: start them with --data");
    }
  }

  /**
   * Takes note of whether a tenant consents that a map is on the disk. The last word counts, of
   * those for the map and for all maps. Otherwise as {@link #keep}, but what the tenant has said
   * stays, whether members can carry it out or not.
   *
   * @param keyId the access key that says so
   */
  public MapSettings consent(QualifiedName map, boolean given, String keyId, Duration patience) {
    return consent(
        map.toString(),
        given,
        now -> {
          MapSettings all = ofAll(map.tenant());
          Consent last = Keeping.of(now, all).consent();
          return last != null && last.given() == given
              ? now
              : now.with(after(given, keyId, List.of(now, all)));
        },
        patience);
  }

  /** Takes note of whether a tenant consents for all its maps; see {@link #consent}. */
  public MapSettings consentToAll(
      TenantName tenant, boolean given, String keyId, Duration patience) {
    return consent(
        MapSettings.ofTenant(tenant),
        given,
        now -> {
          List<MapSettings> all = new ArrayList<>(of(tenant));
          all.add(now);
          boolean isNews =
              now.consent() == null
                  || all.stream()
                      .map(each -> Keeping.of(each, now).consent())
                      .anyMatch(last -> last != null && last.given() != given);
          return isNews ? now.with(after(given, keyId, all)) : now;
        },
        patience);
  }

  private MapSettings consent(
      String name, boolean given, UnaryOperator<MapSettings> change, Duration patience) {
    return changes.carryOut(
        name, new KeepingChanges.Wanted(given, "consent", change, false), patience);
  }

  /** Makes a word of a tenant that is later than those before, whatever clocks say. */
  private static Consent after(boolean given, String keyId, List<MapSettings> before) {
    long last =
        before.stream()
            .map(MapSettings::consent)
            .filter(Objects::nonNull)
            .mapToLong(Consent::atMillis)
            .max()
            .orElse(0);
    return new Consent(given, Math.max(System.currentTimeMillis(), last + 1), keyId);
  }

  /**
   * Sets for whom a map's entries count, with all that it has.
   *
   * @param next null for what is usual
   * @param patience how long to wait until it holds on every member; the change goes on afterwards,
   *     see {@link #pending}
   */
  public MapSettings setChargedTo(QualifiedName map, @Nullable ChargedTo next, Duration patience) {
    return change(map, now -> now.with(next), patience);
  }

  /**
   * Returns what is set for a map, in a form that {@link #restore} reads. A word that the map has
   * from its tenant is exported as its own.
   */
  public String export(QualifiedName map) {
    MapSettings own = of(map);
    Persistence word = Keeping.of(own, ofAll(map.tenant())).word();
    return MapSettingsCodec.encode(own.with(word));
  }

  /**
   * Returns the maps of a tenant that a snapshot leaves out. Nothing of such a map may be on a
   * disk, or the map has a table behind it. The answer is what this member knows; it never waits.
   * {@link MapSettings#ofTenant} among them stands for all other maps of the tenant.
   */
  public Set<String> excluded(TenantName tenant) {
    Set<String> excluded = new TreeSet<>();
    for (MapSettings each : member.all()) {
      if (QualifiedName.belongsTo(tenant, each.map())
          && (each.store() != null || isInMemoryAlone(each.map()))) {
        boolean _ = excluded.add(each.map());
      }
    }
    if (isInMemoryAlone(MapSettings.ofTenant(tenant))) {
      boolean _ = excluded.add(MapSettings.ofTenant(tenant));
    }
    return excluded;
  }

  /**
   * Sets for a map what was set for one in a snapshot, and makes its indexes. A table behind the
   * map is not set, nor what the tenant consents to; and no durability, and no word that needs one,
   * if members keep nothing on disk.
   *
   * @param exported what {@link #export} returned
   * @param patience how long to wait for each setting until it holds on every member
   * @throws IllegalArgumentException if it is damaged
   */
  public void restore(QualifiedName map, String exported, Duration patience) {
    MapSettings wanted = MapSettingsCodec.decode(exported);
    KeepingChange change = KeepingChange.NOTHING;
    if (wanted.persistence() != Persistence.DEFAULT) {
      KeepingChange word = change.persistence(wanted.persistence());
      change = durable == null && word.needsDisk() ? change : word;
    }
    if (durable != null && wanted.durability() != null) {
      change = change.durability(wanted.durability());
    }
    if (wanted.overMemory() != null) {
      change = change.overMemory(wanted.overMemory());
    }
    if (!change.equals(KeepingChange.NOTHING)) {
      MapSettings _ = keep(map, change, patience);
    }
    if (wanted.chargedTo() != null) {
      MapSettings _ = setChargedTo(map, wanted.chargedTo(), patience);
    }
    for (MapIndex index : wanted.indexes()) {
      instance.getMap(map.toString()).addIndex(index.toConfig());
    }
  }

  /**
   * Sets which table is behind a map. If the same is set already, members that could not carry it
   * out try again.
   *
   * @param next null for none
   * @param patience how long to wait until it holds on every member; the change goes on afterwards,
   *     see {@link #pending}
   * @throws MapSettingsException if a member cannot carry it out: it is as it was before
   */
  public MapSettings setStore(
      QualifiedName map, @Nullable MapStoreSettings next, Duration patience) {
    MapSettings[] before = new MapSettings[1];
    MapSettings after =
        change(
            map.toString(),
            now -> {
              before[0] = now;
              return now.with(next);
            });
    boolean isNews = after.revision() != before[0].revision();
    if (!isNews && storeFailure(after) != null) {
      after = again(map.toString());
    }
    if (after.revision() == 0) {
      return after;
    }
    await(after, patience);
    Pending failure = storeFailure(after);
    if (failure == null) {
      return after;
    }
    String why = failure.why().substring(MemberSettings.STORE_FAILURE.length());
    String remedy = "";
    if (isNews) {
      await(change(map.toString(), now -> takenBack(now, next, before[0].store())), patience);
      remedy = "; the map is as it was before";
    }
    throw new MapSettingsException(
        Kind.NOT_CARRIED_OUT, "store", "store: member " + failure.member() + ": " + why + remedy);
  }

  private @Nullable Pending storeFailure(MapSettings settings) {
    return pending(settings).stream()
        .filter(each -> each.why().startsWith(MemberSettings.STORE_FAILURE))
        .findFirst()
        .orElse(null);
  }

  private static MapSettings takenBack(
      MapSettings now, @Nullable MapStoreSettings failed, @Nullable MapStoreSettings before) {
    return Objects.equals(now.store(), failed) ? now.with(before) : now;
  }

  private MapSettings change(
      QualifiedName map, UnaryOperator<MapSettings> change, Duration patience) {
    MapSettings after = change(map.toString(), change);
    if (after.revision() != 0) {
      await(after, patience);
    }
    return after;
  }

  private void await(MapSettings settings, Duration patience) {
    CompletableFuture.runAsync(() -> await(settings), background)
        .completeOnTimeout(null, patience.toNanos(), TimeUnit.NANOSECONDS)
        .join();
  }

  /** The members on which what is set for a map does not hold yet. Blocks. */
  public List<Pending> pending(MapSettings settings) {
    return settings.revision() == 0 ? List.of() : spread.pending(settings);
  }

  /**
   * Removes what is set for the maps of a tenant, and waits for the members, as there may soon be
   * another tenant by the same name: not for one that takes long, as it does when it starts.
   */
  public void forget(TenantName tenant) {
    forget(tenant, map -> true, MapSettings::withoutAnything);
  }

  /**
   * Removes what is set for maps of a tenant, as the other. What holds for all maps of the tenant
   * stays, and so does what the tenant has said of its consent.
   *
   * @param which by their names in the grid
   */
  public void forgetMaps(TenantName tenant, Predicate<String> which) {
    String ofAll = MapSettings.ofTenant(tenant);
    forget(tenant, map -> !map.equals(ofAll) && which.test(map), MapSettings::withoutAllButConsent);
  }

  private void forget(
      TenantName tenant, Predicate<String> which, UnaryOperator<MapSettings> change) {
    CompletableFuture<?>[] gone =
        maps.keySet().stream()
            .filter(map -> QualifiedName.belongsTo(tenant, map) && which.test(map))
            .map(map -> change(map, change))
            .map(settings -> CompletableFuture.runAsync(() -> await(settings), background))
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(gone)
        .completeOnTimeout(null, MOST_FORGETTING_SECONDS, TimeUnit.SECONDS)
        .join();
  }

  private void await(MapSettings settings) {
    try {
      spread.to(settings);
    } catch (MapSettingsException e) {
      LOG.warn(
          "what is set for a map does not hold everywhere yet: map={}: {}",
          settings.map(),
          e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
    if (text != null) {
      MapSettings now = MapSettingsCodec.decode(text);
      if (now.revision() == known.revision()) {
        MapSettings _ = replace(known.map(), text, now.withoutIndexes());
      }
    }
  }

  /** Has what is set for a map carried out once more, where it failed. */
  MapSettings again(String map) {
    while (true) {
      String text = maps.get(map);
      MapSettings now = decoded(map, text);
      MapSettings after = text == null ? now.gone() : replace(map, text, now);
      if (after != null) {
        member.take(after);
        return after;
      }
    }
  }

  /**
   * Changes what is set for a map, and does not wait until it holds anywhere.
   *
   * @return what is set now; with the revision that it had if nothing changes
   */
  MapSettings change(String map, UnaryOperator<MapSettings> change) {
    while (true) {
      String text = maps.get(map);
      MapSettings before = decoded(map, text);
      MapSettings changed = change.apply(before);
      if (changed.equals(before)) {
        if (text != null) {
          member.take(before);
        }
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
    MapSettings after = next.isNothing() ? next.gone() : next.revised(System.currentTimeMillis());
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

  /** Returns what this member knows of a map's settings, without a wait. */
  public MapSettings known(String map) {
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
  SettingsProgress told(String text) {
    MapSettings settings;
    try {
      settings = MapSettingsCodec.decode(text);
    } catch (IllegalArgumentException e) {
      LOG.error("the settings of a map cannot be read: {}", e.getMessage());
      return SettingsProgress.failed(String.valueOf(e.getMessage()));
    }
    member.take(settings);
    return member.of(settings);
  }

  private void toldOfRemoval(String text) {
    MapSettings gone = MapSettingsCodec.decode(text);
    member.take(gone.gone());
  }

  /** Stops whatever is under way on this member; others go on. Blocks until it has. */
  @Override
  public void close() {
    background.shutdownNow();
    member.close();
  }
}
