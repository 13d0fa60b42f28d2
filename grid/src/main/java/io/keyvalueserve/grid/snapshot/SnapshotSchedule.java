package io.keyvalueserve.grid.snapshot;

import com.hazelcast.cluster.Member;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.catalogue.GridSnapshotPlans;
import io.keyvalueserve.grid.catalogue.SnapshotPlan;
import io.keyvalueserve.grid.member.DataMembers;
import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.grid.question.Questioner;
import io.keyvalueserve.snapshots.ArchiveSession;
import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.snapshots.SnapshotException;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes snapshots when tenants' plans say so, and deletes those that are too old. The oldest member
 * that holds data does this for the cluster. If the oldest member is lost, the next one goes on.
 *
 * <p>Where changes are archived, a snapshot is also due when a new {@link ArchiveSession} has
 * begun, because changes can only be put upon a snapshot of their own session.
 *
 * <p>Thread-safe; a thread of its own does the work.
 */
final class SnapshotSchedule implements AutoCloseable {
  /** Tells how far a member has come with the archive of a tenant. */
  private static final String SESSION = "snapshots.session";

  /** Tells the last failure of a tenant's snapshots. */
  private static final String FAILURE = "snapshots.failure";

  private static final Logger LOG = LoggerFactory.getLogger(SnapshotSchedule.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long PAUSE_MILLIS = 1_000;
  private static final long RETRY_MILLIS = 30_000;
  private static final long LOOK_AGAIN_MILLIS = 60_000;

  /** Sessions that began later may end at once, as partitions may still be moving. */
  private static final long SETTLED_MILLIS = 3_000;

  private final NodeEngine nodeEngine;
  private final Snapshots snapshots;
  private final GridSnapshotPlans plans;
  private final Questioner questioner;
  private final InUse inUse;
  private volatile @Nullable PlanListener listener;
  private final Map<String, Taken> taken = new ConcurrentHashMap<>();
  private final Map<String, String> failures = new ConcurrentHashMap<>();
  private final Map<String, Long> retryAt = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean closed;

  /** The newest snapshot of a tenant. */
  private record Taken(long cutMillis, long tableStamp, long revision, long foundMillis) {
    /** Returns whether it is still known: others may delete snapshots, or change the plan. */
    boolean isKnown(SnapshotPlan plan, long nowMillis) {
      return revision == plan.revision() && nowMillis - foundMillis < LOOK_AGAIN_MILLIS;
    }
  }

  /** Keeps to the plans as soon as {@link #listen} says who is told. */
  SnapshotSchedule(
      NodeEngine nodeEngine,
      Snapshots snapshots,
      GridSnapshotPlans plans,
      ChangeArchiver archiver,
      Questioner questioner,
      Answerers answerers,
      InUse inUse) {
    this.nodeEngine = nodeEngine;
    this.snapshots = snapshots;
    this.plans = plans;
    this.questioner = questioner;
    this.inUse = inUse;
    answerers.add(
        SESSION,
        tenant -> new ArchiveState(archiver.session(tenant), archiver.problem(tenant)).encode());
    answerers.add(FAILURE, tenant -> failures.getOrDefault(tenant, ""));
    this.thread = Thread.ofVirtual().name("kvs-snapshot-plans").start(this::run);
  }

  private void run() {
    while (!closed) {
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        PlanListener told = listener;
        if (told != null && isLeader()) {
          List<SnapshotPlan> all = plans.all().stream().filter(plan -> !plan.deleted()).toList();
          boolean _ =
              failures
                  .keySet()
                  .retainAll(all.stream().map(SnapshotPlan::tenant).collect(Collectors.toSet()));
          all.forEach(plan -> keepTo(plan, told));
        } else {
          taken.clear();
          failures.clear();
        }
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException | Error e) { // or no plan would be kept to any more
        if (!closed) {
          LOG.warn("plans of snapshots are looked at again later: {}", e.toString());
        }
      }
    }
  }

  private boolean isLeader() {
    List<Member> members = DataMembers.of(nodeEngine);
    return !members.isEmpty() && members.getFirst().localMember();
  }

