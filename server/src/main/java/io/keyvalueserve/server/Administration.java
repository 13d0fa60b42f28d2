package io.keyvalueserve.server;

import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.latency.LatencyMeter;
import io.keyvalueserve.grid.ForgetResult;
import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.Safety;
import io.keyvalueserve.grid.catalogue.Hibernation.Phase;
import io.keyvalueserve.grid.hibernation.Hibernator;
import io.keyvalueserve.grid.lock.HeldLock;
import io.keyvalueserve.grid.lock.LockAnswers;
import io.keyvalueserve.grid.quorum.QuorumState;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.restart.LoadProgress;
import io.keyvalueserve.grid.restart.LogFigures;
import io.keyvalueserve.grid.restart.Losses;
import io.keyvalueserve.grid.settings.Keeping;
import io.keyvalueserve.grid.settings.MapSettings;
import io.keyvalueserve.grid.settings.Pending;
import io.keyvalueserve.grid.snapshot.Repositories;
import io.keyvalueserve.grid.snapshot.Snapshots;
import io.keyvalueserve.journal.spill.SpillArea;
import io.keyvalueserve.maps.ChangeJournal;
import io.keyvalueserve.maps.ChargedTo;
import io.keyvalueserve.maps.OverMemory;
import io.keyvalueserve.maps.reclaim.MemoryReclaimer;
import io.keyvalueserve.server.config.Sizes;
import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.audit.Actor;
import io.keyvalueserve.tenancy.audit.AuditQuery;
import io.keyvalueserve.tenancy.audit.Occurrence;
import io.keyvalueserve.tenancy.grant.ChannelGrants;
import io.keyvalueserve.tenancy.grant.Grant;
import io.keyvalueserve.tenancy.grant.Grants;
import io.keyvalueserve.tenancy.grant.MapGrants;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actions of an operator, whichever way they are asked for. A change has reached every member,
 * and the disks of those that hold it if they have any, when the call returns. Blocks; thread-safe.
 */
public final class Administration implements ClusterView {
  private static final Logger LOG = LoggerFactory.getLogger(Administration.class);

  /** The name of a tenant's channels in the trail, behind the tenant. */
  private static final String CHANNELS = "//";

  private final Catalogue catalogue;
  private final TenantDirectory directory;
  private final Grants grants;
  private final Grants channelGrants;
  private final GridMember grid;
  private final SessionRegistry sessions;
  private final TenantMeters meters;
  private final MemoryFacts memory;
  private final AuditTrails audit;
  private final TenantUsages usages;
  private final MemberReports members;
  private final LiveFigures live;
  private final AlertWatch alerts;
  private final ConnectedClients clients;
  private final MapFigures mapFigures;
  private final Histories histories;
  private final Endpoints endpoints;
  private final Billing billing;
  private final Reserving reserving;
  private final Spending spending;
  private final StoreAdministration stores;
  private final MapStores mapStores;
  private final SnapshotAdministration snapshots;
  private final SnapshotJobs snapshotJobs;
  private final Persisting persisting;
  private final Hibernating hibernating;

