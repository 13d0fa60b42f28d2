package io.keyvalueserve.grid.quorum;

import io.keyvalueserve.grid.quorum.MembersView.Stamp;
import io.keyvalueserve.maps.Lease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a member may serve: the protocol of leases, as pure logic.
 *
 * <p><b>Leases.</b> A member asks all voters again and again. A voter grants what it is asked if
 * the member is in its list of members. A grant is valid for one lease from the moment when it was
 * asked for, by the clock of the member that asked. A member serves while grants of a majority are
 * valid.
 *
 * <p><b>Fences.</b> A voter that loses a member from its list grants it nothing more. Once its last
 * grant to the member must have ended, it puts its <em>label</em> up to the version of that list.
 * When a majority of voters have labels of a version or a later one, no member that was lost in
 * that version can have a majority of valid grants: another majority would overlap with this one.
 * Until then, whoever has taken over a partition from it does not serve it.
 *
 * <p><b>Voters.</b> The set of voters is changed by one voter at a time, by the master, while it
 * has a lease, and only when a majority of the last set is known to have that set. A master that is
 * new first proposes the same voters in a term of its own. This is how Raft changes single servers
 * (Ongaro, "Consensus: Bridging Theory and Practice", 4.1), with the view of the cluster in the
 * place of an election. A grant counts only if the voter and the member that asks know the same
 * set.
 *
 * <p><b>Memory.</b> A voter remembers the set and the last view that it was in. When it comes back
 * and finds itself in a cluster, it grants nothing before it knows that the cluster goes on from
 * there: a member of it serves, or has been in that view; or a majority of voters has come back.
 * One that has joined a running cluster meanwhile, and given up what it had, does not count as come
 * back.
 *
 * <p><b>Lines of views.</b> A list may name a member that has restarted since and is in another
 * cluster. A voter therefore grants only to a member whose view comes before or after its own: they
 * have the same master, or the voter has been in the member's view. Versions of different masters
 * have no common order, so a label counts only from a voter with the same master, together with a
 * valid grant.
 *
 * <p><b>Beginning.</b> The first set needs all its voters: one that forgot it could begin another
 * cluster. The master then proposes the same voters as confirmed.
 *
 * <p>Times are of one monotonic clock, in nanoseconds. Thread-safe.
 */
public final class Quorum {
  private static final int MOST_PASSED = 256;

  private final UUID self;
  private final SplitMode mode;
  private final QuorumTimes times;
  private final Lease lease;
  private final Memory memory;

  private @Nullable VoterSet set;
  private @Nullable Stamp promise;
  private MembersView view;
  private String masterAddress = "";
  private long label;

  /** The time when this member got its present list. */
  private long viewSince;

  /**
   * True while grants from before the present list of members do not count. The list has lost
   * members, and others may not have noticed. A member that counts nobody else would otherwise
   * acknowledge writes that nobody else has.
   */
  private boolean mustBeConfirmed;

  /** The time when the present master became this member's. */
  private long ledSince;

  /** The time when this member last had the newest list that it heard of. */
  private long upToDate;

  /** The time when the master was last heard in this member's view, or in a later one. */
  private long masterHeard;

  /** The time when this member last had a lease. */
  private long heldLast;

  /** Silence before counts for nothing: this member had no lease, and the others as little. */
  private long silenceSince;

  private long pendingUntil;
  private boolean served;
  private boolean leaving;

  /**
   * True if the state that must be remembered is kept. A voter that could forget grants nothing.
   */
  private boolean kept = true;

  /** The term that this member proposed in its present mastership; 0 if it has not yet. */
  private long ownTerm;

  private final Deque<Stamp> order = new ArrayDeque<>();
  private final Set<Stamp> passed = new HashSet<>();

  /** Views of earlier lives that this cluster goes on from; few. Their members have no grants. */
  private final Set<Stamp> promises = new HashSet<>();

  private final Map<UUID, Long> lastGrant = new HashMap<>();
  private final Map<UUID, Peer> peers = new HashMap<>();
  private final Map<UUID, Long> present = new HashMap<>();
  private final Map<UUID, Long> absent = new HashMap<>();

  /** Members that are to be forgotten, and when that was last asked for. */
  private final Map<UUID, Long> forgets = new HashMap<>();

