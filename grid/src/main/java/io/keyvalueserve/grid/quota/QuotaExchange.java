package io.keyvalueserve.grid.quota;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.billing.spending.Spendings;
import io.keyvalueserve.billing.spending.SpentByAll;
import io.keyvalueserve.billing.spending.SpentHere;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.admission.DemandReport;
import io.keyvalueserve.gates.admission.HoldingsBook;
import io.keyvalueserve.gates.admission.MemberShares;
import io.keyvalueserve.gates.admission.RateKey;
import io.keyvalueserve.gates.admission.RateLimit;
import io.keyvalueserve.gates.admission.ShareAssignment;
import io.keyvalueserve.gates.admission.ShareCoordinator;
import io.keyvalueserve.gates.admission.ShareTimes;
import io.keyvalueserve.gates.admission.UsageReport;
import io.keyvalueserve.gates.heap.KeptReport;
import io.keyvalueserve.grid.lock.LockCensus;
import io.keyvalueserve.grid.member.DataMembers;
import io.keyvalueserve.grid.space.HazelcastEngine;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a member's quotas in step with those of the others: a thread of its own looks every 10 ms
 * what is due, or every 100 ms as long as there is nothing to share, and every 250 ms as long as
 * there is nobody to tell anything. The oldest member that holds data coordinates the shares of
 * limits on rates; what tenants keep is told by every member to every other, ten times a second, as
 * long as there is anything to tell. What they spend is told as often to the oldest, which adds it
 * up and tells all. Witnesses take no part.
 *
 * <p>Thread-safe.
 */