  Administration(
      Catalogue catalogue,
      TenantDirectory directory,
      Grants grants,
      Grants channelGrants,
      GridMember grid,
      SessionRegistry sessions,
      TenantMeters meters,
      MemoryFacts memory,
      AuditTrails audit,
      TenantUsages usages,
      MemberReports members,
      LiveFigures live,
      AlertWatch alerts,
      RecentHistory recent,
      Endpoints endpoints,
      Billing billing,
      Reserving reserving,
      Spending spending,
      StoreAdministration stores,
      Snapshots snapshots,
      SnapshotJobs snapshotJobs,
      Repositories repositories,
      @Nullable String repository,
      Hibernator hibernator,
      HibernatedUsage hibernatedUsage) {
    this.hibernating =
        new Hibernating(
            catalogue,
            grid,
            hibernator,
            name ->
                directory
                    .find(name)
                    .filter(
                        tenant ->
                            tenant.state() == TenantState.ACTIVE
                                || tenant.state() == TenantState.SUSPENDED)
                    .isPresent(),
            hibernatedUsage,
            audit);
    this.stores = stores;
    this.snapshotJobs = snapshotJobs;
    this.mapStores = new MapStores(catalogue, grid, audit);
    this.persisting = new Persisting(catalogue, grid, hibernating, audit);
    this.reserving = reserving;
    this.spending = spending;
    this.usages = usages;
    this.members = members;
    this.live = live;
    this.alerts = alerts;
    this.clients = new ConnectedClients(grid, sessions);
    this.mapFigures = new MapFigures(grid, recent);
    this.histories = new Histories(grid, recent, InstantSource.system());
    this.endpoints = endpoints;
    this.billing = billing;
    this.catalogue = catalogue;
    this.directory = directory;
    this.grants = grants;
    this.channelGrants = channelGrants;
    this.grid = grid;
    this.sessions = sessions;
    this.meters = meters;
    this.memory = memory;
    this.audit = audit;
    this.snapshots =
        new SnapshotAdministration(
            this,
            catalogue,
            grid,
            snapshots,
            snapshotJobs,
            repositories,
            repository,
            hibernating,
            audit);
  }

  /**
   * A tenant and what it does on this member.
   *
   * @param phase whether it is in memory, as far as this member knows
   * @param maps the names of its maps, cluster-wide
   * @param sessions how many sessions it has open on this member
   * @param operations how many operations this member has admitted of it since it started
   */
  public record TenantView(
      Tenant tenant, Phase phase, List<String> maps, int sessions, long operations) {}

  public Catalogue.NewTenant createTenant(TenantName name, Actor by) {
    Catalogue.NewTenant created = catalogue.create(name);
    LOG.info("created tenant {}", name);
    audit.changed(Occurrence.tenantCreated(by, name, created.keyId()));
    return created;
  }

  public TenantView tenant(TenantName name) {
    return view(catalogue.get(name));
  }

  /** Returns whether there is a tenant of this name, in any state. */
  public boolean hasTenant(TenantName name) {
    return knownTenant(name).isPresent();
  }

  /**
   * Some tenants, by name.
   *
   * @param prefix what their names begin with; empty for all
   * @param after the text that their names come after; empty to begin with the first
   * @param most how many at most: 1 or more
   */
  public List<TenantView> tenants(String prefix, String after, int most) {
    List<Tenant> page = directory.page(prefix, after, most);
    Map<TenantName, List<String>> maps = grid.mapsOf(names(page));
    return page.stream()
        .map(tenant -> view(tenant, maps.getOrDefault(tenant.name(), List.of())))
        .toList();
  }

  private static Set<TenantName> names(List<Tenant> tenants) {
    return tenants.stream().map(Tenant::name).collect(Collectors.toSet());
  }

  /** Returns the number of tenants. */
  public int tenantCount() {
    return directory.count();
  }

  /** A tenant as this member knows it; empty if there is none. */
  public Optional<Tenant> knownTenant(TenantName name) {
    return directory.find(name).filter(tenant -> tenant.state() != TenantState.DELETED);
  }

  public TenantView suspend(TenantName name, Actor by) {
    Tenant tenant = catalogue.suspend(name);
    LOG.info("suspended tenant {}", name);
    audit.changed(Occurrence.tenantSuspended(by, name));
    return view(tenant);
  }

  public TenantView resume(TenantName name, Actor by) {
    Tenant tenant = catalogue.resume(name);
    LOG.info("resumed tenant {}", name);
    audit.changed(Occurrence.tenantResumed(by, name));
    return view(tenant);
  }

  /**
   * Deletes a tenant with all its data, and with the key of its snapshots.
   *
   * @return how many maps and other objects it had
   */
  public int delete(TenantName name, Actor by) {
    Tenant tenant = catalogue.beginDelete(name);
    audit.changed(Occurrence.tenantDeleted(by, name));
    int objects = removeData(tenant, by);
    LOG.info("deleted tenant {} with {} objects", name, objects);
    return objects;
  }