  /**
   * The complaints that one member does not hear another, as the master knows them, and since when.
   */
  private Map<Complaint, Long> complaints = new HashMap<>();

  private final long born;

  /** True if the data of this member came from the members of a running cluster. */
  private boolean joined;

  private long joinedSince;
  private long outcastSince;
  private boolean outcast;

  /** Keeps what must outlive the member. */
  public interface Memory {
    /** Keeps nothing: the member does not outlive its process. */
    Memory NONE = (set, promise) -> true;

    /**
     * Returns when it is kept.
     *
     * @param set the newest voters
     * @param promise the view that the member is in
     * @return false if it cannot be kept now
     */
    boolean keep(VoterSet set, Stamp promise);
  }

  /** A member does not hear another one. */
  private record Complaint(UUID by, UUID about) {
    UUID whoGoes(UUID master) {
      return about.equals(master) || by.compareTo(about) > 0 ? by : about;
    }
  }

  /** The last messages of another member. */
  private static final class Peer {
    private long heard;
    private @Nullable Standing standing;

    /**
     * The standing of the member when it answered. A restart between an answer and a question
     * changes it.
     */
    private @Nullable Standing said;

    private long grantedUntil;

    /** The time when the question was put to which the last grant is the answer. */
    private long grantedAsked;

    private boolean granted;
    private @Nullable VoterSet grantedIn;
    private long label;
    private boolean passed;

    /** The view that its earlier life was in, while it waits. */
    private @Nullable Stamp promised;

    private boolean knowsMe = true;

    /** The time when the newest answer's question was put; valid if {@link #answered}. */
    private long asked;

    private boolean answered;
  }

  /**
   * Creates the quorum of a member that is in no cluster yet.
   *
   * @param known the voters that it remembers; null if it has never been one
   * @param promise the last view that it was in; null if it has never been in one
   * @param lease set as grants come
   */
  public Quorum(
      UUID self,
      SplitMode mode,
      QuorumTimes times,
      @Nullable VoterSet known,
      @Nullable Stamp promise,
      Memory memory,
      Lease lease,
      long now) {
    this.self = self;
    this.mode = mode;
    this.times = times;
    this.set = known;
    this.promise = known == null ? null : promise;
    this.memory = memory;
    this.lease = lease;
    this.view = new MembersView(0, self, Map.of());
    this.pendingUntil = now + times.fence(); // an earlier life may have granted something just now
    this.outcastSince = now;
    this.born = now;
    this.ledSince = now;
    this.viewSince = now;
    this.upToDate = now;
    this.masterHeard = now;
    this.heldLast = now;
    this.silenceSince = now;
  }

  // ---- the list of members

  /** Takes in the list of members. Called for each change, and before anything is answered. */
  public synchronized void enter(MembersView next, String addressOfMaster, long now) {
    masterAddress = addressOfMaster;
    // Of two threads that bring lists one may be late. A new master has its first list later.
    if (next.version() <= view.version()) {
      return;
    }
    long until = pendingUntil;
    boolean loses = false;
    for (UUID lost : view.members().keySet()) {
      if (!next.has(lost)) {
        loses = true;
        Long granted = lastGrant.remove(lost);
        if (granted != null) {
          until = later(until, granted + times.fence());
        }
        present.remove(lost);
      }
    }
    if (!next.master().equals(view.master())) {
      ownTerm = 0;
      ledSince = now;
      peers.values().forEach(peer -> peer.label = 0); // another master counts views anew
    }
    label = isOver(pendingUntil, now) ? view.version() : label;
    pendingUntil = until;
    view = next;
    viewSince = now;
    mustBeConfirmed |= loses;
    lease.setConfirmed(false);
    upToDate = now;
    masterHeard = now;
    for (UUID member : next.members().keySet()) {
      present.putIfAbsent(member, now);
      absent.remove(member);
    }
    remember(next.stamp());
    lease.enter(next.version(), next::has);
    if (promise == null && set != null) {
      kept = memory.keep(set, next.stamp());
    }
    recompute(now);
  }

  private void remember(Stamp stamp) {
    if (passed.add(stamp)) {
      order.addLast(stamp);
      if (order.size() > MOST_PASSED) {
        passed.remove(order.removeFirst());
      }
    }
  }

