package io.keyvalueserve.gates.admission;

import static io.keyvalueserve.gates.admission.ShareAssignment.WHOLE;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The coordinator's side of sharing limits: hears what members are asked for, and moves shares
 * between them. One at a time, on the oldest member.
 *
 * <p><b>Two phases.</b> A share moves by being taken from one member first, and given to another
 * when the first has reported that it obeys. Until then it counts for the larger of the two. So
 * what is in force everywhere is never more than the limit, whatever is lost, delayed or comes
 * twice; waiting a period instead would have been right only while no message is lost. The price is
 * a round trip, in which what moves is nobody's. Reports that matter do not wait for the period.
 *
 * <p><b>Silence.</b> Of a member that has not been heard of for longer than its shares last it is
 * known that it uses no more than an equal part; the rest is given to others.
 *
 * <p><b>Taking over.</b> A new coordinator knows nothing and asks nobody but the members: shares
 * stay where they are until each of them has reported its own and obeys this tenure, or has been
 * silent for long enough.
 *
 * <p><b>What is guaranteed.</b> As long as members speak with one coordinator or none, and know the
 * same number of members as it does, their shares together are at most the whole; so in any time T
 * they admit at most limit * T + burst, and what single amounts above the burst of a share leave as
 * debt. This holds with the cluster split in any way too, until a side takes the other's members
 * off its list: then each side has the whole limit. Two more cases: a member that has joined and
 * cannot reach the coordinator takes an equal part after the time of a lease, while others may have
 * the whole until they hear of it; and a member that does not know of a limit yet is not limited.
 *
 * <p>Calls take turns. Time is of one clock that runs like {@link System#nanoTime}.
 */
public final class ShareCoordinator {
  private final long tenure;
  private final ShareTimes times;
  private final Map<UUID, Follower> followers = new LinkedHashMap<>();
  private final Map<RateKey, Division> divisions = new HashMap<>();

  /** Limits whose shares are not yet what they should be. */
  private final Set<RateKey> moving = new LinkedHashSet<>();

  /**
   * @param tenure a number that no coordinator before has had, never 0; random ones will do
   */
  public ShareCoordinator(long tenure, Collection<UUID> members, ShareTimes times, long nowNanos) {
    if (tenure == 0) {
      throw new IllegalArgumentException("tenure 0 stands for no coordinator; draw another");
    }
    this.tenure = tenure;
    this.times = times;
    setMembers(members, nowNanos);
  }

  /** Sets a limit for all members together, or takes it away. */
  public synchronized void setLimit(RateKey key, RateLimit limit) {
    if (limit.isLimited()) {
      divisions.computeIfAbsent(key, absent -> new Division()).perSecond = limit.perSecond();
      moving.add(key);
    } else {
      divisions.remove(key);
      moving.remove(key);
    }
  }

  /** Takes a tenant's limits away. */
  public synchronized void forget(int tenant) {
    divisions.keySet().removeIf(key -> key.tenant() == tenant);
    moving.removeIf(key -> key.tenant() == tenant);
  }

  /** Says who the members are. Shares of those that are gone are free at once. */
  public synchronized void setMembers(Collection<UUID> members, long nowNanos) {
    followers.keySet().retainAll(members);
    for (UUID member : members) {
      followers.computeIfAbsent(member, id -> new Follower(id, nowNanos));
    }
    for (Division division : divisions.values()) {
      division.holdings.keySet().retainAll(followers.keySet());
    }
    moving.addAll(divisions.keySet());
  }

  /**
   * Takes a report in. One that is late or came twice changes nothing.
   *
   * @return what to send: an answer to the member that reports, and what this changes for others
   */
  public synchronized List<ShareAssignment> accept(DemandReport report, long nowNanos) {
    Follower follower = followers.get(report.member());
    if (follower == null || follower.hasSeen(report)) {
      return List.of();
    }
    endSilent(nowNanos);
    if (report.tenure() == 0) {
      if (follower.state != Follower.State.FOLLOWS
          || report.openedNanos() != follower.openedNanos) {
        begin(follower, report);
      }
    } else if (report.tenure() != tenure
        || follower.state != Follower.State.FOLLOWS
        || report.openedNanos() != follower.openedNanos) {
      return List.of(
          new ShareAssignment(
              follower.member, tenure, 0, report.sentNanos(), times.validityNanos(), List.of()));
    }
    follower.heard(report, nowNanos);
    if (report.tenure() == tenure && report.epoch() == follower.epoch) {
      obey(follower);
    }
    takeDemands(follower, report);
    for (RateKey key : List.copyOf(moving)) {
      Division division = divisions.get(key);
      if (division == null || division.move(key, followers.values())) {
        moving.remove(key);
      }
    }
    return assignments(follower);
  }

  private void endSilent(long nowNanos) {
    for (Follower follower : followers.values()) {
      if (follower.state != Follower.State.SILENT
          && nowNanos - follower.heardNanos > times.silenceNanos()) {
        follower.state = Follower.State.SILENT;
        for (Division division : divisions.values()) {
          Division.Holding holding = division.holdings.get(follower.member);
          if (holding != null) {
            holding.settle(Math.min(holding.most(), WHOLE / followers.size()));
          }
        }
        moving.addAll(divisions.keySet());
      }
    }
  }

  /** The report holds all limits of a member that obeys nobody. */
  private void begin(Follower follower, DemandReport report) {
    follower.state = Follower.State.FOLLOWS;
    follower.openedNanos = report.openedNanos();
    follower.epoch++;
    follower.obeys = false;
    follower.greeted = false;
    follower.changes.clear();
    for (Division division : divisions.values()) {
      division.holdings.remove(follower.member);
    }
    for (DemandReport.Demand demand : report.demands()) {
      Division division = divisions.get(demand.key());
      if (division != null) {
        Division.Holding holding = new Division.Holding(demand.share());
        holding.told = true;
        division.holdings.put(follower.member, holding);
        follower.changes.add(demand.key());
      }
    }
    moving.addAll(divisions.keySet());
  }

  private void obey(Follower follower) {
    if (follower.obeys) {
      return;
    }
    follower.obeys = true;
    follower.greeted = true;
    for (RateKey key : follower.changes) {
      Division division = divisions.get(key);
      Division.Holding holding = division == null ? null : division.holdings.get(follower.member);
      if (holding != null) {
        holding.settle(holding.next);
      }
    }
    moving.addAll(follower.changes);
    moving.retainAll(divisions.keySet());
    follower.changes.clear();
  }

  private void takeDemands(Follower follower, DemandReport report) {
    Set<RateKey> asked = new LinkedHashSet<>();
    for (DemandReport.Demand demand : report.demands()) {
      Division division = divisions.get(demand.key());
      if (division == null) {
        continue;
      }
      asked.add(demand.key());
      Division.Holding holding =
          division.holdings.computeIfAbsent(
              follower.member, member -> new Division.Holding(demand.share()));
      holding.ask(demand.perSecond());
      if (follower.obeys && (!holding.told || holding.share != demand.share())) {
        holding.settle(demand.share());
        holding.told = true;
        follower.changes.add(demand.key());
      }
    }
    for (RateKey key : follower.asked) {
      Division division = asked.contains(key) ? null : divisions.get(key);
      if (division != null) {
        Division.Holding holding = division.holdings.get(follower.member);
        if (holding != null) {
          holding.ask(0);
          moving.add(key);
          if (holding.isRecent(division.perSecond)) {
            asked.add(key); // and falls on
          }
        }
      }
    }
    follower.asked = asked;
    moving.addAll(asked);
  }

  private List<ShareAssignment> assignments(Follower reporter) {
    List<ShareAssignment> out = new ArrayList<>();
    for (Follower follower : followers.values()) {
      boolean isNew = follower.obeys && !follower.changes.isEmpty();
      if (isNew) {
        follower.epoch++;
        follower.obeys = false;
      }
      if (isNew || follower == reporter) {
        out.add(assignment(follower, follower.epoch));
      }
    }
    return out;
  }

  private ShareAssignment assignment(Follower follower, long epoch) {
    List<ShareAssignment.Share> shares = new ArrayList<>();
    for (RateKey key : follower.changes) {
      Division division = divisions.get(key);
      Division.Holding holding = division == null ? null : division.holdings.get(follower.member);
      if (holding != null) {
        shares.add(new ShareAssignment.Share(key, holding.next));
      }
    }
    return new ShareAssignment(
        follower.member, tenure, epoch, follower.sentNanos, times.validityNanos(), shares);
  }
}
