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
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  /** Sessions that began later may end at once, as partitions may still be moving. */
  private static final long SETTLED_MILLIS = 3_000;

  private final NodeEngine nodeEngine;
  private final Snapshots snapshots;
  private final GridSnapshotPlans plans;
  private final Questioner questioner;
  private final Map<String, Taken> taken = new ConcurrentHashMap<>();
  private final Map<String, String> failures = new ConcurrentHashMap<>();
  private final Map<String, Long> retryAt = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean closed;

  /** The newest snapshot of a tenant. */
  private record Taken(long cutMillis, long tableStamp) {
    static final Taken NONE = new Taken(0, 0);
  }

  /** Keeps to the plans from now on. */
  SnapshotSchedule(
      NodeEngine nodeEngine,
      Snapshots snapshots,
      GridSnapshotPlans plans,
      ChangeArchiver archiver,
      Questioner questioner,
      Answerers answerers) {
    this.nodeEngine = nodeEngine;
    this.snapshots = snapshots;
    this.plans = plans;
    this.questioner = questioner;
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
        if (isLeader()) {
          List<SnapshotPlan> all = plans.all().stream().filter(plan -> !plan.deleted()).toList();
          boolean _ =
              failures
                  .keySet()
                  .retainAll(all.stream().map(SnapshotPlan::tenant).collect(Collectors.toSet()));
          all.forEach(this::keepTo);
        } else {
          taken.clear();
          failures.clear();
        }
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
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

  private void keepTo(SnapshotPlan plan) {
    long now = System.currentTimeMillis();
    if (closed || retryAt.getOrDefault(plan.tenant(), 0L) > now) {
      return;
    }
    TenantName tenant = new TenantName(plan.tenant());
    try {
      Taken last = taken.computeIfAbsent(plan.tenant(), any -> newest(tenant, plan.repository()));
      if (last.cutMillis() + plan.every().toMillis() > now && !isBaseMissing(plan, last)) {
        return;
      }
      Manifest manifest = snapshots.create(tenant, plan.repository(), read -> {});
      Taken _ = taken.put(plan.tenant(), new Taken(manifest.cutMillis(), manifest.tableStamp()));
      LOG.info(
          "a snapshot was taken by its plan: tenant={} snapshot={} entries={} new bytes={}",
          tenant,
          manifest.id(),
          manifest.totals().entries(),
          manifest.totals().newBytes());
      snapshots.deleteOld(tenant, plan.repository(), now - plan.keep().toMillis(), plan.archive());
      String _ = failures.remove(plan.tenant());
    } catch (RuntimeException e) {
      LOG.warn("a snapshot is taken again later: tenant={}: {}", tenant, e.getMessage());
      String _ = failures.put(plan.tenant(), String.valueOf(e.getMessage()));
      Long _ = retryAt.put(plan.tenant(), now + RETRY_MILLIS);
    }
  }

  private Taken newest(TenantName tenant, String address) {
    Manifest newest = snapshots.newest(tenant, address);
    return newest == null ? Taken.NONE : new Taken(newest.cutMillis(), newest.tableStamp());
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
    long covered = 0;
    if (plan.archive()) {
      covered = Long.MAX_VALUE;
      for (ArchiveState state : states(plan.tenant())) {
        @Nullable ArchiveSession session = state.session();
        covered = session == null ? 0 : Math.min(covered, session.coveredMillis());
        failure = failure == null ? state.problem() : failure;
      }
    }
    return new PlanStatus(covered, failure);
  }

  /** Takes no more snapshots. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
