package io.keyvalueserve.grid.snapshot;

import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.catalogue.GridSnapshotPlans;
import io.keyvalueserve.grid.catalogue.GridTenantKeys;
import io.keyvalueserve.grid.catalogue.SecretSeal.SealException;
import io.keyvalueserve.grid.catalogue.SnapshotPlan;
import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.grid.question.Questioner;
import io.keyvalueserve.grid.space.HazelcastEngine;
import io.keyvalueserve.maps.ChangeTap;
import io.keyvalueserve.maps.MapChange;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.StoredEntry;
import io.keyvalueserve.snapshots.ArchiveSession;
import io.keyvalueserve.snapshots.ArchiveSessions;
import io.keyvalueserve.snapshots.Change;
import io.keyvalueserve.snapshots.ChangeArchive;
import io.keyvalueserve.snapshots.Repository;
import io.keyvalueserve.snapshots.SnapshotEntry;
import io.keyvalueserve.snapshots.SnapshotException;
import io.keyvalueserve.snapshots.TenantKey;
import io.keyvalueserve.tenancy.HostPort;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Archives the changes of tenants whose plans want that, in the partitions that this member owns:
 * about every second, all that have come.
 *
 * <p>A {@link ArchiveSession} says from when until when no change is missing. A new one begins when
 * partitions get other owners, because then the archives of two members would have to be put in an
 * order. One also begins when other maps are excluded from snapshots, because a map that comes in
 * has entries that no snapshot has yet. A snapshot that is taken in a session can be restored to
 * any instant until its end.
 *
 * <p>Thread-safe; a thread of its own does the work.
 */
final class ChangeArchiver implements AutoCloseable {
  /** Waits for the transactions that this member is deciding. */
  private static final String DECIDED = "snapshots.decided";

  private static final String NOT_YET = "";
  private static final Logger LOG = LoggerFactory.getLogger(ChangeArchiver.class);
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final long PAUSE_MILLIS = 1_000;
  private static final long MOST_SEGMENT_BYTES = 4 << 20;

  /** The part of the Java heap that changes of one tenant may take. */
  private static final int HEAP_PART = 16;

  private final NativeMaps maps;
  private final NodeEngine nodeEngine;
  private final Questioner questioner;
  private final GridTenantKeys keys;
  private final Repositories repositories;
  private final Function<TenantName, Set<String>> exclusions;
  private final Map<String, SnapshotPlan> plans = new ConcurrentHashMap<>();
  private final Map<String, Archive> archives = new ConcurrentHashMap<>();
  private final long mostBytes = Runtime.getRuntime().maxMemory() / HEAP_PART;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Archives from now on.
   *
   * @param exclusions returns the maps of a tenant that are in no snapshot
   */
  ChangeArchiver(
      NativeMaps maps,
      NodeEngine nodeEngine,
      Questioner questioner,
      Answerers answerers,
      GridTenantKeys keys,
      GridSnapshotPlans catalogue,
      Repositories repositories,
      Function<TenantName, Set<String>> exclusions) {
    this.maps = maps;
    this.nodeEngine = nodeEngine;
    this.questioner = questioner;
    this.keys = keys;
    this.repositories = repositories;
    this.exclusions = exclusions;
    answerers.add(DECIDED, this::decided);
    catalogue.subscribe(this::planned);
    this.thread = Thread.ofPlatform().daemon().name("kvs-archive").start(this::run);
  }