  private static long later(long one, long other) {
    return other - one > 0 ? other : one;
  }

  private static boolean isOver(long until, long now) {
    return now - until >= 0;
  }

  // ---- asking and answering

  /** Returns what is to be sent to all members now. */
  public synchronized QuorumAsk ask(long now) {
    return new QuorumAsk(standing(now), now, promise);
  }

  private Standing standing(long now) {
    return new Standing(
        self,
        set,
        view.version(),
        view.master(),
        masterAddress,
        view.members().size(),
        isServing(),
        promise != null && !joined,
        leaving,
        unheard(now));
  }

  /** Returns whether the lease holds because of a set of voters. */
  private boolean isServing() {
    return set != null && lease.holds() && promise == null && view.version() > 0;
  }

  /** Answers another member. */
  public synchronized QuorumAnswer answer(QuorumAsk ask, long now) {
    Standing asker = ask.standing();
    hear(asker, now);
    peer(asker.member()).promised = ask.promise();
    boolean grants = ask.promise() == null && grants(asker);
    if (grants) {
      Long _ = lastGrant.put(asker.member(), now);
    }
    Stamp promised = ask.promise();
    return new QuorumAnswer(
        standing(now),
        ask.sentNanos(),
        view.has(asker.member()),
        grants,
        label(now),
        promise == null && isBehind(promised == null ? stamp(asker) : promised));
  }

  private boolean grants(Standing asker) {
    VoterSet voters = set;
    VoterSet theirs = asker.set();
    return voters != null
        && theirs != null
        && voters.has(self)
        && promise == null
        && kept
        && view.has(asker.member())
        && isOfThisCluster(asker)
        && theirs.isSame(voters);
  }

  /**
   * Returns whether the view of another member comes before or after this member's own. The list
   * may name a member that has restarted since, and has become part of another cluster.
   */
  private boolean isOfThisCluster(Standing other) {
    return other.master().equals(view.master()) || passed.contains(stamp(other));
  }

  private boolean isBehind(Stamp stamp) {
    return passed.contains(stamp) || promises.contains(stamp);
  }

  private static Stamp stamp(Standing of) {
    return new Stamp(of.view(), of.master());
  }

  private long label(long now) {
    if (promise != null) {
      return 0;
    }
    if (isOver(pendingUntil, now)) {
      label = view.version();
    }
    return label;
  }

  /** Takes in an answer. */
  public synchronized void hear(QuorumAnswer answer, long now) {
    if (answer.askedNanos() - born < 0 || now - answer.askedNanos() < 0) {
      return; // it answers an earlier life, of whose clock nothing is known
    }
    Standing from = answer.standing();
    hear(from, now);
    Peer peer = peer(from.member());
    if (peer.answered && answer.askedNanos() - peer.asked < 0) {
      return; // an answer to an older question
    }
    peer.answered = true;
    peer.said = from;
    peer.asked = answer.askedNanos();
    peer.knowsMe = answer.isMember();
    peer.passed = answer.passed();
    boolean isSameCount = from.master().equals(view.master()) && answer.askedNanos() - ledSince > 0;
    peer.label = answer.grants() && isSameCount ? answer.label() : 0;
    VoterSet voters = set;
    VoterSet theirs = from.set();
    if (answer.grants() && voters != null && theirs != null && theirs.isSame(voters)) {
      peer.granted = true;
      peer.grantedIn = voters;
      peer.grantedUntil = answer.askedNanos() + times.lease();
      peer.grantedAsked = answer.askedNanos();
    }
    endProbation();
    recompute(now);
  }

  private void hear(Standing from, long now) {
    Peer peer = peer(from.member());
    peer.heard = now;
    peer.standing = from;
    if (from.member().equals(view.master())
        && from.master().equals(view.master())
        && from.view() >= view.version()) {
      masterHeard = now;
    }
    VoterSet theirs = from.set();
    if (theirs != null && view.has(from.member())) {
      adopt(theirs, from.leases(), now);
    }
  }

  private Peer peer(UUID member) {
    return peers.computeIfAbsent(member, absentMember -> new Peer());
  }

