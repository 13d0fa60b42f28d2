package io.keyvalueserve.gates.admission;

import static io.keyvalueserve.gates.admission.ShareAssignment.WHOLE;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A member's side of sharing limits: reports what is asked for, and holds its gates to the shares
 * it is assigned.
 *
 * <p>A share is a lease (C. Gray and D. Cheriton, "Leases: an efficient fault-tolerant mechanism
 * for distributed file cache consistency", 1989): it lasts for a time that is counted from when
 * this member <em>sent</em> the report that the coordinator answered, so it ends here before the
 * coordinator takes it for ended, whatever the delay, if both clocks run at the same speed. When it
 * ends, the member goes on with the smaller of its share and an equal part among all members it
 * knows.
 *
 * <p>A member that has just joined others has no share until it is answered, or until the time of a
 * lease has passed: the whole limit is in their hands.
 *
 * <p>Gates are thread-safe and never wait for this object; all else takes turns. Times are of one
 * clock that runs like {@link System#nanoTime}.
 */
public final class MemberShares {
  private final UUID self;
  private final ShareTimes times;
  private final ConcurrentHashMap<RateKey, Part> parts = new ConcurrentHashMap<>();

  /** The parts that have a limit: the others are many, and cost nothing. Guarded by this. */
  private final Map<RateKey, Part> limited = new HashMap<>();

  private final AtomicBoolean refusing = new AtomicBoolean();
  private final long bornNanos;

  private int members;
  private boolean settled; // has had shares, or has waited for long enough
  private long tenure;
  private long epoch;
  private long openedNanos;
  private long leaseNanos; // when the report was sent that was answered last
  private long sentNanos;
  private long dueNanos;

  /**
   * @param members how many there are, with this one
   */
  public MemberShares(UUID self, int members, ShareTimes times, long nowNanos) {
    this.self = self;
    this.times = times;
    this.members = members;
    this.bornNanos = nowNanos;
    this.openedNanos = nowNanos;
    this.leaseNanos = nowNanos;
    this.sentNanos = nowNanos - 1;
    this.dueNanos = nowNanos;
    this.settled = members == 1;
  }

  /** One limit here. All but the gate is guarded by the outer object. */
  private static final class Part {
    final Gate gate;
    RateLimit limit = RateLimit.UNLIMITED;
    int share;
    boolean assigned;

    Part(Gate gate) {
      this.gate = gate;
    }

    void apply(long nowNanos) {
      if (limit.isLimited()) {
        double part = (double) share / WHOLE;
        gate.bucket().setRate(limit.perSecond() * part, (long) (limit.burst() * part), nowNanos);
      } else {
        gate.bucket().setUnlimited();
      }
    }
  }

  /** The gate for one tenant and one resource. It limits nothing until a limit is set. */
  public Gate gate(RateKey key, long nowNanos) {
    return part(key, nowNanos).gate;
  }

  /**
   * Sets a limit for all members together, or takes it away. It holds here from now on, and
   * everywhere as soon as all members are told: shares are parts of a limit, and stay.
   */
  public synchronized void setLimit(RateKey key, RateLimit limit, long nowNanos) {
    Part part = part(key, nowNanos);
    if (limit.isLimited() && !part.limit.isLimited()) {
      part.share = settled ? WHOLE / members : 0;
      part.assigned = false;
    }
    part.limit = limit;
    if (limit.isLimited()) {
      limited.put(key, part);
    } else {
      limited.remove(key);
    }
    part.apply(nowNanos);
  }

  /** Takes a tenant's limits and gates away. */
  public synchronized void forget(int tenant) {
    limited.keySet().removeIf(key -> key.tenant() == tenant);
    parts
        .entrySet()
        .removeIf(
            entry -> {
              boolean leaves = entry.getKey().tenant() == tenant;
              if (leaves) {
                entry.getValue().gate.bucket().setUnlimited();
              }
              return leaves;
            });
  }

  /**
   * Says how many members there are now, with this one. Fewer of them never raise a share: that is
   * for the coordinator to do.
   */
  public synchronized void setMembers(int count) {
    members = count;
  }

  /** Says that reports go to another coordinator from now on: answers of the old one are void. */
  public synchronized void changeCoordinator(long nowNanos) {
    open(nowNanos);
  }

  /**
   * Does what the time demands. To be called every tenth of a period or so: a lease ends, and a
   * sudden demand is seen, no sooner than that.
   *
   * @return a report for the coordinator, if one is due
   */
  public synchronized Optional<DemandReport> poll(long nowNanos) {
    if (!settled && nowNanos - bornNanos > times.validityNanos()) {
      settle(nowNanos);
    }
    if (nowNanos - leaseNanos > times.validityNanos()) {
      fallBack(nowNanos);
    }
    boolean due = hasTurned(nowNanos) || nowNanos - dueNanos >= 0;
    return due ? Optional.of(report(nowNanos)) : Optional.empty();
  }

  /**
   * Takes shares in. An assignment that is late, came twice or is for somebody else changes
   * nothing.
   *
   * @return a report for the coordinator, which waits for it
   */
  public synchronized Optional<DemandReport> accept(ShareAssignment assignment, long nowNanos) {
    long answers = assignment.answersNanos();
    if (!assignment.member().equals(self)
        || answers - openedNanos < 0
        || answers - sentNanos > 0
        || nowNanos - answers > times.validityNanos()) {
      return Optional.empty();
    }
    if (tenure != 0 && (assignment.tenure() != tenure || assignment.epoch() == 0)) {
      open(nowNanos);
      return Optional.of(report(nowNanos));
    }
    if (assignment.epoch() == 0 || assignment.epoch() < epoch) {
      return Optional.empty();
    }
    leaseNanos = Math.max(answers - leaseNanos, 0) + leaseNanos;
    if (assignment.epoch() == epoch) {
      return Optional.empty();
    }
    tenure = assignment.tenure();
    epoch = assignment.epoch();
    settled = true;
    boolean changed = apply(assignment.shares(), nowNanos);
    DemandReport report = report(nowNanos);
    if (changed) {
      dueNanos = nowNanos + times.soonNanos();
    }
    return Optional.of(report);
  }

  /** Returns whether any limit exists that members share. */
  public synchronized boolean isAnyLimited() {
    return !limited.isEmpty();
  }

  /** Returns this member's share of a limit, in parts of {@link ShareAssignment#WHOLE}. */
  public synchronized int share(RateKey key) {
    Part part = parts.get(key);
    return part == null || !part.limit.isLimited() ? WHOLE : part.share;
  }

  private Part part(RateKey key, long nowNanos) {
    return parts.computeIfAbsent(key, absent -> new Part(new Gate(nowNanos, refusing)));
  }

  private boolean apply(List<ShareAssignment.Share> shares, long nowNanos) {
    boolean changed = false;
    for (ShareAssignment.Share share : shares) {
      Part part = parts.get(share.key());
      if (part != null && part.limit.isLimited()) {
        changed |= part.share != share.parts();
        part.share = share.parts();
        part.assigned = true;
        part.apply(nowNanos);
      }
    }
    return changed;
  }

  private void settle(long nowNanos) {
    settled = true;
    for (Part part : limited.values()) {
      part.share = WHOLE / members;
      part.apply(nowNanos);
    }
  }

  private void fallBack(long nowNanos) {
    if (tenure != 0) {
      open(nowNanos);
    }
    for (Part part : limited.values()) {
      if (part.share > WHOLE / members) {
        part.share = WHOLE / members;
        part.apply(nowNanos);
      }
    }
  }

  private void open(long nowNanos) {
    tenure = 0;
    epoch = 0;
    openedNanos = after(sentNanos, nowNanos);
    dueNanos = nowNanos;
    for (Part part : limited.values()) {
      part.assigned = false;
    }
  }

  /** Looks at all limits: a few nanoseconds for each. */
  private boolean hasTurned(long nowNanos) {
    boolean turned = false;
    for (Part part : limited.values()) {
      turned |= part.gate.demand().hasTurned(refusing.get(), nowNanos);
    }
    return turned;
  }

  private DemandReport report(long nowNanos) {
    refusing.set(false);
    sentNanos = after(sentNanos, nowNanos);
    dueNanos = nowNanos + times.periodNanos();
    List<DemandReport.Demand> demands = new ArrayList<>();
    limited.forEach(
        (key, part) -> {
          double perSecond = part.gate.demand().close(nowNanos);
          if (perSecond > 0 || !part.assigned) {
            demands.add(new DemandReport.Demand(key, perSecond, part.share));
          }
        });
    return new DemandReport(self, sentNanos, openedNanos, tenure, epoch, demands);
  }

  private static long after(long before, long nowNanos) {
    return nowNanos - before > 0 ? nowNanos : before + 1;
  }
}