  /** Returns the stamp of the table of partitions once nothing can be decided at an instant. */
  private String decided(String instant) {
    long millis = Long.parseLong(instant);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.currentTimeMillis() <= millis) {
      if (System.nanoTime() - deadline > 0) {
        return NOT_YET; // the clock of this member is behind
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    return HazelcastEngine.of(nodeEngine).runningTransactions().awaitDecided(PATIENCE)
        ? Long.toString(tableStamp())
        : NOT_YET;
  }

  private void planned(SnapshotPlan plan) {
    SnapshotPlan _ =
        plans.compute(
            plan.tenant(),
            (tenant, known) -> known != null && known.revision() > plan.revision() ? known : plan);
  }

  /** Returns the session of a tenant's archive; null if there is none. */
  @Nullable ArchiveSession session(String tenant) {
    Archive archive = archives.get(tenant);
    return archive == null ? null : archive.session;
  }

  /** Returns why changes of a tenant are not archived at present; null if they are. */
  @Nullable String problem(String tenant) {
    Archive archive = archives.get(tenant);
    return archive == null ? null : archive.problem;
  }

  private void run() {
    try {
      while (!closed) {
        try {
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
          round();
        } catch (InterruptedException e) {
          return;
        } catch (RuntimeException | Error e) { // or nothing would be archived any more
          if (!closed) {
            LOG.warn("changes are archived later", e);
          }
        }
      }
    } finally {
      archives.values().forEach(Archive::close);
      archives.clear();
    }
  }

  private void round() {
    Set<String> wanted = new HashSet<>();
    for (SnapshotPlan plan : plans.values()) {
      if (plan.archive() && !plan.deleted()) {
        boolean _ = wanted.add(plan.tenant());
        Archive known = archives.get(plan.tenant());
        if (known != null && known.plan.revision() != plan.revision()) {
          known.close();
          known = null;
        }
        if (known == null) {
          Archive _ = archives.put(plan.tenant(), new Archive(plan));
        }
      }
    }
    archives
        .entrySet()
        .removeIf(
            each -> {
              boolean gone = !wanted.contains(each.getKey());
              if (gone) {
                each.getValue().close();
              }
              return gone;
            });
    if (archives.isEmpty()) {
      return;
    }
    long tableStamp = tableStamp();
    long now = System.currentTimeMillis();
    boolean decided = areDecided(now, tableStamp);
    maps.taps().settle();
    for (Archive archive : archives.values()) {
      archive.flush(tableStamp, now, decided);
    }
  }

  private long tableStamp() {
    return nodeEngine.getPartitionService().getPartitionStateStamp();
  }

  /**
   * Returns whether all transactions are carried out that were decided until an instant, and all
   * members know the same table of partitions. One that knows a later table may have taken a
   * partition over, of which this member has not heard.
   */
  private boolean areDecided(long millis, long tableStamp) {
    for (MemberAnswer answer :
        questioner.ask(DECIDED, Long.toString(millis), PATIENCE.multipliedBy(3))) {
      if (!Long.toString(tableStamp).equals(answer.text())) {
        return false;
      }
    }
    return !HazelcastEngine.of(nodeEngine).hasCommitted(millis);
  }

  /** The archive of one tenant. By the thread, but for what is volatile. */
  private final class Archive {
    private final SnapshotPlan plan;
    private @Nullable ChangeTap tap;
    private Set<String> excluded = Set.of();
    private @Nullable Repository repository;
    private @Nullable TenantKey key;
    private volatile @Nullable ArchiveSession session;
    private volatile @Nullable String problem = "it begins";
    private List<Change> pending = new ArrayList<>();
    private long pendingBytes;
    private long sequence;

    Archive(SnapshotPlan plan) {
      this.plan = plan;
    }

    void flush(long tableStamp, long nowMillis, boolean decided) {
      try {
        if (tap == null || tap.hasOverflowed()) {
          begin(tableStamp);
          return;
        }
        write();
        if (tableStamp() != tableStamp
            || session == null
            || session.tableStamp() != tableStamp
            || !excluded.equals(exclusions.apply(new TenantName(plan.tenant())))) {
          begin(tableStamp());
        } else if (decided) {
          cover(session.covered(nowMillis));
        }
        problem = null;
      } catch (SnapshotException | SealException | SnapshotFailure e) {
        failed(String.valueOf(e.getMessage()), null);
      } catch (RuntimeException e) { // other tenants' changes are archived all the same
        failed("changes could not be archived; the member's log says why", e);
      }
    }

    private void failed(String why, @Nullable RuntimeException e) {
      if (problem == null || !problem.equals(why)) {
        LOG.warn("changes are archived later: tenant={}: {}", plan.tenant(), why, e);
      }
      problem = why;
    }

    /** Begins a session: what is in the tap already belongs to none. */
    private void begin(long tableStamp) {
      TenantName tenant = new TenantName(plan.tenant());
      repository = repositories.open(plan.repository());
      key =
          keys.find(tenant)
              .orElseThrow(() -> SnapshotFailure.lasting("the tenant has no key: it was deleted"));
      excluded = exclusions.apply(tenant);
      if (tap == null || tap.hasOverflowed()) {
        if (tap != null) {
          LOG.warn(
              "changes were not archived, as there were too many: the next snapshot begins anew:"
                  + " tenant={}",
              plan.tenant());
          tap.close();
        }
        tap = maps.taps().open(map -> SnapshotMaps.isIn(tenant, map), mostBytes);
      }
      pending = new ArrayList<>();
      pendingBytes = 0;
      tap.drain(change -> {});
      sequence = 0;
      long from = System.currentTimeMillis() + 1;
      session = null;
      cover(
          new ArchiveSession(UUID.randomUUID(), address(), tableStamp, owned(), from, from, 0, 0));
    }

    private String address() {
      return HostPort.of(
          nodeEngine.getThisAddress().getHost(), nodeEngine.getThisAddress().getPort());
    }

    private int owned() {
      int owned = 0;
      for (int partition = 0; partition < maps.stored().partitions(); partition++) {
        owned += maps.stored().owns(partition) ? 1 : 0;
      }
      return owned;
    }

    private void cover(ArchiveSession next) {
      if (repository == null || key == null) {
        return;
      }
      ArchiveSessions sessions = new ArchiveSessions(repository, key);
      if (session != null && !sessions.exists(session)) {
        session = null; // so that another one begins
        throw SnapshotFailure.lasting(
            "the repository "
                + plan.repository()
                + " no longer has what was written to it: is it mounted?");
      }
      sessions.write(next);
      session = next;
    }

    /** Writes what has come. What could not be written is written first the next time. */
    private void write() {
      ChangeTap from = tap;
      if (from == null || session == null || repository == null || key == null) {
        return;
      }
      ChangeArchive archive = new ChangeArchive(repository, key);
      append(archive);
      from.drain(
          change -> {
            if (SnapshotMaps.isExcluded(change.map(), maps, HazelcastEngine.of(nodeEngine))) {
              return;
            }
            pending.add(archived(change));
            pendingBytes += change.bytes();
            if (pendingBytes >= MOST_SEGMENT_BYTES) {
              append(archive);
            }
          });
      append(archive);
    }

    private void append(ChangeArchive archive) {
      if (!pending.isEmpty()) {
        ArchiveSession to = Objects.requireNonNull(session);
        session = to.with(archive.append(to.id(), to.segments(), to.segments() > 0, pending));
        pending = new ArrayList<>();
        pendingBytes = 0;
      }
    }

    private Change archived(MapChange change) {
      String map = SnapshotMaps.nameOf(change.map());
      long next = sequence++;
      StoredEntry entry = change.entry();
      return switch (change.kind()) {
        case CLEAR -> Change.clear(change.stampMillis(), next, change.partition(), map);
        case REMOVE ->
            Change.remove(change.stampMillis(), next, change.partition(), map, change.key());
        case PUT -> {
          if (entry == null || entry.value().length == 0) {
            yield Change.remove(change.stampMillis(), next, change.partition(), map, change.key());
          }
          yield Change.put(
              change.stampMillis(),
              next,
              change.partition(),
              map,
              new SnapshotEntry(
                  entry.key(),
                  entry.value(),
                  entry.ttlMillis(),
                  entry.maxIdleMillis(),
                  entry.expiresAtMillis()));
        }
      };
    }

    private void close() {
      if (tap != null) {
        tap.close();
      }
    }
  }

  /** Archives nothing more. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