  /**
   * Takes over a set of voters if none is known, or if it is newer than the known one. A set of
   * another cluster is taken only from a member with a lease, by a member that has not served yet:
   * then it has joined that cluster.
   */
  private void adopt(VoterSet theirs, boolean leases, long now) {
    VoterSet known = set;
    boolean replaces =
        known == null
            || (theirs.origin().equals(known.origin())
                ? theirs.isNewerThan(known)
                : leases && !served);
    if (replaces) {
      change(theirs, now);
    }
  }

  private void change(VoterSet next, long now) {
    set = next;
    kept = memory.keep(next, promise == null ? view.stamp() : promise);
    recompute(now);
  }

  // ---- a member that comes back

  /** Ends the wait of a voter that came back, once the cluster is known to go on from there. */
  private void endProbation() {
    VoterSet voters = set;
    if (promise == null || voters == null) {
      return;
    }
    int back = voters.has(self) ? 1 : 0;
    boolean goesOn = !voters.consistent();
    List<Stamp> waiting = new ArrayList<>();
    boolean hearsMaster = self.equals(view.master()); // no member is older in this view
    boolean isStale = false; // a voter may serve from what was before the promised view
    for (UUID member : view.members().keySet()) {
      Peer peer = peers.get(member);
      Standing said = peer == null ? null : peer.said;
      if (member.equals(self) || peer == null || said == null) {
        continue;
      }
      boolean sharesView =
          peer.knowsMe && said.master().equals(view.master()) && said.view() >= view.version();
      hearsMaster |= sharesView && member.equals(view.master());
      // The lease may be an old one, and end because of what this member said before it ended.
      boolean isLasting = isOver(born + times.fence(), peer.asked);
      goesOn |= sharesView && (peer.passed || (said.leases() && isLasting));
      Stamp promised = peer.promised;
      if (!sharesView) {
        continue;
      }
      if (!said.fresh()) {
        isStale |= !peer.passed && (voters.has(member) || member.equals(view.master()));
      } else if (voters.has(member) && promised != null) {
        back++;
        waiting.add(promised);
      }
    }
    if (goesOn || (back >= voters.majority() && hearsMaster && !isStale && !joined)) {
      promises.add(promise);
      if (!goesOn) {
        promises.addAll(waiting); // the cluster goes on from there, too
      }
      promise = null;
      kept = memory.keep(voters, view.stamp());
    }
  }

  // ---- the lease

  private void recompute(long now) {
    VoterSet voters = set;
    if (voters == null || view.version() == 0) {
      return;
    }
    if (!voters.consistent()) {
      promise = null;
      lease.setUntil(Long.MAX_VALUE);
      served = true;
      lease.settle(view.version(), view::has, Long.MAX_VALUE);
      return;
    }
    if (promise != null) {
      lease.setUntil(now);
      return;
    }
    int size = voters.voters().size();
    long[] left = new long[size];
    long[] labels = new long[size];
    int since = voters.has(self) && kept ? 1 : 0;
    int at = 0;
    for (UUID voter : voters.voters().keySet()) {
      if (voter.equals(self)) {
        left[at] = kept ? times.lease() : 0;
        labels[at] = kept ? label(now) : 0;
      } else {
        Peer peer = peers.get(voter);
        if (peer != null && peer.answered) {
          VoterSet in = peer.grantedIn;
          boolean isNew = peer.grantedAsked - viewSince > 0;
          left[at] =
              peer.granted && in != null && in.isSame(voters) && (isNew || !mustBeConfirmed)
                  ? Math.max(0, peer.grantedUntil - now)
                  : 0;
          labels[at] = left[at] > 0 ? peer.label : 0; // a voter may restart elsewhere
          since += left[at] > 0 && isNew ? 1 : 0;
        }
      }
      at++;
    }
    Arrays.sort(left);
    Arrays.sort(labels);
    int decides = size - voters.majority();
    boolean isConfirmed = since >= voters.majority();
    mustBeConfirmed &= !isConfirmed;
    lease.setConfirmed(isConfirmed);
    if (size == 1 && voters.has(self)) {
      lease.setUntil(kept ? Long.MAX_VALUE : now);
    } else {
      lease.setUntil(now + left[decides]);
    }
    served |= left[decides] > 0;
    noteLease(now);
    if (lease.hasFences()) {
      lease.settle(view.version(), view::has, labels[decides]);
    }
  }

