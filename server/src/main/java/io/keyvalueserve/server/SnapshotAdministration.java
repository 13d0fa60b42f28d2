package io.keyvalueserve.server;

import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.catalogue.SnapshotPlan;
import io.keyvalueserve.grid.settings.MapSettings;
import io.keyvalueserve.grid.snapshot.PlanListener;
import io.keyvalueserve.grid.snapshot.PlanStatus;
import io.keyvalueserve.grid.snapshot.Repositories;
import io.keyvalueserve.grid.snapshot.SnapshotFailure;
import io.keyvalueserve.grid.snapshot.Snapshots;
import io.keyvalueserve.maps.HiddenMaps;
import io.keyvalueserve.server.SnapshotJob.Kind;
import io.keyvalueserve.server.SnapshotJob.Result;
import io.keyvalueserve.server.SnapshotJobs.Job;
import io.keyvalueserve.server.config.Durations;
import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.snapshots.RepositoryAddress;
import io.keyvalueserve.snapshots.SnapshotException;
import io.keyvalueserve.snapshots.TenantKey;
import io.keyvalueserve.snapshots.Verification;
import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.audit.Actor;
import io.keyvalueserve.tenancy.audit.Occurrence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actions of operators on snapshots of tenants. Long ones are {@linkplain SnapshotJob jobs} of
 * this member: a call checks what it can, starts the job, and returns.
 *
 * <p>A job is made known before others are looked for that would be in its way. So of two that are
 * started at the same time on two members, at least one sees the other and is refused.
 *
 * <p>Blocks; thread-safe.
 */
