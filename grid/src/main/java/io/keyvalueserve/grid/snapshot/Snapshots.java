package io.keyvalueserve.grid.snapshot;

import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.catalogue.GridSnapshotPlans;
import io.keyvalueserve.grid.catalogue.GridTenantKeys;
import io.keyvalueserve.grid.catalogue.SnapshotPlan;
import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.grid.question.Questioner;
import io.keyvalueserve.grid.settings.GridMapSettings;
import io.keyvalueserve.grid.space.HazelcastEngine;
import io.keyvalueserve.maps.HiddenMaps;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.snapshots.ArchiveSessions;
import io.keyvalueserve.snapshots.ChangeArchive;
import io.keyvalueserve.snapshots.ChunkStore;
import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.snapshots.Repository;
import io.keyvalueserve.snapshots.SnapshotEntry;
import io.keyvalueserve.snapshots.SnapshotException;
import io.keyvalueserve.snapshots.SnapshotFolder;
import io.keyvalueserve.snapshots.TenantKey;
import io.keyvalueserve.snapshots.Verification;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes snapshots of tenants. The member that is asked for one coordinates it:
 *
 * <ol>
 *   <li>All members begin their {@linkplain LocalPart parts}: they read the entries of their
 *       partitions and write them to the repository.
 *   <li>When all have read, an instant is chosen that is a little later: the cut. All members wait
 *       until it is over, and until the transactions are carried out that were decided before.
 *   <li>They write the changes that were made until the cut.
 *   <li>The manifest is written. Now there is a snapshot.
 * </ol>
 *
 * <p>Changes have the time at which they were made, by their member's clock. So a snapshot has what
 * was written until one instant, as exactly as the members' clocks agree: the manifest says by how
 * much they differed. If partitions move meanwhile, all is begun again.
 *
 * <p>Thread-safe; blocks.
 */