  public Catalogue.NewKey createKey(TenantName name, String label, Actor by) {
    Catalogue.NewKey key = catalogue.createKey(name, label);
    audit.changed(Occurrence.keyCreated(by, name, key.key().id(), label));
    LOG.info("created access key {} of tenant {}", key.key().id(), name);
    return key;
  }

  public void revokeKey(TenantName name, String keyId, Actor by) {
    catalogue.revokeKey(name, keyId);
    audit.changed(Occurrence.keyRevoked(by, name, keyId));
    LOG.info("revoked access key {} of tenant {}", keyId, name);
  }

  /**
   * Gives a tenant rights on another's map.
   *
   * @param expiresAt when it ends; null for never
   */
  public Grant grant(
      QualifiedName map,
      TenantName to,
      Scope scope,
      Rights rights,
      @Nullable Instant expiresAt,
      Actor by) {
    reserving.requireShared(map);
    Grant grant = grants.grant(map, to, scope, rights, expiresAt, by.text());
    try {
      reserving.requireShared(map); // or somebody reserved it meanwhile and saw no grant
    } catch (CatalogueException e) {
      Grant _ = grants.revoke(map, grant.id());
      throw e;
    }
    String until = expiresAt == null ? "without an end" : "until " + expiresAt;
    LOG.info("granted {} on {} of {} to {}, {}", rights, scope, map, to, until);
    audit.changed(
        Occurrence.grantCreated(
            by,
            map.tenant(),
            map.toString(),
            inWords(grant) + (expiresAt == null ? "" : " until " + expiresAt)));
    return grant;
  }

  /** Takes a grant back. */
  public Grant revokeGrant(QualifiedName map, String id, Actor by) {
    Grant grant = grants.revoke(map, id);
    LOG.info("revoked grant {} on {}: {}", id, map, inWords(grant));
    audit.changed(Occurrence.grantRevoked(by, map.tenant(), map.toString(), inWords(grant)));
    return grant;
  }

  /**
   * Gives a tenant rights on the channels of another that begin with a text.
   *
   * @param expiresAt when it ends; null for never
   */
  public Grant grantChannels(
      TenantName owner,
      TenantName to,
      String beginning,
      Rights rights,
      @Nullable Instant expiresAt,
      Actor by) {
    Grant grant =
        channelGrants.grant(
            ChannelGrants.of(owner), to, Scope.channels(beginning), rights, expiresAt, by.text());
    String until = expiresAt == null ? "" : " until " + expiresAt;
    LOG.info("tenant {}: {}{}", owner, inWords(grant), until);
    audit.changed(Occurrence.grantCreated(by, owner, owner + CHANNELS, inWords(grant) + until));
    return grant;
  }

  /** Takes a grant on channels back. Subscriptions that it allowed end. */
  public Grant revokeChannelGrant(TenantName owner, String id, Actor by) {
    Grant grant = channelGrants.revoke(ChannelGrants.of(owner), id);
    LOG.info("tenant {}: revoked {}", owner, inWords(grant));
    audit.changed(Occurrence.grantRevoked(by, owner, owner + CHANNELS, inWords(grant)));
    return grant;
  }

  /** The grants on a tenant's channels. */
  public List<Grant> channelGrants(TenantName owner) {
    return channelGrants.list(ChannelGrants.of(owner));
  }

  /** The grants on its channels that a tenant has given. */
  public List<MapGrants> channelGrantsBy(TenantName owner) {
    return channelGrants.givenBy(owner);
  }

  /** The grants on channels of others that a tenant has been given. */
  public List<MapGrants> channelGrantsTo(TenantName grantee) {
    return channelGrants.givenTo(grantee);
  }

  private static String inWords(Grant grant) {
    return "grant "
        + grant.id()
        + ": "
        + grant.grantee()
        + " may "
        + grant.rights()
        + " on "
        + grant.scope();
  }

  /** The grants on a map. */
  public List<Grant> grants(QualifiedName map) {
    return grants.list(map);
  }