public final class SnapshotAdministration {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotAdministration.class);
  private static final int MOST_PROBLEMS = 3;

  private final Administration tenants;
  private final Catalogue catalogue;
  private final GridMember grid;
  private final Snapshots snapshots;
  private final SnapshotJobs jobs;
  private final Repositories repositories;
  private final @Nullable String repository;
  private final Hibernating hibernating;
  private final AuditTrails audit;

  /**
   * @param repository the address that holds unless another is given; null for none
   * @param hibernating brings a tenant back into memory, where snapshots are taken
   */
  SnapshotAdministration(
      Administration tenants,
      Catalogue catalogue,
      GridMember grid,
      Snapshots snapshots,
      SnapshotJobs jobs,
      Repositories repositories,
      @Nullable String repository,
      Hibernating hibernating,
      AuditTrails audit) {
    this.hibernating = hibernating;
    this.tenants = tenants;
    this.catalogue = catalogue;
    this.grid = grid;
    this.snapshots = snapshots;
    this.jobs = jobs;
    this.repositories = repositories;
    this.repository = repository;
    this.audit = audit;
    snapshots.onPlans(new Plans());
  }

  /** Has what is done by plans in the audit trail and in the figures. */
  private final class Plans implements PlanListener {
    @Override
    public void created(TenantName tenant, Manifest snapshot, String place) {
      jobs.createdByPlan(tenant, snapshot);
      audit.changed(
          Occurrence.snapshotCreated(
              Actor.Other.MEMBER, tenant, snapshot.id(), inWords(snapshot, place)));
    }

    @Override
    public void deleted(TenantName tenant, String snapshot, String place) {
      audit.changed(Occurrence.snapshotDeleted(Actor.Other.MEMBER, tenant, snapshot, place));
    }

    @Override
    public void failed(TenantName tenant, String why) {
      audit.changed(Occurrence.snapshotFailed(Actor.Other.MEMBER, tenant, "", "by plan: " + why));
    }
  }

  /** The tenant that gets the entries of a snapshot. */
  public sealed interface Target {
    /** Returns its name. */
    TenantName name();

    /** A tenant that is created. */
    record New(TenantName name) implements Target {}

    /** A tenant that exists, and loses the maps that it has. */
    record Into(TenantName name) implements Target {}
  }

  /**
   * A job that was started.
   *
   * @param made the tenant that was created for it, with its access key; null if none was
   */
  public record Started(SnapshotJob job, Catalogue.@Nullable NewTenant made) {}

  /**
   * The snapshots of a tenant in a repository.
   *
   * @param snapshots the newest first
   */
  public record Listing(String repository, List<Manifest.Header> snapshots) {}

  /** The table of contents of a snapshot. */
  public record Contents(String repository, Manifest manifest) {}

  /**
   * The state of a tenant that is put back.
   *
   * @param manifest of the snapshot that is restored
   * @param atMillis the instant that is restored, by the changes after the snapshot; null for that
   *     of the snapshot
   */
  private record Source(String repository, Manifest manifest, @Nullable Long atMillis) {
    long cutMillis() {
      return atMillis == null ? manifest.cutMillis() : atMillis;
    }
  }

  /** Returns the jobs of this member, and those of others. */
  public SnapshotJobs jobs() {
    return jobs;
  }

  // ---- reading

  /**
   * Returns the snapshots of a tenant.
   *
   * @param address null for the usual repository, here and in the other methods
   * @throws CatalogueException {@code NO_SUCH_TENANT}
   * @throws SnapshotRefusal if there is no repository
   * @throws SnapshotException if the repository does not answer as it should
   */
  public Listing list(TenantName tenant, @Nullable String address) {
    Tenant _ = catalogue.get(tenant);
    String place = place(address);
    return new Listing(place, snapshots.list(tenant, place).reversed());
  }

  /**
   * Returns what a snapshot has.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}
   * @throws SnapshotRefusal if there is no such snapshot
   */
  public Contents show(TenantName tenant, String snapshot, @Nullable String address) {
    Tenant _ = catalogue.get(tenant);
    String place = place(address);
    return new Contents(place, read(key(tenant, snapshot), place, tenant, snapshot));
  }

  /**
   * Returns the key of a tenant's snapshots, with which another cluster can restore them.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}
   * @throws SnapshotRefusal if the tenant has none
   */
  public TenantKey exportKey(TenantName tenant, Actor by) {
    Tenant _ = catalogue.get(tenant);
    TenantKey key = ownKey(tenant);
    audit.changed(Occurrence.snapshotKeyExported(by, tenant, key.id()));
    LOG.info("exported the key of the snapshots of tenant {}", tenant);
    return key;
  }

  private TenantKey ownKey(TenantName tenant) {
    return grid.tenantKeys()
        .find(tenant)
        .orElseThrow(
            () ->
                new SnapshotRefusal(
                    SnapshotRefusal.Kind.NO_SNAPSHOT_KEY,
                    "tenant",
                    "tenant "
                        + tenant
                        + " has no key, as it has no snapshots: create one with kvs snapshot create "
                        + tenant));
  }

  private String place(@Nullable String address) {
    String place = address == null ? repository : address;
    if (place == null) {
      throw new SnapshotRefusal(
          SnapshotRefusal.Kind.NO_REPOSITORY,
          "repository",
          "repository: this member has none: give one as file:/directory or s3://bucket/prefix, or"
              + " start members with --snapshots");
    }
    var _ = repositories.open(place); // what is wrong with it is told at once
    return RepositoryAddress.parse(place).toString();
  }

  private TenantKey key(TenantName tenant, String snapshot) {
    String _ = Manifest.checkId(snapshot);
    return grid.tenantKeys().find(tenant).orElseThrow(() -> noSuch(tenant, snapshot));
  }

  private Manifest read(TenantKey key, String place, TenantName tenant, String snapshot) {
    Manifest manifest;
    try {
      manifest = snapshots.read(key, place, snapshot);
    } catch (SnapshotException e) {
      throw e.kind() == SnapshotException.Kind.MISSING ? noSuch(tenant, snapshot) : e;
    }
    if (!manifest.tenant().equals(tenant.value())) {
      throw noSuch(tenant, snapshot);
    }
    return manifest;
  }

  private static SnapshotRefusal noSuch(TenantName tenant, String snapshot) {
    return new SnapshotRefusal(
        SnapshotRefusal.Kind.NO_SUCH_SNAPSHOT,
        "snapshot",
        "there is no snapshot "
            + snapshot
            + " of tenant "
            + tenant
            + " in this repository; 'kvs snapshot list "
            + tenant
            + "' shows those that there are. One of another cluster needs its key: --snapshot-key");
  }

  // ---- changes

  /**
   * Begins to create a snapshot of a tenant, which is active or suspended.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}, {@code WRONG_STATE}
   * @throws SnapshotRefusal if there is no repository, or too many jobs wait
   */
  public SnapshotJob create(TenantName tenant, @Nullable String address, Actor by) {
    requireNotDeleting(catalogue.get(tenant));
    String place = place(address);
    TenantKey _ = grid.tenantKeys().findOrCreate(tenant);
    Job job = reserve(Kind.CREATE, tenant, null, null, place);
    job.start(
        running -> noted(by, tenant, running, () -> result(take(running, tenant, place, by))));
    return job.view();
  }

  private static void requireNotDeleting(Tenant tenant) {
    if (tenant.state() == TenantState.DELETING) {
      throw new CatalogueException(
          CatalogueException.Kind.WRONG_STATE, "tenant '" + tenant.name() + "' is being deleted");
    }
  }

  private Manifest take(Job job, TenantName tenant, String place, Actor by) {
    requireNotDeleting(catalogue.get(tenant)); // it may have waited
    hibernating.require(tenant);
    Manifest manifest = snapshots.create(tenant, place, job::entries);
    job.snapshot(manifest.id());
    job.entries(manifest.totals().entries());
    audit.changed(Occurrence.snapshotCreated(by, tenant, manifest.id(), inWords(manifest, place)));
    return manifest;
  }

  private static String inWords(Manifest manifest, String place) {
    return "entries="
        + manifest.totals().entries()
        + " bytes="
        + manifest.totals().rawBytes()
        + " stored="
        + manifest.totals().storedBytes()
        + " in "
        + place;
  }

  /** Begins to read all of a snapshot, to find whether it is whole; see {@link #show}. */
  public SnapshotJob verify(
      TenantName tenant, String snapshot, @Nullable String address, Actor by) {
    Contents contents = show(tenant, snapshot, address);
    TenantKey key = key(tenant, snapshot);
    Job job = reserve(Kind.VERIFY, tenant, null, snapshot, contents.repository());
    job.start(
        running -> {
          try {
            requireWhole(running, key, contents);
          } catch (SnapshotRefusal e) {
            audit.changed(
                Occurrence.snapshotVerified(by, tenant, snapshot, String.valueOf(e.getMessage())));
            throw e;
          }
          audit.changed(Occurrence.snapshotVerified(by, tenant, snapshot, "it is whole"));
          return result(contents.manifest());
        });
    return job.view();
  }

  private void requireWhole(Job job, TenantKey key, Contents contents) {
    List<Verification.Problem> problems =
        snapshots.verify(
            key,
            contents.repository(),
            contents.manifest().id(),
            (chunks, ofChunks, bytes) -> job.chunks(chunks, ofChunks));
    if (!problems.isEmpty()) {
      throw new SnapshotRefusal(
          SnapshotRefusal.Kind.SNAPSHOT_DAMAGED,
          "snapshot",
          "snapshot "
              + contents.manifest().id()
              + " is not whole: "
              + problems.size()
              + " of its chunks cannot be restored: "
              + problems.stream()
                  .limit(MOST_PROBLEMS)
                  .map(SnapshotAdministration::inWords)
                  .collect(Collectors.joining("; "))
              + (problems.size() > MOST_PROBLEMS ? "; ..." : "")
              + ". Use another snapshot");
    }
  }

  private static String inWords(Verification.Problem problem) {
    return "map " + HiddenMaps.inFrontOf(problem.map()) + ": " + problem.detail();
  }

  /**
   * Deletes a snapshot that no job uses.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}
   * @throws SnapshotRefusal if there is no such snapshot, or a job uses it
   */
  public void delete(TenantName tenant, String snapshot, @Nullable String address, Actor by) {
    Tenant _ = catalogue.get(tenant);
    String place = place(address);
    TenantKey _ = key(tenant, snapshot);
    for (SnapshotJob job : jobs.everywhere().jobs()) {
      if (job.isActive() && snapshot.equals(job.snapshot())) {
        throw busy(job, "snapshot", "snapshot " + snapshot);
      }
    }
    try {
      snapshots.delete(tenant, place, snapshot);
    } catch (SnapshotFailure e) {
      if (e.isMissing()) {
        throw noSuch(tenant, snapshot);
      }
      throw e;
    }
    LOG.info("deleted snapshot {} of tenant {}", snapshot, tenant);
    audit.changed(Occurrence.snapshotDeleted(by, tenant, snapshot, place));
  }

  private static SnapshotRefusal busy(SnapshotJob job, String field, String what) {
    return new SnapshotRefusal(
        SnapshotRefusal.Kind.SNAPSHOT_BUSY,
        field,
        what
            + " is in use by job "
            + job.id()
            + " on member "
            + job.member()
            + ": try again when it has ended");
  }

  private Job reserve(
      Kind kind,
      TenantName tenant,
      @Nullable TenantName target,
      @Nullable String snapshot,
      String place) {
    Job job = jobs.reserve(kind, tenant, target, snapshot, place);
    try {
      SnapshotJob wanted = job.view();
      for (SnapshotJob other : jobs.everywhere().jobs()) {
        if (other.isActive() && !other.id().equals(wanted.id()) && wanted.conflictsWith(other)) {
          String used = wanted.uses(other.target()) ? other.target() : wanted.target();
          throw busy(other, "tenant", "tenant " + used);
        }
      }
      return job;
    } catch (RuntimeException e) {
      job.cancel();
      throw e;
    }
  }

  /**
   * Begins to put a snapshot back.
   *
   * @param key the key that it was sealed with; null for the one that the tenant has here, which
   *     then has to exist
   * @throws CatalogueException {@code NO_SUCH_TENANT}, {@code TENANT_EXISTS}, {@code WRONG_STATE}
   * @throws SnapshotRefusal if there is no such snapshot, the target's quota has no room for it, or
   *     it is not possible otherwise: nothing has changed
   */
  public Started restore(
      TenantName from,
      String snapshot,
      @Nullable String address,
      Target target,
      @Nullable TenantKey key,
      Actor by) {
    String place = place(address);
    if (key == null) {
      Tenant _ = catalogue.get(from);
    } else {
      String _ = Manifest.checkId(snapshot);
    }
    TenantKey seal = key == null ? key(from, snapshot) : key;
    return restore(
        from, new Source(place, read(seal, place, from, snapshot), null), target, seal, by);
  }

  /**
   * Begins to put back what a tenant had at an instant.
   *
   * @param at which the tenant's archive of changes covers
   * @param address null for the repository of the tenant's plan, or else the usual one
   * @param key the key that it was sealed with; null for the one that the tenant has here, which
   *     then has to exist
   * @throws CatalogueException {@code NO_SUCH_TENANT}, {@code TENANT_EXISTS}, {@code WRONG_STATE}
   * @throws SnapshotFailure if the instant cannot be restored: the message names the nearest
   * @throws SnapshotRefusal if the target's quota has no room for the snapshot before the instant,
   *     or it is not possible otherwise: nothing has changed
   */
  public Started restoreAt(
      TenantName from,
      Instant at,
      @Nullable String address,
      Target target,
      @Nullable TenantKey key,
      Actor by) {
    String planned = grid.snapshotPlans().find(from).map(SnapshotPlan::repository).orElse(null);
    String place = place(address == null ? planned : address);
    if (key == null) {
      Tenant _ = catalogue.get(from);
    }
    TenantKey seal = key == null ? ownKey(from) : key;
    long atMillis = at.toEpochMilli();
    Manifest manifest = snapshots.find(seal, place, atMillis);
    return restore(from, new Source(place, manifest, atMillis), target, seal, by);
  }

  private Started restore(TenantName from, Source source, Target target, TenantKey seal, Actor by) {
    Manifest manifest = source.manifest();
    String place = source.repository();
    String snapshot = manifest.id();
    return switch (target) {
      case Target.New(TenantName name) -> {
        requireRoom(manifest, quotaOf(from), name);
        Job job = reserve(Kind.RESTORE, from, name, snapshot, place);
        Catalogue.NewTenant made = make(job, name, quotaOf(from), by);
        job.start(
            running ->
                noted(
                    by,
                    name,
                    running,
                    () -> {
                      restoreAsNew(running, seal, source, made.tenant(), by);
                      return result(source);
                    }));
        yield new Started(job.view(), made);
      }
      case Target.Into(TenantName name) -> {
        Tenant tenant = catalogue.get(name);
        requireNotDeleting(tenant);
        requireRoom(manifest, tenant.quota(), name);
        requireNoTables(manifest, name);
        Job job = reserve(Kind.RESTORE, from, name, snapshot, place);
        job.start(
            running ->
                noted(
                    by,
                    name,
                    running,
                    () -> {
                      restoreInto(running, seal, source, tenant, by);
                      return result(source);
                    }));
        yield new Started(job.view(), null);
      }
    };
  }

  /**
   * Begins to create a snapshot of a tenant, and to put it back as a new tenant; see {@link
   * #create} and {@link #restore}. The snapshot stays.
   */
  public Started copy(TenantName tenant, TenantName name, @Nullable String address, Actor by) {
    requireNotDeleting(catalogue.get(tenant));
    String place = place(address);
    TenantKey key = grid.tenantKeys().findOrCreate(tenant);
    Job job = reserve(Kind.CLONE, tenant, name, null, place);
    Catalogue.NewTenant made = make(job, name, quotaOf(tenant), by);
    job.start(
        running ->
            noted(
                by,
                name,
                running,
                () -> {
                  Manifest manifest;
                  try {
                    manifest = take(running, tenant, place, by);
                    requireRoom(manifest, quotaOf(tenant), name);
                  } catch (RuntimeException e) {
                    throw removed(made.tenant(), by, e);
                  }
                  Source source = new Source(place, manifest, null);
                  restoreAsNew(running, key, source, made.tenant(), by);
                  return result(source);
                }));
    return new Started(job.view(), made);
  }

  private Quota quotaOf(TenantName tenant) {
    return tenants.knownTenant(tenant).map(Tenant::quota).orElse(Quota.USUAL);
  }

  private static void requireRoom(Manifest manifest, Quota quota, TenantName target) {
    requireRoom("bytes", manifest.totals().rawBytes(), quota, Limit.MEMORY, target);
    requireRoom("entries", manifest.totals().entries(), quota, Limit.ENTRIES, target);
    requireRoom("maps", visibleMaps(manifest).size(), quota, Limit.MAPS, target);
  }

  private static void requireRoom(
      String what, long has, Quota quota, Limit limit, TenantName target) {
    long most = quota.of(limit);
    if (has > most) {
      throw new SnapshotRefusal(
          SnapshotRefusal.Kind.OVER_QUOTA,
          limit.text(),
          limit.text()
              + ": the snapshot has "
              + has
              + " "
              + what
              + ", and the quota of tenant "
              + target
              + " is "
              + most
              + ": raise the quota, or restore the snapshot into a tenant with more");
    }
  }

  private static Set<String> visibleMaps(Manifest manifest) {
    return manifest.maps().stream()
        .map(Manifest.MapPart::map)
        .filter(map -> !HiddenMaps.isHidden(map))
        .collect(Collectors.toSet());
  }

  /** Entries that are put into a map with a table behind it would go to the table, or hide it. */
  private void requireNoTables(Manifest manifest, TenantName target) {
    Set<String> maps = visibleMaps(manifest);
    List<String> behind = new ArrayList<>();
    for (MapSettings settings : grid.mapSettings().of(target)) {
      String name = settings.map().substring(settings.map().indexOf('/') + 1);
      if (settings.store() != null && maps.contains(name)) {
        behind.add(settings.map());
      }
    }
    if (!behind.isEmpty()) {
      throw new SnapshotRefusal(
          SnapshotRefusal.Kind.STORE_IN_USE,
          "into",
          "into: a table is behind map "
              + behind.getFirst()
              + ", which the snapshot would replace: take the table off with kvs map configure "
              + behind.getFirst()
              + " --store none, or restore the snapshot as a new tenant");
    }
  }

  /** Creates a tenant that is let in when its maps are there. */
  private Catalogue.NewTenant make(Job job, TenantName name, Quota quota, Actor by) {
    Catalogue.NewTenant made;
    try {
      made = tenants.createTenant(name, by);
    } catch (RuntimeException e) {
      job.cancel();
      throw e;
    }
    try {
      if (!quota.equals(Quota.USUAL)) {
        var _ = tenants.changeQuota(name, usual -> quota, by);
      }
      var _ = tenants.suspend(name, by);
      return made;
    } catch (RuntimeException e) {
      job.cancel();
      throw removed(made.tenant(), by, e);
    }
  }

  /** Refuses to go on with another tenant that was created under the name meanwhile. */
  private void requireSame(Tenant target) {
    if (catalogue.get(target.name()).number() != target.number()) {
      throw new SnapshotRefusal(
          SnapshotRefusal.Kind.SNAPSHOT_FAILED,
          null,
          "tenant "
              + target.name()
              + " was deleted and created again meanwhile: nothing of the new one was changed");
    }
  }

  private void restoreAsNew(Job job, TenantKey key, Source source, Tenant target, Actor by) {
    try (var _ = snapshots.use(source.manifest().id(), target.name())) {
      requireSame(target);
      put(job, key, source, target.name(), by);
      requireSame(target);
      var _ = tenants.resume(target.name(), by);
    } catch (RuntimeException e) {
      throw removed(target, by, e);
    }
  }

  /** Removes a tenant whose snapshot was not put back, and returns why that was. */
  private RuntimeException removed(Tenant target, Actor by, RuntimeException why) {
    boolean _ = Thread.interrupted(); // the member ends, and this is still to be done
    TenantName name = target.name();
    try {
      requireSame(target);
      int _ = tenants.delete(name, by);
      return why;
    } catch (CatalogueException | SnapshotRefusal e) {
      return why; // somebody else has deleted it
    } catch (RuntimeException e) {
      LOG.warn("tenant {} could not be removed", name, e);
      return new SnapshotRefusal(
          SnapshotRefusal.Kind.SNAPSHOT_FAILED,
          null,
          SnapshotJobs.inWords(why)
              + "; tenant "
              + name
              + " stays, suspended and with a part of its entries: delete it with kvs tenant delete "
              + name);
    }
  }

  private void restoreInto(Job job, TenantKey key, Source source, Tenant target, Actor by) {
    try (var _ = snapshots.use(source.manifest().id(), target.name())) {
      restoreInUse(job, key, source, target, by);
    }
  }

  private void restoreInUse(Job job, TenantKey key, Source source, Tenant target, Actor by) {
    TenantName name = target.name();
    requireSame(target);
    hibernating.require(name); // nothing of before may come back later
    Long at = source.atMillis();
    if (at != null) {
      snapshots.check(key, source.repository(), at); // before anything is destroyed
    }
    requireWhole(
        job,
        key,
        new Contents(source.repository(), source.manifest())); // before anything is destroyed
    boolean isActive = catalogue.get(name).state() == TenantState.ACTIVE;
    if (isActive) {
      var _ = tenants.suspend(name, by);
    }
    try {
      requireSame(target);
      requireNoTables(source.manifest(), name);
      int destroyed = grid.deleteMaps(name);
      LOG.info("destroyed {} maps of tenant {}, which gets a snapshot instead", destroyed, name);
      put(job, key, source, name, by);
    } catch (RuntimeException e) {
      throw new SnapshotRefusal(
          SnapshotRefusal.Kind.SNAPSHOT_FAILED,
          null,
          SnapshotJobs.inWords(e)
              + "; tenant "
              + name
              + " stays suspended, and may have only a part of its entries: restore a snapshot into"
              + " it again, or let it in as it is with kvs tenant resume "
              + name);
    }
    requireSame(target);
    if (isActive) {
      var _ = tenants.resume(name, by);
    }
  }

  private void put(Job job, TenantKey key, Source source, TenantName name, Actor by) {
    Manifest manifest = source.manifest();
    job.ofEntries(manifest.totals().entries());
    Long at = source.atMillis();
    long put =
        at == null
            ? snapshots.restore(key, source.repository(), manifest.id(), name, job::entries)
            : snapshots.restoreAt(key, source.repository(), at, name, job::entries);
    job.entries(put);
    audit.changed(
        Occurrence.snapshotRestored(
            by,
            name,
            manifest.id(),
            "entries="
                + put
                + " of tenant "
                + manifest.tenant()
                + " at "
                + Instant.ofEpochMilli(source.cutMillis())));
    LOG.info(
        "restored snapshot {} of tenant {} as tenant {}: entries={} at={}",
        manifest.id(),
        manifest.tenant(),
        name,
        put,
        Instant.ofEpochMilli(source.cutMillis()));
  }

  // ---- plans

  /** A plan and how it goes. */
  public record PlanView(SnapshotPlan plan, PlanStatus status) {}

  /**
   * Returns the plan of a tenant's snapshots.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}
   * @throws SnapshotRefusal if there is none
   */
  public PlanView plan(TenantName tenant) {
    Tenant _ = catalogue.get(tenant);
    SnapshotPlan plan = grid.snapshotPlans().find(tenant).orElseThrow(() -> noPlan(tenant));
    return new PlanView(plan, snapshots.status(plan));
  }

  private static SnapshotRefusal noPlan(TenantName tenant) {
    return new SnapshotRefusal(
        SnapshotRefusal.Kind.NO_SNAPSHOT_PLAN,
        "tenant",
        "tenant "
            + tenant
            + " has no plan of snapshots: make one with kvs snapshot plan set "
            + tenant
            + " --every 1h --keep 7d");
  }

  /**
   * Sets the plan by which snapshots of a tenant are taken.
   *
   * @param archive whether all changes are archived
   * @throws CatalogueException {@code NO_SUCH_TENANT}, {@code WRONG_STATE}
   * @throws SnapshotPlan.InvalidPlanException if a time is not possible
   * @throws SnapshotRefusal if there is no repository
   * @throws SnapshotException if the repository cannot be used
   */
  public SnapshotPlan setPlan(
      TenantName tenant,
      @Nullable String address,
      Duration every,
      Duration keep,
      boolean archive,
      Actor by) {
    requireNotDeleting(catalogue.get(tenant));
    String place = place(address);
    repositories.open(place).check();
    TenantKey _ = grid.tenantKeys().findOrCreate(tenant);
    SnapshotPlan plan = grid.snapshotPlans().set(tenant, place, every, keep, archive);
    audit.changed(
        Occurrence.snapshotPlanChanged(
            by,
            tenant,
            "every="
                + Durations.text(every)
                + " keep="
                + Durations.text(keep)
                + " archive="
                + archive
                + " in "
                + place));
    return plan;
  }

  /**
   * Deletes the plan of a tenant. Its snapshots stay.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}
   * @throws SnapshotRefusal if there is none
   */
  public void deletePlan(TenantName tenant, Actor by) {
    Tenant _ = catalogue.get(tenant);
    if (!grid.snapshotPlans().delete(tenant)) {
      throw noPlan(tenant);
    }
    audit.changed(Occurrence.snapshotPlanChanged(by, tenant, "deleted"));
  }

  /** A part of a job's work. */
  private interface Step {
    Result take();
  }

  /** Takes a step; if it fails, the trail has that. */
  private Result noted(Actor by, TenantName concerned, Job job, Step step) {
    try {
      return step.take();
    } catch (RuntimeException e) {
      SnapshotJob view = job.view();
      String snapshot = view.snapshot();
      String why = SnapshotJobs.inWords(e);
      audit.changed(
          Occurrence.snapshotFailed(
              by, concerned, snapshot == null ? "" : snapshot, view.kind().text() + ": " + why));
      throw new SnapshotRefusal(SnapshotRefusal.Kind.SNAPSHOT_FAILED, null, why);
    }
  }

  private static Result result(Manifest manifest) {
    return result(new Source("", manifest, null));
  }

  private static Result result(Source source) {
    Manifest.Totals totals = source.manifest().totals();
    return new Result(
        totals.entries(),
        totals.rawBytes(),
        totals.storedBytes(),
        totals.newBytes(),
        source.cutMillis());
  }
}