  // ---- what the master does

  /**
   * Makes the first set of voters, or changes it by one voter, if that is due. Called by each
   * member regularly; does nothing unless this member is the master.
   *
   * @param named how many members the configuration names, this one included
   */
  public synchronized void lead(int named, long now) {
    forget(now);
    VoterSet voters = set;
    if (!kept && voters != null) {
      kept = memory.keep(voters, promise == null ? view.stamp() : promise);
    }
    endProbation();
    recompute(now);
    if (!view.master().equals(self) || view.version() == 0) {
      return;
    }
    voters = set;
    if (voters == null) {
      begin(named, now);
      return;
    }
    for (UUID voter : voters.voters().keySet()) {
      if (!view.has(voter)) {
        absent.putIfAbsent(voter, now);
      }
    }
    if (promise != null || !lease.holds()) {
      return;
    }
    if (ownTerm == 0) {
      if (!voters.consistent() || isHeardInThisView(voters)) {
        VoterSet next = voters.by(self, view.version(), mode);
        ownTerm = next.term();
        change(next, now);
      }
      return;
    }
    if (voters.term() != ownTerm || !voters.proposer().equals(self)) {
      ownTerm = 0; // another master was here in between
      return;
    }
    if (voters.consistent() && !isCommitted(voters)) {
      return;
    }
    VoterSet next = voters.isFirst() ? voters.confirmed() : next(voters, now);
    if (next != null) {
      change(next, now);
    }
  }

  /**
   * Begins to count silence anew when the lease is back after a while. Whatever kept this member
   * from a majority may have kept the others from it, and they are heard again one after the other.
   */
  private void noteLease(long now) {
    if (lease.holds()) {
      if (isOver(heldLast + times.lease(), now)) {
        silenceSince = now;
      }
      heldLast = now;
    }
  }

  /** Drops what members said that are gone and were not voters. */
  private void forget(long now) {
    peers
        .entrySet()
        .removeIf(
            each ->
                !view.has(each.getKey())
                    && (set == null || !set.has(each.getKey()))
                    && isOver(each.getValue().heard + times.forgetting(), now));
    absent.keySet().removeIf(voter -> set == null || !set.has(voter));
  }

  /**
   * The first set of a cluster needs most of those that are named, all of them without a memory.
   */
  private void begin(int named, long now) {
    if (view.members().size() < named / 2 + 1) {
      return;
    }
    for (UUID member : view.members().keySet()) {
      Peer peer = peers.get(member);
      if (!member.equals(self)
          && (peer == null
              || peer.standing == null
              || peer.standing.set() != null
              || peer.standing.view() < view.version()
              || !peer.standing.master().equals(self))) {
        return;
      }
    }
    VoterSet first =
        VoterSet.first(
            UUID.randomUUID(), view.version(), self, mode, named, new TreeMap<>(view.members()));
    ownTerm = first.term();
    change(first, now);
  }

  private boolean isHeardInThisView(VoterSet voters) {
    return count(
            voters,
            peer ->
                peer.answered
                    && peer.standing != null
                    && peer.standing.view() >= view.version()
                    && peer.standing.master().equals(self))
        >= voters.majority();
  }

  private boolean isCommitted(VoterSet voters) {
    return count(
            voters,
            peer ->
                peer.standing != null
                    && peer.standing.set() != null
                    && peer.standing.set().isSame(voters))
        >= voters.majority();
  }

  private int count(VoterSet voters, Predicate<Peer> condition) {
    int found = 0;
    for (UUID voter : voters.voters().keySet()) {
      Peer peer = peers.get(voter);
      if (voter.equals(self) || (peer != null && condition.test(peer))) {
        found++;
      }
    }
    return found;
  }

