package io.keyvalueserve.gates.fairness;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Shares the time of one thread, or of several that take from one queue, among tenants by weight,
 * whatever the number of their sessions and the cost of their requests.
 *
 * <p><b>How.</b> Deficit round robin (Shreedhar and Varghese, "Efficient Fair Queuing Using Deficit
 * Round-Robin", IEEE/ACM Transactions on Networking 4(3), 1996, section III) with nanoseconds for
 * bytes. What a slice costs is known only when it is done, so it is paid afterwards: a tenant is
 * served while its balance is positive, and what it used too much is owed (Adiseshu, Parulkar and
 * Varghese, "A Reliable and Scalable Striping Protocol", SIGCOMM 1996, section 3, call that surplus
 * round robin). The quantum of a round is the same for all, times the weight; it is chosen at the
 * beginning of each round, so that many tenants, or great weights, make rounds no longer than they
 * must.
 *
 * <p><b>Who comes and owes nothing is visited next</b>, as new flows are by FQ-CoDel (RFC 8290,
 * section 4.2), so that one who asks little does not wait for all who ask much. Such a visit is
 * lent: what it took is owed, and repaid while others are served, also if the tenant is idle. So it
 * changes when a tenant is served, and not how much; and who keeps coming and going gains nothing.
 *
 * <p><b>What holds.</b> While two tenants both have work, what they are charged, each divided by
 * the weight, differs by at most 3 Q + (C + L) / w1 + (C + L) / w2, where Q is the greatest quantum
 * of weight 1, C what the dearest slice cost, and L what is lent for the visit when one has come;
 * neither Q nor L is more than {@link Slicing#most}. Within a tenant, sessions are served in turn.
 *
 * <p><b>What is charged</b> is the time that a slice took, or what its work usually takes, if the
 * caller knows that ({@link UsualCosts}) and the tenant's slices have lately taken about as long,
 * an eighth more or less. So equal tenants with equal requests are served equally many, though
 * those of one take a little longer, as they lie elsewhere in memory, or come in smaller groups;
 * and nobody gains more than an eighth by what the guess does not see.
 *
 * <p>A tenant with nothing to do keeps no credit; what it owes it keeps until the others have been
 * served as much, for {@link Slicing#debtLasts} at most. While a tenant is alone it owes only what
 * a slice took longer than granted.
 *
 * <p><b>Several threads</b> that serve the same sessions use {@link #begin}, {@link #beginIdle} and
 * {@link #end} in the place of {@link #next} and {@link #done}: slices go on beside each other, and
 * a tenant is charged the time of each. Since others begin before a slice has ended, it is charged
 * at its beginning what slices of its tenant lately took (of all, if it had none yet), and what it
 * takes longer as it goes on; what it did not take is given back. Here a tenant is charged only
 * while another one waits, and not for a slice that it got by {@link #beginIdle} though it owes: so
 * its debt is bounded. Who waits, waits behind each tenant for the part of the time that this one
 * had of all that was served.
 *
 * <p>Every method takes a constant time, amortised over what is served, but for a search among
 * tenants by {@link #enter}, and one among the slices that go on. Allocates when a session enters
 * only. Confined to one thread, or to a lock; times are of {@link System#nanoTime} or any clock
 * that runs like it, and never go back.
 *
 * @param <T> what is served: a session
 */
public final class DeficitRoundRobin<T> {
  /** The greatest weight. The least is 1. */
  public static final int MOST_WEIGHT = 1000;

  private final Slicing slicing;
  private final IntUnaryOperator weights;
  private final WaitMeters meters;
  private final Map<Integer, Flow<T>> flows = new HashMap<>();
  private final ServiceLog log = new ServiceLog();

  /** The number of tenants that have sessions. */
  private int tenants;

  /** The first one is visited. */
  private final FlowList<T> list = new FlowList<>();

  // The round that goes on.
  private int unvisited;
  private boolean isVisiting;
  private boolean isLent; // this visit, or the last one
  private long quantum;

  /**
   * The nanoseconds that a tenant of weight 1 would have been granted if it had always had work.
   */
  private long grantedSoFar;

  // The slice that goes on.
  private @Nullable Claim<T> present;
  private boolean isAlone;
  private long granted;
  private long begunNanos;

  private final SlicesAtOnce<T> atOnce;

  /**
   * One for the thread that will use it, or the threads.
   *
   * @param weights the weight of a tenant by its number, asked anew in each round; values beyond 1
   *     to {@link #MOST_WEIGHT} are taken for the nearest one
   * @param meters takes the meters of this thread
   */
  public DeficitRoundRobin(Slicing slicing, IntUnaryOperator weights, WaitMeters meters) {
    this.slicing = slicing;
    this.atOnce = new SlicesAtOnce<>(log, slicing.most());
    this.weights = weights;
    this.meters = meters;
  }

  // ---- who is here

  /** Takes a session of a tenant in. It has nothing to do yet. */
  public Claim<T> enter(int tenant, T work) {
    Flow<T> flow = flows.get(tenant);
    if (flow == null) {
      flow = new Flow<>(tenant);
      flows.put(tenant, flow);
      meters.add(flow.meter);
    }
    if (flow.claims++ == 0) {
      tenants++;
    }
    return new Claim<>(flow, work);
  }

  /** Lets a session go, whether it has something to do, is served right now, or has left before. */
  public void leave(Claim<T> claim) {
    if (claim.hasLeft) {
      return;
    }
    claim.hasLeft = true;
    if (claim.isReady) {
      claim.flow.remove(claim);
    }
    if (--claim.flow.claims == 0) {
      tenants--;
    }
  }

  /** Forgets a tenant that was deleted, unless it has sessions. */
  public void forget(int tenant) {
    Flow<T> flow = flows.get(tenant);
    if (flow != null && flow.claims == 0 && !flow.isListed) {
      flows.remove(tenant);
      meters.remove(flow.meter);
    }
  }

  /**
   * Returns whether sessions of more than one tenant are here. If not, nothing needs scheduling.
   */
  public boolean isContended() {
    return tenants > 1;
  }

  // ---- who is next

  /**
   * Says that a session has something to do. Nothing changes for one that has said so, has left or
   * is served right now.
   */
  public void ready(Claim<T> claim, long nowNanos) {
    if (!claim.isReady && !claim.hasLeft && present != claim && !claim.isGoing()) {
      account(nowNanos);
      enqueue(claim, nowNanos);
    }
  }

  private void enqueue(Claim<T> claim, long nowNanos) {
    Flow<T> flow = claim.flow;
    claim.readyNanos = nowNanos;
    long going = present == null ? 0 : nowNanos - begunNanos;
    claim.servedThen = log.total() + going;
    claim.ownServedThen = flow.served + (present != null && present.flow == flow ? going : 0);
    claim.visitThen = log.newest();
    flow.append(claim);
    if (!flow.isListed) {
      enlist(flow, nowNanos);
    }
  }

  private void enlist(Flow<T> flow, long nowNanos) {
    flow.balance =
        nowNanos - flow.idleSince >= slicing.debtLasts()
            ? 0
            : Math.min(0, flow.balance + (grantedSoFar - flow.grantedThen) * flow.weight);
    if (flow.balance == 0) {
      list.goAhead(flow, isVisiting || present != null);
    } else {
      list.append(flow);
    }
  }

  /**
   * The session to serve now, for {@link #sliceNanos}; {@link #done} is due before this is called
   * again.
   *
   * @return null if none has anything to do
   */
  public @Nullable Claim<T> next(long nowNanos) {
    Flow<T> flow = list.first();
    Claim<T> claim = flow == null ? null : flow.first();
    if (flow == null) {
      return null;
    }
    isAlone = claim != null && list.size() == 1;
    if (isAlone) {
      beginAlone(flow);
    } else {
      flow = visit(nowNanos);
      claim = flow == null ? null : flow.first();
    }
    if (flow == null || claim == null) {
      return null;
    }
    flow.remove(claim);
    present = claim;
    begunNanos = nowNanos;
    meter(claim, nowNanos);
    return claim;
  }

  /** Returns the longest time, in nanoseconds, to serve the session that {@link #next} returned. */
  public long sliceNanos() {
    return granted;
  }

  private void beginAlone(Flow<T> flow) {
    list.arrive(flow);
    repay(flow);
    unvisited = 0;
    isVisiting = false;
    isLent = false;
    granted = slicing.most();
  }

  /** Takes what was lent for a visit off the balance again. */
  private static void repay(Flow<?> flow) {
    flow.balance -= flow.lent;
    flow.lent = 0;
  }

  /** The flow to serve, which has work. */
  private @Nullable Flow<T> visit(long nowNanos) {
    while (true) {
      Flow<T> flow = list.first();
      if (flow == null) {
        return null;
      }
      if (flow.first() == null) {
        dropFirst(nowNanos);
      } else if (list.size() == 1) {
        isAlone = true;
        beginAlone(flow);
        return flow;
      } else {
        if (!isVisiting) {
          isLent = flow.isAhead;
          if (isLent) {
            list.arrive(flow);
            flow.lent = slicing.visit(list.size());
            flow.balance += flow.lent;
          } else {
            if (unvisited == 0 && !beginRound(nowNanos)) {
              continue;
            }
            unvisited--;
            flow.balance += quantum * flow.weight;
          }
          isVisiting = true;
        }
        if (flow.balance > 0) {
          granted = Math.clamp(flow.balance, slicing.least(), slicing.most());
          return flow;
        }
        rotate();
      }
    }
  }

  /**
   * Begins to visit all flows that have work.
   *
   * @return false if not all flows had work: those that had not are off the list
   */
  private boolean beginRound(long nowNanos) {
    int before = list.size();
    int greatest = 1;
    for (int i = 0; i < before; i++) {
      Flow<T> flow = list.first();
      if (flow == null) {
        break;
      }
      if (flow.first() == null) {
        dropFirst(nowNanos);
      } else {
        flow.weight = Math.clamp(weights.applyAsInt(flow.tenant), 1, MOST_WEIGHT);
        greatest = Math.max(greatest, flow.weight);
        rotate();
      }
    }
    if (list.size() < before) {
      return false;
    }
    quantum = Math.max(1, slicing.visit(list.size()) / greatest);
    grantedSoFar += quantum;
    unvisited = list.size();
    skipRounds();
    return true;
  }

  /** Does at once what the rounds would do in which nobody could be served. */
  private void skipRounds() {
    long rounds = Long.MAX_VALUE;
    for (Flow<T> flow = list.first(); flow != null; flow = flow.next) {
      rounds = Math.min(rounds, Math.max(0, -flow.balance) / (quantum * flow.weight));
    }
    if (rounds > 0) {
      grantedSoFar += rounds * quantum;
      for (Flow<T> flow = list.first(); flow != null; flow = flow.next) {
        flow.balance += rounds * quantum * flow.weight;
      }
    }
  }

  /** Ends the visit to the first flow; it is the last one now. */
  private void rotate() {
    isVisiting = false;
    Flow<T> flow = list.first();
    if (flow != null) {
      repay(flow);
    }
    list.rotate();
  }

  /** Takes the first flow, which has nothing to do, off the list. */
  private void dropFirst(long nowNanos) {
    Flow<T> flow = list.first();
    if (flow == null) {
      return;
    }
    if (!isVisiting && !flow.isAhead && unvisited > 0) {
      unvisited--;
    }
    isVisiting = false;
    unlist(flow, null, nowNanos);
  }

  /** Takes a flow off the list, behind the one before it, if there is one. */
  private void unlist(Flow<T> flow, @Nullable Flow<T> before, long nowNanos) {
    repay(flow);
    list.remove(flow, before);
    flow.balance = Math.min(flow.balance, 0);
    flow.idleSince = nowNanos;
    flow.grantedThen = grantedSoFar;
  }

  /**
   * Ends the slice that {@link #next} began.
   *
   * @param stalledNanos for how long of it the thread did not run, as far as that is known: nobody
   *     is charged for that
   * @param hasMore whether the session has something to do still; void if it has left
   */
  public void done(long nowNanos, long stalledNanos, boolean hasMore) {
    done(nowNanos, stalledNanos, hasMore, 0);
  }

  /**
   * Ends the slice that {@link #next} began.
   *
   * @param stalledNanos for how long of it the thread did not run, as far as that is known: nobody
   *     is charged for that
   * @param hasMore whether the session has something to do still; void if it has left
   * @param usualNanos how long what was done in the slice usually takes; 0 if that is not known
   */
  public void done(long nowNanos, long stalledNanos, boolean hasMore, long usualNanos) {
    Claim<T> claim = present;
    if (claim == null) {
      throw new IllegalStateException("no slice has begun");
    }
    present = null;
    long cost = Math.max(0, nowNanos - begunNanos - stalledNanos);
    Flow<T> flow = claim.flow;
    flow.served += cost;
    if (isAlone) {
      flow.balance = Math.min(0, granted - cost);
      grantedSoFar += cost / flow.weight;
    } else {
      flow.balance -= flow.charge(cost, usualNanos);
    }
    log.add(flow.tenant, cost);
    flow.meter.served(flow.served);
    if (hasMore && !claim.hasLeft) {
      enqueue(claim, nowNanos);
    } else if (flow.first() == null) {
      dropFirst(nowNanos);
    }
    if (isAlone && list.hasAhead() && flow.isListed) {
      rotate(); // whoever has come meanwhile is next
    }
  }

  // ---- several at once

  /**
   * Begins a slice beside those that go on, of the session whose turn it is; {@link #end} is due
   * when it is over.
   *
   * @return null if none has anything to do
   */
  public @Nullable Claim<T> begin(long nowNanos) {
    account(nowNanos);
    Claim<T> claim = next(nowNanos);
    if (claim == null) {
      return null;
    }
    present = null;
    goOn(claim, isAlone ? 0 : atOnce.expected(claim.flow), nowNanos);
    if (claim.flow.first() == null) {
      dropFirst(nowNanos);
    }
    return claim;
  }

  /**
   * Begins a slice of a tenant that has no slice going on: of the first session that would come to
   * its turn. The tenant may be in debt.
   *
   * @return null if there is none
   */
  public @Nullable Claim<T> beginIdle(long nowNanos) {
    account(nowNanos);
    Flow<T> before = null;
    int place = 0; // among those that have their turns in this round, or the next
    for (Flow<T> flow = list.first(); flow != null; flow = flow.next) {
      Claim<T> claim = flow.first();
      boolean isVisited = isVisiting && flow == list.first();
      if (flow.going == 0 && claim != null) {
        flow.remove(claim);
        meter(claim, nowNanos);
        goOn(claim, flow.balance < 0 ? Claim.FREE : atOnce.expected(flow), nowNanos);
        if (flow.first() == null) {
          if (isVisited) {
            isVisiting = false;
          } else if (!flow.isAhead && place < unvisited) {
            unvisited--;
          }
          unlist(flow, before, nowNanos);
        }
        return claim;
      }
      if (!isVisited && !flow.isAhead) {
        place++;
      }
      before = flow;
    }
    return null;
  }

  /**
   * A slice goes on.
   *
   * @param advance what is charged for it now, or {@link Claim#FREE}
   */
  private void goOn(Claim<T> claim, long advance, long nowNanos) {
    if (advance != Claim.FREE) {
      claim.flow.balance -= advance;
    }
    atOnce.add(claim, advance, nowNanos);
  }

  /** Ends a slice that {@link #begin} or {@link #beginIdle} began. The session is not ready. */
  public void end(Claim<T> claim, long nowNanos) {
    if (!claim.isGoing()) {
      throw new IllegalStateException("the slice does not go on");
    }
    account(nowNanos);
    Flow<T> flow = claim.flow;
    flow.balance += atOnce.remove(claim, nowNanos);
    if (!flow.isListed) {
      flow.balance = Math.min(flow.balance, 0);
    }
  }

  /** Accounts for what was served at once until now, and charges it. */
  private void account(long nowNanos) {
    atOnce.account(nowNanos);
    for (int i = 0; i < atOnce.count(); i++) {
      Claim<T> claim = atOnce.get(i);
      Flow<T> flow = claim.flow;
      if (!flow.isListed) {
        flow.idleSince = nowNanos;
      }
      long due = atOnce.due(claim, nowNanos);
      if (list.size() > (flow.isListed ? 1 : 0)) {
        flow.balance -= due;
      } else {
        grantedSoFar += due / flow.weight;
      }
    }
  }

  // ---- who has been served

  /**
   * Returns whether the last slice ended the turns of newcomers, tenants that had just come and
   * owed nothing. From now on other tenants have their turns and may keep the thread for long.
   */
  public boolean hasServedNewcomers() {
    Flow<T> flow = list.first();
    boolean goesOn = isVisiting && flow != null && flow.first() != null && flow.balance > 0;
    return isLent && !list.hasAhead() && !goesOn;
  }

  /** Returns whether any session has something to do. */
  public boolean hasReady() {
    for (Flow<T> flow = list.first(); flow != null; flow = flow.next) {
      if (flow.first() != null) {
        return true;
      }
    }
    return false;
  }

  // ---- who made it wait

  private void meter(Claim<T> claim, long nowNanos) {
    Flow<T> flow = claim.flow;
    long waited = nowNanos - claim.readyNanos;
    if (waited <= 0) {
      return;
    }
    long behindOthers = log.total() - claim.servedThen - (flow.served - claim.ownServedThen);
    WaitMeter meter = flow.meter;
    meter.begin();
    meter.waited(waited, behindOthers, nowNanos);
    if (behindOthers > 0) {
      log.blame(claim, behindOthers, meter.aggressors());
    }
    meter.end();
  }
}