  /**
   * The quota of a tenant and its usage, on all members.
   *
   * @param maps how many it has
   * @param silent the addresses of members that did not say what it uses there
   */
  public record QuotaView(
      TenantName tenant, Quota quota, TenantUsage usage, int maps, List<String> silent) {}

  /** Returns the quota and the usage of a tenant. Asks all members. */
  public QuotaView quota(TenantName name) {
    return views(List.of(catalogue.get(name))).getFirst();
  }

  /** Returns the quotas and the usage of some tenants, by name; see {@link #tenants}. */
  public List<QuotaView> quotas(String prefix, String after, int most) {
    return views(directory.page(prefix, after, most));
  }

  /**
   * The tenants that have most of something on all members.
   *
   * @param tenants what they use, the first ones most
   * @param silent the addresses of members that gave no answer
   */
  public record Top(Map<TenantName, TenantUsage> tenants, List<String> silent) {}

  /**
   * The tenants that have most of something, and others up to the number that is asked for. Asks
   * all members.
   *
   * @param most how many: 1 or more
   */
  public Top top(Ranking ranking, int most) {
    return usages.top(ranking, List.of(ranking), List.of(), most);
  }

  private List<QuotaView> views(List<Tenant> tenants) {
    TenantUsages.Everywhere used = usages.everywhere(tenants.stream().map(Tenant::name).toList());
    Map<TenantName, List<String>> mapsOf = grid.mapsOf(names(tenants));
    List<QuotaView> views = new ArrayList<>();
    for (int i = 0; i < tenants.size(); i++) {
      Tenant tenant = tenants.get(i);
      int maps = mapsOf.getOrDefault(tenant.name(), List.of()).size();
      views.add(
          new QuotaView(tenant.name(), tenant.quota(), used.usages().get(i), maps, used.silent()));
    }
    return views;
  }

  /** Returns the usage, the bills and the rate cards of tenants. */
  public Billing billing() {
    return billing;
  }

  /** Returns the reservations, which are for one tenant alone each. */
  public Reserving reserving() {
    return reserving;
  }

  /** Returns the spend caps of tenants, and what they have spent. */
  public Spending spending() {
    return spending;
  }

  /** Returns the external stores, whose tables can be behind maps. */
  public StoreAdministration stores() {
    return stores;
  }

  /** Returns the snapshots of tenants. */
  public SnapshotAdministration snapshots() {
    return snapshots;
  }

  /** Returns what is between maps and their external stores. */
  public MapStores mapStores() {
    return mapStores;
  }

  /** Returns how maps are kept, and the consent of tenants. */
  public Persisting persisting() {
    return persisting;
  }

  /** Returns what has tenants leave memory and come back. */
  public Hibernating hibernating() {
    return hibernating;
  }

  /** Returns the usage of a tenant on this member. */
  public TenantUsage usageHere(TenantName tenant) {
    return usages.here(tenant);
  }

  /** Returns the backlog of a tenant's Hazelcast clients on this member. */
  public ClientBacklog backlogHere(TenantName tenant) {
    return usages.backlogHere(tenant);
  }

  /**
   * Returns the number of Hazelcast clients that this member has cut off because they did not read.
   */
  public long clientsCutOffHere() {
    return usages.clientsCutOffHere();
  }

  /** Returns the figures of channels of Redis clients at this member. */
  public ChannelFigures channelsHere() {
    return usages.channelsHere();
  }

  /** Returns a report of each member. Asks all members. */
  public List<MemberReport> memberReports() {
    return members.everywhere();
  }

  /** Returns the latencies of requests on this member since it started, by tenant and door. */
  public Map<TenantMeters.Key, LatencyMeter> latencies() {
    return meters.latencies();
  }

  /** The tenants that have most of something on this member; see {@link #top}. */
  public List<TenantName> busiestHere(Ranking ranking, int most) {
    return usages.busiestHere(ranking, most);
  }

  /** Some tenants by name, as {@link #tenants}, without what they do. */
  public List<TenantName> tenantNames(int most) {
    return directory.page("", "", most).stream().map(Tenant::name).toList();
  }