public final class Snapshots implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Snapshots.class);

  /** The settings of a map that has none. */
  static final String NO_SETTINGS = "{}";

  /** The part of the Java heap that the changes upon a snapshot may take when it is put back. */
  private static final int HEAP_PART = 4;

  private static final Duration PATIENCE = Duration.ofSeconds(45);
  private static final long POLL_MILLIS = 20;
  private static final Duration RETRY_FOR = Duration.ofMinutes(2);
  private static final long PAUSE_MILLIS = 1_000;
  private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(40);

  /** Clocks that differ by more make a snapshot of no certain instant. */
  private static final long MOST_DIFFERENCE_MILLIS = 10_000;

  private final NodeEngine nodeEngine;
  private final Questioner questioner;
  private final GridTenantKeys keys;
  private final GridMapSettings settings;
  private final Repositories repositories;
  private final LocalParts parts;
  private final ChangeArchiver archiver;
  private final SnapshotSchedule schedule;
  private final InUse inUse;
  private final NativeMaps maps;
  private final String cluster;
  private final String version;

  /**
   * Coordinates snapshots, and has this member take its parts of them.
   *
   * @param plans by which snapshots are taken and changes archived from now on
   * @param cluster the name of the cluster
   * @param version the version of this program
   */
  public Snapshots(
      NodeEngine nodeEngine,
      NativeMaps maps,
      Questioner questioner,
      Answerers answerers,
      GridTenantKeys keys,
      GridSnapshotPlans plans,
      GridMapSettings settings,
      Repositories repositories,
      String cluster,
      String version) {
    this.nodeEngine = nodeEngine;
    this.maps = maps;
    this.questioner = questioner;
    this.keys = keys;
    this.settings = settings;
    this.repositories = repositories;
    this.cluster = cluster;
    this.version = version;
    this.parts = new LocalParts(maps, nodeEngine, keys, repositories, answerers);
    this.archiver =
        new ChangeArchiver(
            maps, nodeEngine, questioner, answerers, keys, plans, repositories, settings::excluded);
    this.inUse = new InUse(questioner, answerers);
    this.schedule =
        new SnapshotSchedule(nodeEngine, this, plans, archiver, questioner, answerers, inUse);
  }

  /**
   * Takes a snapshot of a tenant, which has a key.
   *
   * @param address of the repository
   * @param progress is told the number of entries that were read, now and then
   * @throws SnapshotFailure if the cluster could not take it
   * @throws SnapshotException if the repository did not take it
   */
  public Manifest create(TenantName tenant, String address, LongConsumer progress) {
    Repository repository = repositories.open(address);
    TenantKey key = require(tenant);
    long deadline = System.nanoTime() + RETRY_FOR.toNanos();
    while (true) {
      try {
        requireInMemory(tenant);
        Manifest taken = new Run(tenant, address, repository, key, progress).take();
        requireInMemory(tenant);
        return taken;
      } catch (SnapshotFailure e) {
        if (!e.passes()) {
          throw e;
        }
        if (System.nanoTime() - deadline > 0) {
          throw SnapshotFailure.lasting(
              e.getMessage()
                  + ", for "
                  + RETRY_FOR.toSeconds()
                  + " s: take the snapshot when members neither come nor go");
        }
        LOG.info("a snapshot is begun again: tenant={}: {}", tenant, e.getMessage());
        pause(PAUSE_MILLIS);
      }
    }
  }

  /** Checks that a tenant is in memory: else it is brought there. */
  private void requireInMemory(TenantName tenant) {
    if (maps.heldTenants().demand(tenant.value() + '/')) {
      throw SnapshotFailure.passing("the tenant is being read into memory");
    }
  }

  /**
   * The same, tried once.
   *
   * @param progress may throw to give up
   */
  Manifest takeOnce(TenantName tenant, String address, LongConsumer progress) {
    return new Run(tenant, address, repositories.open(address), require(tenant), progress).take();
  }

  /** Returns what takes and reads images of tenants that leave memory. */
  public TenantImages images() {
    return new TenantImages(this, repositories, keys, inUse);
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SnapshotFailure.lasting("the snapshot was given up, as the member ends");
    }
  }

  /** One attempt to take a snapshot. */
  private final class Run {
    private final String id = Manifest.newId(Instant.now());
    private final long startedMillis = System.currentTimeMillis();
    private final TenantName tenant;
    private final String address;
    private final Repository repository;
    private final TenantKey key;
    private final LongConsumer progress;
    private long tableStamp;
    private long difference;
    private long ahead;

    Run(
        TenantName tenant,
        String address,
        Repository repository,
        TenantKey key,
        LongConsumer progress) {
      this.tenant = tenant;
      this.address = address;
      this.repository = repository;
      this.key = key;
      this.progress = progress;
    }

    Manifest take() {
      repository.write(LocalParts.probe(id), new byte[] {1});
      try {
        List<PartCodec.State> begun = ask(LocalParts.BEGIN, 0, PartCodec::decodeState);
        requireWhole(begun);
        await(LocalPart.Phase.READ);
        long cut = System.currentTimeMillis() + Math.max(0, ahead) + 1;
        var _ = ask(LocalParts.PASS, cut, PartCodec::decodeState);
        awaitDecisions(cut);
        var _ = ask(LocalParts.CUT, cut, PartCodec::decodeState);
        await(LocalPart.Phase.WRITTEN);
        Manifest manifest = manifest(cut, ask(LocalParts.WRITTEN, 0, PartCodec::decodeWritten));
        requireChunks(manifest);
        new SnapshotFolder(repository).write(manifest, key);
        return manifest;
      } finally {
        end();
      }
    }

    private <T> List<T> ask(String topic, long cut, Function<String, T> read) {
      String question = PartCodec.encode(new PartCodec.Asked(id, tenant.value(), address, cut));
      List<T> answers = new ArrayList<>();
      for (MemberAnswer answer : questioner.ask(topic, question, PATIENCE)) {
        String text = answer.text();
        if (text == null) {
          throw SnapshotFailure.passing("member " + answer.member() + " gave no answer");
        }
        answers.add(read.apply(text));
      }
      return answers;
    }

    /** Checks that all partitions are owned by somebody who reads them, as all know it. */
    private void requireWhole(List<PartCodec.State> states) {
      int owned = states.stream().mapToInt(PartCodec.State::owned).sum();
      long stamps = states.stream().mapToLong(PartCodec.State::tableStamp).distinct().count();
      if (stamps != 1 || owned != maps.stored().partitions()) {
        throw SnapshotFailure.passing("partitions are moving between members");
      }
      tableStamp = states.getFirst().tableStamp();
    }

    private void await(LocalPart.Phase phase) {
      while (true) {
        long before = System.currentTimeMillis();
        List<PartCodec.State> states = ask(LocalParts.STATE, 0, PartCodec::decodeState);
        long after = System.currentTimeMillis();
        measure(states, before, after);
        requireWhole(states);
        progress.accept(states.stream().mapToLong(PartCodec.State::entries).sum());
        if (states.stream().allMatch(state -> state.phase() == phase)) {
          return;
        }
        pause(POLL_MILLIS);
      }
    }

    /** Notes by how much the members' clocks differ from this one's, at least. */
    private void measure(List<PartCodec.State> states, long before, long after) {
      ahead = 0;
      difference = 0;
      for (PartCodec.State state : states) {
        long early = Math.max(0, before - state.clockMillis());
        long late = Math.max(0, state.clockMillis() - after);
        ahead = Math.max(ahead, state.clockMillis() - before);
        difference = Math.max(difference, Math.max(early, late));
      }
      if (difference > MOST_DIFFERENCE_MILLIS) {
        throw SnapshotFailure.lasting(
            "the clocks of members differ by "
                + difference
                + " ms: set them, as a snapshot is of one instant");
      }
    }

    private void awaitDecisions(long cut) {
      long deadline = System.nanoTime() + MOST_WAIT_NANOS;
      while (HazelcastEngine.of(nodeEngine).hasCommitted(cut)) {
        if (System.nanoTime() - deadline > 0) {
          throw SnapshotFailure.passing("a transaction is not carried out yet");
        }
        pause(POLL_MILLIS);
        var _ = ask(LocalParts.STATE, 0, PartCodec::decodeState);
      }
    }

    private Manifest manifest(long cut, List<PartCodec.Written> written) {
      Map<String, List<Manifest.Chunk>> all = new TreeMap<>();
      long stored = 0;
      long added = 0;
      for (PartCodec.Written each : written) {
        each.maps()
            .forEach(
                (map, chunks) -> all.computeIfAbsent(map, any -> new ArrayList<>()).addAll(chunks));
        stored += each.storedBytes();
        added += each.newBytes();
      }
      long entries = 0;
      long raw = 0;
      List<Manifest.MapPart> contents = new ArrayList<>();
      for (Map.Entry<String, List<Manifest.Chunk>> map : all.entrySet()) {
        for (Manifest.Chunk chunk : map.getValue()) {
          entries += HiddenMaps.isHidden(map.getKey()) ? 0 : chunk.entries();
          raw += chunk.bytes();
        }
        contents.add(
            new Manifest.MapPart(
                SnapshotMaps.nameOf(map.getKey()), settingsOf(map.getKey()), map.getValue()));
      }
      return new Manifest(
          Manifest.FORMAT,
          id,
          key.id(),
          tenant.value(),
          cluster,
          cut,
          startedMillis,
          System.currentTimeMillis(),
          maps.stored().partitions(),
          tableStamp,
          difference,
          version,
          new Manifest.Totals(entries, raw, stored, added),
          contents);
    }

    /** A chunk that was found in the repository may be gone: see {@link ChunkStore}. */
    private void requireChunks(Manifest manifest) {
      Set<String> missing = new ChunkStore(repository, key).missing(manifest.chunkNames());
      if (!missing.isEmpty()) {
        throw SnapshotFailure.passing("chunks were removed from the repository meanwhile");
      }
    }

    private void end() {
      try {
        var _ =
            questioner.ask(
                LocalParts.END, PartCodec.encode(new PartCodec.Asked(id, "", "", 0)), PATIENCE);
        repository.delete(LocalParts.probe(id));
      } catch (RuntimeException e) {
        LOG.warn("what a snapshot left is removed later: {}", e.getMessage());
      }
    }
  }

  private String settingsOf(String gridName) {
    return QualifiedName.parse(gridName).map(settings::export).orElse(NO_SETTINGS);
  }

  /** Returns the snapshots of a tenant in a repository, the oldest first; none if it has no key. */
  public List<Manifest.Header> list(TenantName tenant, String address) {
    return keys.find(tenant)
        .map(key -> new SnapshotFolder(repositories.open(address)).list(key.id()))
        .orElse(List.of());
  }

  /**
   * Returns the table of contents of a snapshot.
   *
   * @param key the key that it was sealed with
   * @throws SnapshotException if there is no such snapshot, or it cannot be read
   */
  public Manifest read(TenantKey key, String address, String id) {
    return new SnapshotFolder(repositories.open(address)).read(key.id(), id, key);
  }

  /**
   * Reads all of a snapshot, and returns what is wrong with it.
   *
   * @param key the key that it was sealed with
   * @throws SnapshotException if there is no such snapshot
   */
  public List<Verification.Problem> verify(
      TenantKey key, String address, String id, Verification.Listener progress) {
    return Verification.verify(
        read(key, address, id), new ChunkStore(repositories.open(address), key), progress);
  }

  /**
   * Puts a snapshot back, as maps of a tenant that nobody uses meanwhile.
   *
   * @param key the key that it was sealed with
   * @param to whose maps they become; it has none
   * @param progress is told the number of entries that were put back, now and then
   * @return the number of entries that were put back
   * @throws SnapshotFailure if that is not possible: a part may be there
   * @throws SnapshotException if there is no such snapshot, or it cannot be read
   */
  public long restore(
      TenantKey key, String address, String id, TenantName to, LongConsumer progress) {
    Repository repository = repositories.open(address);
    Manifest manifest = new SnapshotFolder(repository).read(key.id(), id, key);
    ChunkStore chunks = new ChunkStore(repository, key);
    return restore(manifest, chunks, overlay(manifest, chunks), to, progress);
  }

  private long restore(
      Manifest manifest, ChunkStore chunks, Overlay overlay, TenantName to, LongConsumer progress) {
    return new SnapshotRestore(
            nodeEngine, maps.stored(), settings, chunks, manifest, overlay, to, progress)
        .run();
  }

  /** Returns the changes that a snapshot has upon its entries. */
  private static Overlay overlay(Manifest manifest, ChunkStore chunks) {
    Overlay overlay = new Overlay(Runtime.getRuntime().maxMemory() / HEAP_PART);
    for (Manifest.MapPart part : manifest.maps()) {
      for (Manifest.Chunk chunk : part.chunks()) {
        if (chunk.changes()) {
          for (SnapshotEntry entry : chunks.read(chunk.name())) {
            overlay.put(
                part.map(), SnapshotRestore.partitionOf(entry, manifest.partitions()), entry);
          }
        }
      }
    }
    return overlay;
  }

  /**
   * Finds the newest snapshot from before an instant that can be restored. Does not read the
   * changes after it.
   *
   * @throws SnapshotFailure if it cannot be: the message names the nearest that can
   * @throws SnapshotException if the repository fails
   */
  public Manifest find(TenantKey key, String address, long atMillis) {
    return new ArchivedChanges(repositories.open(address), key, atMillis).base();
  }

  /**
   * Checks that an instant can be restored: reads all changes that it needs.
   *
   * @throws SnapshotFailure if it cannot be: the message names the nearest that can
   * @throws SnapshotException if the repository fails, or if something in it is damaged
   */
  public void check(TenantKey key, String address, long atMillis) {
    Repository repository = repositories.open(address);
    ArchivedChanges archived = new ArchivedChanges(repository, key, atMillis);
    Overlay overlay = overlay(archived.base(), new ChunkStore(repository, key));
    archived.forEach(overlay::take);
  }

  /**
   * Puts back what a tenant's maps had at an instant: the newest snapshot from before, and the
   * archived changes from then on.
   *
   * @param key the key of the tenant
   * @param atMillis the instant, in milliseconds since 1970; what was written in that millisecond
   *     is put back, too
   * @param to whose maps they become; it has none
   * @param progress is told the number of entries that were put back, now and then
   * @return the number of entries that were put back
   * @throws SnapshotFailure if the instant cannot be restored, before anything is put back: the
   *     message names the nearest that can be; or later, if that is not possible
   * @throws SnapshotException if the repository fails, or if something in it is damaged
   */
  public long restoreAt(
      TenantKey key, String address, long atMillis, TenantName to, LongConsumer progress) {
    Repository repository = repositories.open(address);
    ArchivedChanges archived = new ArchivedChanges(repository, key, atMillis);
    Manifest manifest = archived.base();
    ChunkStore chunks = new ChunkStore(repository, key);
    Overlay overlay = overlay(manifest, chunks);
    archived.forEach(overlay::take);
    return restore(manifest, chunks, overlay, to, progress);
  }

  /** Returns the newest snapshot of a tenant that can be read; null if there is none. */
  @Nullable Manifest newest(TenantName tenant, String address) {
    TenantKey key = keys.find(tenant).orElse(null);
    if (key == null) {
      return null;
    }
    SnapshotFolder folder = new SnapshotFolder(repositories.open(address));
    List<Manifest.Header> headers = folder.list(key.id());
    for (int i = headers.size() - 1; i >= 0; i--) {
      if (headers.get(i).damage() == null) {
        return folder.read(key.id(), headers.get(i).id(), key);
      }
    }
    return null;
  }

  /**
   * Deletes the snapshots of a tenant from before an instant, and what nobody needs without them.
   *
   * @param archive whether the newest of these stays, as the changes after it are upon it
   * @param used says whether a snapshot is being put back: then nothing is deleted
   * @return the ids of those that were deleted
   */
  List<String> deleteOld(
      TenantName tenant,
      String address,
      long beforeMillis,
      boolean archive,
      Predicate<String> used) {
    TenantKey key = require(tenant);
    Repository repository = repositories.open(address);
    SnapshotFolder folder = new SnapshotFolder(repository);
    List<Manifest.Header> old =
        new ArrayList<>(
            folder.list(key.id()).stream()
                .filter(header -> header.damage() == null && header.cutMillis() < beforeMillis)
                .toList());
    long from = beforeMillis;
    if (archive && !old.isEmpty()) {
      from = old.removeLast().cutMillis();
    }
    List<String> ids = old.stream().map(Manifest.Header::id).toList();
    if (ids.isEmpty() || folder.list(key.id()).stream().anyMatch(each -> used.test(each.id()))) {
      return List.of();
    }
    ids.forEach(id -> folder.delete(key.id(), id));
    int _ = new ChangeArchive(repository, key).deleteBefore(from);
    int _ = new ArchiveSessions(repository, key).deleteBefore(from);
    collect(repository, key);
    return ids;
  }

  /** Removes what no snapshot needs. If that is not possible now, it is done the next time. */
  private static void collect(Repository repository, TenantKey key) {
    try {
      int _ = repository.sweep();
      var _ =
          new ChunkStore(repository, key).collect(new SnapshotFolder(repository).chunksInUse(key));
    } catch (SnapshotException e) {
      LOG.warn("chunks of deleted snapshots stay in the repository: {}", e.getMessage());
    }
  }

  /**
   * Notes that a snapshot is being put back as maps of a tenant, so that plans leave both alone.
   *
   * @return ends that when it is closed
   */
  public InUse.Use use(String snapshot, TenantName tenant) {
    return inUse.begin(snapshot, tenant.value());
  }

  /** Begins to keep to the plans, if this member does that, and tells what is done by them. */
  public void onPlans(PlanListener listener) {
    schedule.listen(listener);
  }

  /**
   * Returns why snapshots that are due by plans could not be taken, by tenants. Only the oldest
   * member knows; on others there are none.
   */
  public Map<TenantName, String> failedPlans() {
    return schedule.failures();
  }

  /** Returns how a plan goes. Blocks. */
  public PlanStatus status(SnapshotPlan plan) {
    return schedule.status(plan);
  }

  /**
   * Deletes a snapshot, and the chunks that no other snapshot has and that are old enough.
   *
   * @throws SnapshotException if there is no such snapshot
   */
  public void delete(TenantName tenant, String address, String id) {
    TenantKey key = require(tenant);
    Repository repository = repositories.open(address);
    SnapshotFolder folder = new SnapshotFolder(repository);
    if (folder.list(key.id()).stream().noneMatch(header -> header.id().equals(id))) {
      throw SnapshotFailure.missing("there is no snapshot " + id + " of tenant " + tenant);
    }
    folder.delete(key.id(), id);
    collect(repository, key);
  }

  private TenantKey require(TenantName tenant) {
    return keys.find(tenant)
        .orElseThrow(() -> SnapshotFailure.missing("tenant " + tenant + " has no snapshots here"));
  }

  /** Gives the parts of snapshots up that this member has under way. */
  @Override
  public void close() {
    schedule.close();
    archiver.close();
    parts.close();
    repositories.close();
  }
}