  private @Nullable VoterSet next(VoterSet voters, long now) {
    forgets.values().removeIf(asked -> isOver(asked + times.lease(), now)); // nobody waits for it
    for (UUID member : forgets.keySet()) {
      if (!voters.forgotten().contains(member) && !isAlive(member, now)) {
        return voters.forgetting(member, view.version(), mode);
      }
    }
    for (UUID voter : voters.voters().keySet()) {
      if (voters.voters().size() > 1 && isLeaving(voter)) {
        return voters.without(voter, view.version(), mode);
      }
    }
    for (Map.Entry<UUID, String> member : view.members().entrySet()) {
      UUID id = member.getKey();
      if (!voters.has(id)
          && !voters.forgotten().contains(id)
          && !isLeaving(id)
          && isOver(present.getOrDefault(id, now) + times.joining(), now)) {
        return voters.with(id, member.getValue(), view.version(), mode);
      }
    }
    int least = voters.consistent() ? LEAST_WITH_LOST : 1;
    for (UUID voter : voters.voters().keySet()) {
      Long since = absent.get(voter);
      if (!view.has(voter)
          && since != null
          && (isOver(since + times.forgetting(), now) || isReplaced(voters, voter))
          && voters.voters().size() > least) {
        return voters.without(voter, view.version(), mode);
      }
    }
    return null;
  }

  /**
   * Returns whether a present voter has the address of a lost one. The process of the lost one has
   * then ended.
   */
  private boolean isReplaced(VoterSet voters, UUID lost) {
    String address = voters.voters().get(lost);
    return view.members().entrySet().stream()
        .anyMatch(member -> member.getValue().equals(address) && voters.has(member.getKey()));
  }

  /** A set of so many voters keeps those that are lost: fewer could not lose another one. */
  private static final int LEAST_WITH_LOST = 3;

  private boolean isLeaving(UUID member) {
    if (member.equals(self)) {
      return leaving;
    }
    Peer peer = peers.get(member);
    return peer != null && peer.standing != null && peer.standing.leaving();
  }

  /**
   * The member takes what it has from a running cluster, and gives up what it remembers. If that
   * cluster ends before this member may serve in it, the member counts for nothing: others that
   * come back have more. It has to start again then.
   */
  public synchronized void joined(long now) {
    joined = true;
    joinedSince = now;
  }

  // ---- forgetting

  /**
   * Takes a member off the cluster that never comes back, for as long as this is asked for again at
   * least once in a lease. The set of voters changes as for any other reason: by one voter, and
   * only if a majority has the last set.
   *
   * @param member need not be a voter
   */
  public synchronized Forgetting forget(UUID member, long now) {
    VoterSet voters = set;
    if (voters == null || promise != null || !lease.holds()) {
      return Forgetting.NO_MAJORITY;
    }
    if (!voters.consistent()) {
      return Forgetting.NOT_CONSISTENT;
    }
    if (!view.master().equals(self)) {
      return Forgetting.NOT_LEADING;
    }
    if (voters.forgotten().contains(member)) {
      return isCommitted(voters) ? Forgetting.DONE : Forgetting.UNDER_WAY;
    }
    if (isAlive(member, now)) {
      return Forgetting.ALIVE;
    }
    Long _ = forgets.put(member, now);
    return Forgetting.UNDER_WAY;
  }

  /** Returns whether a member is in the list, or was heard recently enough not to be lost. */
  private boolean isAlive(UUID member, long now) {
    Peer peer = peers.get(member);
    return member.equals(self)
        || view.has(member)
        || (peer != null && peer.standing != null && !isOver(peer.heard + times.silence(), now));
  }

  /** Returns the forgotten members if this member serves and hears all voters; else nobody. */
  public synchronized Set<UUID> forgottenByAll(long now) {
    VoterSet voters = set;
    return voters != null
            && !voters.forgotten().isEmpty()
            && lease.holds()
            && promise == null
            && reachable(now).size() == voters.voters().size()
            && isCommitted(voters)
        ? Set.copyOf(voters.forgotten())
        : Set.of();
  }

  // ---- leaving

  /** Says from now on that this member leaves for good. */
  public synchronized void leave() {
    leaving = true;
  }

  /** Returns whether the other members decide without this member. */
  public synchronized boolean hasLeft() {
    VoterSet voters = set;
    return voters == null || (voters.has(self) ? voters.voters().size() == 1 : isCommitted(voters));
  }