  /** Returns the usage of all tenants on this member together; see {@link TenantUsages#allHere}. */
  public TenantUsage allUsageHere() {
    return usages.allHere();
  }

  /**
   * Changes how much a tenant may use.
   *
   * @param change makes the new quota of the one that holds; may be called more than once
   */
  public QuotaView changeQuota(TenantName name, UnaryOperator<Quota> change, Actor by) {
    AtomicReference<Quota> before = new AtomicReference<>(Quota.USUAL);
    Tenant tenant =
        catalogue.changeQuota(
            name,
            quota -> {
              before.set(quota);
              Quota next = change.apply(quota);
              reserving.requireQuota(name, next);
              return next;
            });
    if (!tenant.quota().equals(before.get())) {
      String difference = difference(before.get(), tenant.quota());
      LOG.info("changed the quota of tenant {}: {}", name, difference);
      audit.changed(Occurrence.quotaChanged(by, name, difference));
    }
    return views(List.of(tenant)).getFirst();
  }

  private static String difference(Quota before, Quota after) {
    StringJoiner changes = new StringJoiner(", ");
    for (Limit limit : Limit.values()) {
      if (before.of(limit) != after.of(limit)) {
        changes.add(limit.text() + " " + text(before, limit) + " to " + text(after, limit));
      }
    }
    return changes.toString();
  }

  private static String text(Quota quota, Limit limit) {
    long value = quota.of(limit);
    return value == Quota.UNLIMITED ? "unlimited" : String.valueOf(value);
  }

  /** The locks on a map's keys. */
  public LockAnswers locks(QualifiedName map) {
    Tenant _ = catalogue.get(map.tenant());
    return grid.locks().list(map);
  }

  /**
   * Takes the locks off all keys of a text, whoever holds them.
   *
   * @return those that were taken off
   */
  public LockAnswers forceUnlock(QualifiedName map, String key, Actor by) {
    Tenant _ = catalogue.get(map.tenant());
    LockAnswers taken = grid.locks().forceUnlock(map, key);
    LOG.info("unlocked key {} of {}: locks={}", key, map, taken.locks().size());
    for (HeldLock lock : taken.locks()) {
      audit.changed(
          Occurrence.unlockForced(
              by, map.tenant(), map + " " + lock.key(), "held by " + lock.holder().words()));
    }
    return taken;
  }

  /** The grants that a tenant has given. */
  public List<MapGrants> grantsBy(TenantName owner) {
    return grants.givenBy(owner);
  }

  /** The grants that a tenant has been given. */
  public List<MapGrants> grantsTo(TenantName grantee) {
    return grants.givenTo(grantee);
  }

  /**
   * A map and what is set for it.
   *
   * @param durability what is set; null if the members keep nothing on their disks
   * @param overMemory what holds on this member
   * @param keeping how the map is kept, and why
   * @param pending the members on which it does not hold yet; null if they were not asked
   */
  public record MapView(
      QualifiedName name,
      @Nullable Durability durability,
      OverMemory overMemory,
      MapSettings settings,
      Keeping keeping,
      @Nullable List<Pending> pending) {}

  /** The maps of a tenant, by name: those that exist, and those that are set up. */
  public List<MapView> maps(TenantName tenant) {
    TenantName existing = catalogue.get(tenant).name();
    MapSettings all = grid.mapSettings().ofAll(existing);
    return grid.mapsOf(existing).stream()
        .map(map -> new QualifiedName(existing, new MapName(map)))
        .map(map -> view(map, grid.mapSettings().of(map), all, null))
        .toList();
  }

  /** A map of a tenant, which need not exist yet. Asks all members. */
  public MapView map(QualifiedName map) {
    Tenant _ = catalogue.get(map.tenant());
    MapSettings settings = grid.mapSettings().of(map);
    MapSettings all = grid.mapSettings().ofAll(map.tenant());
    List<Pending> pending =
        Stream.of(settings, all)
            .flatMap(each -> grid.mapSettings().pending(each).stream())
            .distinct()
            .toList();
    return view(map, settings, all, pending);
  }