public final class QuotaExchange implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QuotaExchange.class);
  private static final long TICK_MILLIS = 10;
  private static final long IDLE_TICK_MILLIS = 100;
  private static final long QUIET_TICK_MILLIS = 250;
  private static final long USAGE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A member that is alone looks so often for locks that no client's request asked for. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final NodeEngine nodeEngine;
  private final Admissions admissions;
  private final ToIntFunction<Tenant> connections;
  private final LockCensus locks;
  private final int backups;
  private final UUID self;
  private final MemberShares shares;
  private final HoldingsBook book;
  private final ScheduledExecutorService timer;

  private volatile @Nullable ShareCoordinator coordinator;
  private volatile Map<UUID, Address> addresses = Map.of();
  private volatile Map<String, Integer> locksHere = Map.of();

  /** The member that coordinates. Also read by threads that bring an assignment. */
  private volatile @Nullable UUID oldest;

  // Of the timer's thread.
  private List<UUID> members = List.of();
  private long usageDueNanos = System.nanoTime();
  private long quietUntilNanos = usageDueNanos;
  private long lockedNanos = usageDueNanos;
  private boolean toldSomething;
  private boolean holdsLocks;
  private boolean failed;

  private QuotaExchange(
      NodeEngine nodeEngine,
      Admissions admissions,
      ToIntFunction<Tenant> connections,
      int backups) {
    this.nodeEngine = nodeEngine;
    this.admissions = admissions;
    this.connections = connections;
    this.backups = backups;
    this.locks = new LockCensus(HazelcastEngine.of(nodeEngine).lockedStores());
    this.self = nodeEngine.getLocalMember().getUuid();
    this.book = new HoldingsBook(self, admissions);
    int count = DataMembers.of(nodeEngine).size();
    this.shares = admissions.join(self, count, this::limitChanged);
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("kvs-quota").daemon().factory());
  }

  /**
   * Begins to exchange. To be called when the member has joined, and before it admits anything.
   *
   * @param connections how many a tenant has open here
   * @param backups how many each entry has, if there are members enough
   */
  public static QuotaExchange start(
      NodeEngine nodeEngine,
      Admissions admissions,
      ToIntFunction<Tenant> connections,
      int backups) {
    QuotaExchange exchange = new QuotaExchange(nodeEngine, admissions, connections, backups);
    exchange.timer.execute(exchange::tick);
    return exchange;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  /** Takes in what another member says. Does not block. */
  void hear(Record said) {
    switch (said) {
      case DemandReport demand -> coordinate(demand);
      case ShareAssignment assignment -> assigned(assignment);
      case UsageReport usage -> book.take(usage);
      case KeptReport kept -> admissions.heap().hear(kept);
      case SpentHere spent -> spendings().adder().take(spent);
      case SpentByAll spent -> spendings().hear(spent);
      default -> throw new IllegalArgumentException("nothing that members say: " + said);
    }
  }

  private void tick() {
    try {
      long now = System.nanoTime();
      lookAtMembers(now);
      if (!isAlone() || shares.isAnyLimited()) {
        shares.poll(now).ifPresent(this::report);
      }
      if (now - usageDueNanos >= 0) {
        usageDueNanos = now + USAGE_NANOS;
        if (isUsageDue(now)) {
          exchangeUsage(mayHaveLocks(now));
        }
        exchangeSpending();
      }
      failed = false;
    } catch (RuntimeException e) {
      if (!failed) { // once, not a hundred times a second
        LOG.error("quotas are not in step with other members", e);
      }
      failed = true;
    }
    goOn();
  }

  /** A limit that comes up, and a member, are seen within the pause before. */
  private void goOn() {
    try {
      ScheduledFuture<?> _ = timer.schedule(this::tick, pauseMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("quotas are not exchanged any more: the member ends");
    }
  }

  private long pauseMillis() {
    if (shares.isAnyLimited()) {
      return isAlone() ? IDLE_TICK_MILLIS : TICK_MILLIS;
    }
    boolean quiet = isAlone() && !holdsLocks && !spendings().isAnyCapped();
    return quiet ? QUIET_TICK_MILLIS : IDLE_TICK_MILLIS;
  }

  private boolean isAlone() {
    return members.size() == 1;
  }

  private void lookAtMembers(long now) {
    List<Member> listed = DataMembers.of(nodeEngine);
    if (listed.isEmpty() || areKnown(listed)) {
      return;
    }
    List<UUID> present = new ArrayList<>();
    Map<UUID, Address> known = new HashMap<>();
    for (Member member : listed) {
      present.add(member.getUuid());
      known.put(member.getUuid(), member.getAddress());
    }
    addresses = known;
    members = present;
    quietUntilNanos = now;
    shares.setMembers(present.size());
    UUID first = present.getFirst();
    if (first.equals(oldest)) {
      ShareCoordinator own = coordinator;
      if (own != null) {
        own.setMembers(present, now);
      }
      return;
    }
    oldest = first;
    if (first.equals(self)) {
      ShareCoordinator own =
          new ShareCoordinator(newTenure(), present, ShareTimes.DEFAULT, System.nanoTime());
      coordinator = own;
      admissions.forEachRate(own::setLimit);
    } else {
      coordinator = null;
    }
    shares.changeCoordinator(now);
  }

  /** Returns whether the members are the known ones, in the same order. */
  private boolean areKnown(List<Member> listed) {
    int i = 0;
    for (Member member : listed) {
      if (i == members.size() || !members.get(i).equals(member.getUuid())) {
        return false;
      }
      i++;
    }
    return i == members.size();
  }

  private static long newTenure() {
    return ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
  }

  private void limitChanged(RateKey key, RateLimit limit) {
    ShareCoordinator own = coordinator;
    if (own != null) {
      own.setLimit(key, limit);
    }
  }

  // ---- shares

  private void report(DemandReport report) {
    UUID to = oldest;
    if (self.equals(to)) {
      coordinate(report);
    } else if (to != null) {
      send(report, to);
    }
  }

  /**
   * Coordinates after a report of demand. Also answers what this member itself reports on hearing
   * the answer, and so on.
   */
  private void coordinate(DemandReport first) {
    ShareCoordinator own = coordinator;
    Queue<DemandReport> reports = new ArrayDeque<>(List.of(first));
    while (own != null && !reports.isEmpty()) {
      for (ShareAssignment assignment : own.accept(reports.poll(), System.nanoTime())) {
        if (assignment.member().equals(self)) {
          shares.accept(assignment, System.nanoTime()).ifPresent(reports::add);
        } else {
          send(assignment, assignment.member());
        }
      }
    }
  }

  private void assigned(ShareAssignment assignment) {
    Optional<DemandReport> answer = shares.accept(assignment, System.nanoTime());
    answer.ifPresent(this::report);
  }

  // ---- what tenants keep

  /**
   * A member that is alone has nobody to tell, and knows what it keeps itself. To count its locks
   * is a walk through all partitions: that is left out while there are none, and nobody has asked
   * for one of late; the locks of transactions, which nobody does ask for, are seen a little later.
   */
  private boolean isUsageDue(long now) {
    if (admissions.haveLocksBeenLetIn() || holdsLocks) {
      lockedNanos = now;
    }
    boolean due = mayHaveLocks(now) || now - quietUntilNanos >= 0;
    if (due) {
      quietUntilNanos = now + QUIET_NANOS;
    }
    return due;
  }

  private boolean mayHaveLocks(long now) {
    return !isAlone() || now - lockedNanos < QUIET_NANOS;
  }

  private void exchangeUsage(boolean mayHaveLocks) {
    boolean exactly = book.beginCounting() || mayHaveLocks;
    Map<Integer, Integer> held = exactly ? locks.byTenant() : locks.lately();
    holdsLocks = !held.isEmpty();
    Map<String, Integer> counted = held.isEmpty() ? Map.of() : byName(held);
    UsageReport report = book.report(connections, counted);
    if (!report.isEmpty() || toldSomething) {
      for (UUID member : members) {
        if (!member.equals(self)) {
          send(report, member);
        }
      }
    }
    toldSomething = !report.isEmpty();
    book.settle(members, copies(), counted);
    locksHere = counted;
  }

  private Map<String, Integer> byName(Map<Integer, Integer> byNumber) {
    Map<String, Integer> locks = new HashMap<>();
    for (Tenant tenant : admissions.tenants()) {
      Integer count = byNumber.get(tenant.number());
      if (count != null) {
        locks.put(tenant.name().value(), count);
      }
    }
    return locks;
  }

  /**
   * Returns the number of locks that a tenant's clients held on keys of this member's partitions, a
   * moment ago.
   */
  public int locksHere(TenantName tenant) {
    return locksHere.getOrDefault(tenant.value(), 0);
  }

  /** Returns the number of copies of each entry, if all is well. */
  public int copies() {
    int holding = DataMembers.of(nodeEngine).size();
    return 1 + Math.clamp(holding - 1L, 0, backups);
  }

  // ---- what tenants spend

  private void exchangeSpending() {
    UUID to = oldest;
    if (to == null || !spendings().isAnyCapped()) {
      return;
    }
    SpentHere spent = spendings().report(self);
    if (!to.equals(self)) {
      if (!spent.tenants().isEmpty()) {
        send(spent, to);
      }
      return;
    }
    spendings().adder().setMembers(members);
    spendings().adder().take(spent);
    for (UUID member : members) {
      SpentByAll totals = spendings().adder().totalsFor(member);
      if (member.equals(self)) {
        spendings().hear(totals);
      } else if (!totals.tenants().isEmpty()) {
        send(totals, member);
      }
    }
  }

  private Spendings spendings() {
    return admissions.spendings();
  }

  /** Tells every other member how much tenants keep on this member's heap. Any thread. */
  public void tell(KeptReport report) {
    for (UUID member : addresses.keySet()) {
      if (!member.equals(self)) {
        send(report, member);
      }
    }
  }

  private void send(Record said, UUID member) {
    Address address = addresses.get(member);
    if (address != null) {
      boolean _ = nodeEngine.getOperationService().send(new QuotaMessage(said), address);
    }
  }
}