  /** Returns the members that have said that they leave for good. */
  public synchronized Set<UUID> leaving() {
    Set<UUID> found = new HashSet<>();
    for (UUID member : view.members().keySet()) {
      if (isLeaving(member)) {
        found.add(member);
      }
    }
    return found;
  }

  // ---- what the member has to do

  /**
   * Returns the members that have been silent for too long.
   *
   * @return empty if this member must not decide that
   */
  public synchronized Set<UUID> silent(long now) {
    VoterSet voters = set;
    return voters != null && voters.consistent() && !lease.holds() ? Set.of() : unheard(now);
  }

  /** Returns the members that have been silent for too long, whoever decides. */
  private Set<UUID> unheard(long now) {
    Set<UUID> found = new HashSet<>();
    for (UUID member : view.members().keySet()) {
      Peer peer = peers.get(member);
      long since = present.getOrDefault(member, now);
      since = later(peer == null ? since : later(since, peer.heard), silenceSince);
      if (!member.equals(self) && isOver(since + times.silence(), now)) {
        found.add(member);
      }
    }
    return found;
  }

  /**
   * Returns the members that have to go because another member does not hear them, though this one,
   * the master, hears both. Without that, requests between the two would wait for as long as the
   * network is broken.
   *
   * <p>Of two members the one with the greater id goes, so that it is the same one each time. Who
   * does not hear the master goes itself.
   *
   * @return empty if this member is not the master, or must not decide that
   */
  public synchronized Set<UUID> apart(long now) {
    VoterSet voters = set;
    if (!view.master().equals(self) || voters == null || (voters.consistent() && !lease.holds())) {
      complaints.clear();
      return Set.of();
    }
    Map<Complaint, Long> all = new HashMap<>();
    for (UUID member : view.members().keySet()) {
      Peer peer = peers.get(member);
      if (member.equals(self) || peer == null || !isHeard(member, now)) {
        continue;
      }
      Standing said = peer.standing;
      if (said == null || !said.master().equals(self) || said.view() < view.version()) {
        continue;
      }
      for (UUID silent : said.silent()) {
        if (silent.equals(self) || (view.has(silent) && isHeard(silent, now))) {
          Complaint complaint = new Complaint(member, silent);
          all.put(complaint, complaints.getOrDefault(complaint, now));
        }
      }
    }
    complaints = all;
    Set<UUID> found = new HashSet<>();
    all.forEach(
        (complaint, since) -> {
          if (isOver(since + times.lease(), now)) {
            found.add(complaint.whoGoes(self));
          }
        });
    return found;
  }

  private boolean isHeard(UUID member, long now) {
    Peer peer = peers.get(member);
    return peer != null && !isOver(peer.heard + times.lease(), now);
  }

  /**
   * Returns the addresses of voters and members that were heard a while ago and are not now. Those
   * that this member has removed from its list since are among them.
   *
   * @param withinNanos how long ago at most they were heard last
   */
  public synchronized Set<String> lostLately(long withinNanos, long now) {
    Map<UUID, String> known = new HashMap<>(view.members());
    VoterSet voters = set;
    if (voters != null) {
      voters.voters().forEach(known::putIfAbsent);
    }
    Set<String> found = new HashSet<>();
    known.forEach(
        (id, address) -> {
          Peer peer = peers.get(id);
          if (peer != null
              && isOver(peer.heard + times.lease(), now)
              && !isOver(peer.heard + withinNanos, now)) {
            found.add(address);
          }
        });
    return found;
  }

  /** Returns whether this member may treat another as lost because its process has ended. */
  public synchronized boolean mayDecide() {
    VoterSet voters = set;
    return voters == null || !voters.consistent() || lease.holds();
  }

  /** Forgets how long others have been silent: this member itself was not running. */
  public synchronized void recordPause(long now) {
    upToDate = now;
    complaints.clear();
    masterHeard = now;
    for (Peer peer : peers.values()) {
      peer.heard = now;
    }
    present.replaceAll((member, since) -> now);
  }