  /**
   * Sets for whom the entries of a map count, with all that it has.
   *
   * @param chargedTo null for what is usual
   * @param patience how long to wait until it holds; the change goes on afterwards
   */
  public MapView setChargedTo(
      QualifiedName map, @Nullable ChargedTo chargedTo, Duration patience, Actor by) {
    Tenant _ = catalogue.get(map.tenant());
    hibernating.require(map.tenant());
    MapSettings _ = grid.mapSettings().setChargedTo(map, chargedTo, patience);
    MapView view = map(map);
    String wanted = chargedTo == null ? "default" : chargedTo.text();
    LOG.info("configured map {}: charged-to={} pending={}", map, wanted, view.pending());
    audit.changed(
        Occurrence.mapConfigured(by, map.tenant(), map.toString(), "charged-to=" + wanted));
    return view;
  }

  private MapView view(
      QualifiedName map, MapSettings settings, MapSettings all, @Nullable List<Pending> pending) {
    Durability usual = grid.mapSettings().usualDurability();
    Keeping keeping = Keeping.of(settings, all);
    return new MapView(
        map,
        keeping.durability() == null ? usual : keeping.durability(),
        grid.maps().overMemoryOf(map.toString()),
        settings,
        keeping,
        pending);
  }

  /** Returns the rules by which this member reclaims memory, and what it has reclaimed. */
  public ReclaimView reclaimed() {
    MemoryReclaimer reclaimer = grid.reclaimer();
    SpillArea area = grid.maps().spillArea();
    return new ReclaimView(
        memory().member(),
        reclaimer.config(),
        area == null ? null : area.statistics(),
        reclaimer.compactions(),
        reclaimer.compactedBytes(),
        reclaimer.totals(),
        reclaimer.held(),
        reclaimer.history().latest());
  }

  @Override
  public Safety safety() {
    return grid.safety();
  }

  /**
   * Takes a member off the cluster that never comes back.
   *
   * @param member its id, or its address as {@code HOST:PORT}
   */
  public ForgetResult forgetMember(String member, Actor by) {
    ForgetResult result = grid.forget(member);
    if (result instanceof ForgetResult.Forgotten forgotten) {
      LOG.info("forgot member {} ({})", forgotten.address(), forgotten.member());
      audit.changed(Occurrence.memberForgotten(by, forgotten.address(), forgotten.member()));
    }
    return result;
  }

  /**
   * Takes note of what is lost, at all members: the cluster no longer tells it.
   *
   * @return what that was; null if not all members have kept it: it may be done or not
   */
  public @Nullable Losses acknowledgeLosses(Actor by) {
    Losses losses = grid.acknowledgeLosses();
    if (losses != null && !losses.isEmpty()) {
      LOG.info("took note of what is lost: {}", losses);
      audit.changed(
          Occurrence.lossAcknowledged(
              by,
              "records=%d places=%d partitions=%d"
                  .formatted(losses.count(), losses.places(), losses.partitions().size())));
    }
    return losses;
  }

  /** Returns what no copy had when this member started, until somebody takes note of it. */
  public Losses lossesHere() {
    return grid.lossesHere();
  }

  /** Returns whether this member's log was damaged or gone, and is not whole again yet. */
  public boolean isLogDamaged() {
    return grid.isLogDamaged();
  }

  /** Returns the partitions that this member owns and that have no copy left, sorted. */
  public List<Integer> lostHere() {
    return grid.lostHere();
  }

  @Override
  public QuorumState quorum() {
    return grid.quorum();
  }

  /** Returns what this member keeps for merges of sides of the cluster, and its figures. */
  public ChangeJournal changes() {
    return grid.maps().changes();
  }

  /** Returns the figures of this member's log, or null if it keeps none. */
  public @Nullable LogFigures logFigures() {
    return grid.logFigures();
  }

  /**
   * Returns the progress of this member in loading what its disk has, or null if it had nothing.
   */
  public @Nullable LoadProgress loadProgress() {
    return grid.loadProgress();
  }