  private void keepTo(SnapshotPlan plan, PlanListener told) {
    long now = System.currentTimeMillis();
    if (closed || retryAt.getOrDefault(plan.tenant(), 0L) > now) {
      return;
    }
    TenantName tenant = new TenantName(plan.tenant());
    try {
      Taken last = taken.get(plan.tenant());
      if (last == null || !last.isKnown(plan, now)) {
        last = found(plan, snapshots.newest(tenant, plan.repository()), now);
      }
      if (last.cutMillis() + plan.every().toMillis() > now && !isBaseMissing(plan, last)) {
        return;
      }
      Set<String> used = inUse.everywhere();
      if (used == null || used.contains(plan.tenant())) {
        return; // it is being restored
      }
      Manifest manifest = snapshots.create(tenant, plan.repository(), read -> {});
      Taken _ = found(plan, manifest, now);
      told.created(tenant, manifest, plan.repository());
      LOG.info(
          "a snapshot was taken by its plan: tenant={} snapshot={} entries={} new bytes={}",
          tenant,
          manifest.id(),
          manifest.totals().entries(),
          manifest.totals().newBytes());
      String _ = failures.remove(plan.tenant());
      deleteOld(plan, tenant, now, told);
    } catch (RuntimeException e) {
      LOG.warn("a snapshot is taken again later: tenant={}: {}", tenant, e.getMessage());
      String why = String.valueOf(e.getMessage());
      if (!why.equals(failures.put(plan.tenant(), why))) {
        told.failed(tenant, why);
      }
      Long _ = retryAt.put(plan.tenant(), now + RETRY_MILLIS);
    }
  }

  private Taken found(SnapshotPlan plan, @Nullable Manifest newest, long nowMillis) {
    Taken found =
        newest == null
            ? new Taken(0, 0, plan.revision(), nowMillis)
            : new Taken(newest.cutMillis(), newest.tableStamp(), plan.revision(), nowMillis);
    Taken _ = taken.put(plan.tenant(), found);
    return found;
  }

  private void deleteOld(SnapshotPlan plan, TenantName tenant, long nowMillis, PlanListener told) {
    Set<String> used = inUse.everywhere();
    if (used != null) {
      snapshots
          .deleteOld(
              tenant,
              plan.repository(),
              nowMillis - plan.keep().toMillis(),
              plan.archive(),
              used::contains)
          .forEach(id -> told.deleted(tenant, id, plan.repository()));
    }
  }

  /** Returns whether changes are archived that belong upon a snapshot which is not there. */
  private boolean isBaseMissing(SnapshotPlan plan, Taken last) {
    if (!plan.archive()) {
      return false;
    }
    long settled = System.currentTimeMillis() - SETTLED_MILLIS;
    List<ArchiveState> states = states(plan.tenant());
    if (states.stream()
        .anyMatch(state -> state.session() == null || state.session().startedMillis() > settled)) {
      return false; // soon
    }
    return states.stream()
        .map(ArchiveState::session)
        .filter(Objects::nonNull)
        .anyMatch(
            session ->
                session.tableStamp() != last.tableStamp()
                    || session.startedMillis() > last.cutMillis());
  }

  private List<ArchiveState> states(String tenant) {
    List<ArchiveState> states = new ArrayList<>();
    for (MemberAnswer answer : questioner.ask(SESSION, tenant, PATIENCE)) {
      String text = answer.text();
      states.add(
          text == null
              ? new ArchiveState(null, "member " + answer.member() + " gave no answer")
              : ArchiveState.decode(text));
    }
    return states;
  }

  /** Returns the last failures of tenants' snapshots, if this member keeps to the plans. */
  Map<TenantName, String> failures() {
    Map<TenantName, String> all = new HashMap<>();
    failures.forEach((tenant, why) -> all.put(new TenantName(tenant), why));
    return all;
  }

  /** Returns how a plan goes. Blocks. */
  PlanStatus status(SnapshotPlan plan) {
    String failure = null;
    for (MemberAnswer answer : questioner.ask(FAILURE, plan.tenant(), PATIENCE)) {
      String text = answer.text();
      failure = text == null || text.isEmpty() ? failure : text;
    }
    if (!plan.archive()) {
      return new PlanStatus(0, failure);
    }
    Manifest base;
    try {
      base = snapshots.newest(new TenantName(plan.tenant()), plan.repository());
    } catch (SnapshotException e) {
      return new PlanStatus(0, e.getMessage());
    }
    if (base == null) {
      return new PlanStatus(0, failure);
    }
    long covered = Long.MAX_VALUE;
    for (ArchiveState state : states(plan.tenant())) {
      @Nullable ArchiveSession session = state.session();
      if (session != null
          && session.tableStamp() == base.tableStamp()
          && session.startedMillis() <= base.cutMillis()) {
        covered = Math.min(covered, session.coveredMillis());
      } else {
        covered = 0; // its changes are upon no snapshot yet
      }
      failure = failure == null ? state.problem() : failure;
    }
    return new PlanStatus(Math.max(covered, base.cutMillis()), failure);
  }

  /** Begins to keep to the plans. */
  void listen(PlanListener next) {
    listener = next;
  }

  /** Takes no more snapshots. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