  /**
   * Returns whether this member has to leave its view and join again. It must if it is left behind,
   * has lost its master, or has joined in vain. It must also if it does not serve, and another
   * cluster has wanted it for a while.
   */
  public synchronized boolean isOutcast(long now) {
    boolean hasJoinedInVain = joined && promise != null;
    if (isLeftBehind(now)
        || hasLostMaster(now)
        || (hasJoinedInVain && isOver(joinedSince + times.forgetting(), now))) {
      return true;
    }
    if (isServing() || !isWantedElsewhere(now)) {
      outcast = false;
      return false;
    }
    if (!outcast) {
      outcast = true;
      outcastSince = now;
    }
    return isOver(outcastSince + times.lease(), now);
  }

  /**
   * Returns whether this member has long lacked a list that others of its master have. It may have
   * followed a new master that has ended since, and would no longer accept the old one's lists.
   */
  private boolean isLeftBehind(long now) {
    for (Peer peer : peers.values()) {
      Standing other = peer.standing;
      if (other != null
          && !isOver(peer.heard + times.lease(), now)
          && (other.master().equals(view.master())
              ? other.view() > view.version()
              : peer.answered && peer.passed)) {
        return isOver(upToDate + times.forgetting(), now);
      }
    }
    upToDate = now;
    return false;
  }

  /**
   * Returns whether this member has come back into a view whose master has gone since. It cannot
   * have another master as long as it may not serve, and the old one cannot come back into this
   * view.
   */
  private boolean hasLostMaster(long now) {
    return promise != null
        && !self.equals(view.master())
        && isOver(masterHeard + times.forgetting(), now);
  }

  /** Returns whether the master has been silent for as long as makes a member lost. */
  public synchronized boolean isMasterSilent(long now) {
    return !self.equals(view.master()) && isOver(masterHeard + times.silence(), now);
  }

  private boolean isWantedElsewhere(long now) {
    VoterSet voters = set;
    int ahead = 0;
    for (Map.Entry<UUID, Peer> each : peers.entrySet()) {
      Peer peer = each.getValue();
      Standing other = peer.standing;
      if (other == null
          || isOver(peer.heard + times.lease(), now)
          || each.getKey().equals(self)
          || !peer.answered) {
        continue;
      }
      Stamp promised = peer.promised;
      if (voters != null && voters.has(each.getKey()) && promised != null && !isBehind(promised)) {
        ahead++;
      }
      boolean isApart =
          !peer.knowsMe || !view.has(each.getKey()) || !other.master().equals(view.master());
      if (isApart && isToBeJoined(peer, other)) {
        return true;
      }
    }
    return voters != null
        && voters.consistent()
        && promise == null
        && ahead > 0
        && reachable(now).size() >= voters.majority();
  }

  /**
   * Returns whether this member, which does not serve, has to give way to a cluster apart from its
   * own.
   */
  private boolean isToBeJoined(Peer peer, Standing other) {
    VoterSet voters = set;
    VoterSet theirs = other.set();
    if (theirs == null || voters == null) {
      return voters == null && (theirs != null || isBetter(other));
    }
    if (!theirs.consistent()) {
      return false;
    }
    if (!voters.origin().equals(theirs.origin())) {
      return other.leases() && !served;
    }
    if (other.leases() || peer.passed) {
      return true; // it went on from where this member is
    }
    boolean waits = promise != null;
    boolean otherWaits = peer.promised != null;
    return waits == otherWaits && (waits || !isBehind(stamp(other))) && isBetter(other);
  }

  /**
   * Returns whether another cluster has precedence over this one, if neither has begun: the smaller
   * one gives way.
   */
  private boolean isBetter(Standing other) {
    int mine = view.members().size();
    return other.members() != mine
        ? other.members() > mine
        : other.masterAddress().compareTo(masterAddress) < 0;
  }

  // ---- what is seen

  /** Returns the voters; null if there are none yet. */
  public synchronized @Nullable VoterSet voters() {
    return set;
  }

  /** Returns the voters that have answered within one lease, this member included. */
  public synchronized Set<UUID> reachable(long now) {
    Set<UUID> found = new HashSet<>();
    VoterSet voters = set;
    if (voters != null) {
      for (UUID voter : voters.voters().keySet()) {
        Peer peer = peers.get(voter);
        if (voter.equals(self)
            || (peer != null && peer.answered && !isOver(peer.heard + times.lease(), now))) {
          found.add(voter);
        }
      }
    }
    return found;
  }
}