  @Override
  public List<MemberInfo> members() {
    return grid.members();
  }

  /** The memory of this member: what its pools have, and what each map keeps there. */
  public MemoryReport memory() {
    MemberInfo local = grid.members().stream().filter(MemberInfo::local).findFirst().orElseThrow();
    return MemoryReport.of(local, memory);
  }

  /**
   * Gives empty pages of this member back to the operating system.
   *
   * @return the bytes given back
   */
  public long returnMemoryToOs() {
    long bytes = memory.returnToOs();
    LOG.info("gave {} of memory back to the operating system", Sizes.text(bytes));
    return bytes;
  }

  /**
   * The alerts that all members have noted. Asks all members.
   *
   * @param most how many at most: 1 or more
   */
  public AlertAnswers alerts(int most) {
    return alerts.everywhere(most);
  }

  /** The clients of a tenant that are connected. Asks all members. */
  public ClientAnswers clients(TenantName tenant) {
    return clients.of(catalogue.get(tenant).number());
  }

  /**
   * Returns the history of a tenant; see {@link Histories#of}. Asks all members, or reads the
   * ledger.
   */
  public TenantHistory history(TenantName tenant, Instant from, Instant to, int stepSeconds) {
    return histories.of(catalogue.get(tenant).number(), from, to, stepSeconds);
  }

  /** The sizes of maps, and the operations on them. Asks all members. */
  public MapSizes sizes(List<QualifiedName> maps) {
    return mapFigures.of(maps);
  }

  /** Figures of the cluster for whoever watches. */
  public LiveFigures live() {
    return live;
  }

  /** Returns the addresses at which clients reach this member. */
  public Endpoints endpoints() {
    return endpoints;
  }

  /** Returns the counters of requests that this member admitted and refused. */
  public List<TenantMeters.Reading> readings() {
    return meters.readings();
  }

  /** Asks all members for what their audit trails have. */
  public AuditAnswers audit(AuditTrails.Trail trail, AuditQuery query) {
    return AuditAnswers.ask(grid.questioner(), trail, query);
  }

  /**
   * Writes what this member's audit trail has, as lines of JSON, oldest first.
   *
   * @throws IOException if it cannot be read or written to
   */
  public void exportAudit(AuditTrails.Trail trail, AuditQuery query, OutputStream to)
      throws IOException {
    var _ = audit.of(trail).export(query, to);
  }

  /** Returns the number of sessions that are open on this member. */
  public int sessions() {
    return sessions.count();
  }

  /** Ends the deletions that a member began and did not live to end. For the oldest member only. */
  void finishDeletions() {
    directory.in(TenantState.DELETING).forEach(tenant -> removeData(tenant, Actor.Other.MEMBER));
  }

  private int removeData(Tenant tenant, Actor by) {
    hibernating.forget(tenant.name());
    int objects = grid.deleteData(tenant.name());
    boolean _ = grid.snapshotPlans().delete(tenant.name());
    hibernating.forget(tenant.name()); // it may have been falling asleep
    grid.tenantKeys()
        .destroy(tenant.name())
        .ifPresent(key -> audit.changed(Occurrence.snapshotKeyDestroyed(by, tenant.name(), key)));
    snapshotJobs.forget(tenant.name());
    reserving.releaseAll(tenant.number());
    try {
      catalogue.finishDelete(tenant.name());
    } catch (CatalogueException e) {
      LOG.debug("tenant {} was deleted by another member meanwhile", tenant.name());
    }
    meters.forget(tenant.number());
    return objects;
  }

  private TenantView view(Tenant tenant) {
    return view(tenant, grid.mapsOf(tenant.name()));
  }

  private TenantView view(Tenant tenant, List<String> maps) {
    long operations =
        meters.readings(new Identity(tenant.name(), tenant.number(), "")).stream()
            .mapToLong(TenantMeters.Reading::operations)
            .sum();
    return new TenantView(
        tenant,
        hibernating.phaseOf(tenant.name()),
        maps,
        sessions.count(tenant.number()),
        operations);
  }
}
