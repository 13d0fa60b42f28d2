package io.keyvalueserve.tenancy.fairness;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Shares the time of one thread among tenants by weight, whatever the number of their sessions and
 * the cost of their requests.
 *
 * <p><b>How.</b> Deficit round robin (Shreedhar and Varghese, "Efficient Fair Queuing Using Deficit
 * Round-Robin", IEEE/ACM Transactions on Networking 4(3), 1996, section III) with nanoseconds for
 * bytes. What a slice costs is known only when it is done, so it is paid afterwards: a tenant is
 * served while its balance is positive, and what it used too much is owed (Adiseshu, Parulkar and
 * Varghese, "A Reliable and Scalable Striping Protocol", SIGCOMM 1996, section 3, call that surplus
 * round robin). The quantum of a round is the same for all, times the weight; it is chosen at the
 * beginning of each round, so that many tenants, or great weights, make rounds no longer than they
 * must. Who comes in a round is visited from the next one on.
 *
 * <p><b>What holds.</b> While two tenants both have work, the times they were served, each divided
 * by the weight, differ by at most 2 Q + C / w1 + C / w2, where Q is the greatest quantum of weight
 * 1, at most {@link Slicing#most}, and C what the dearest slice cost. Within a tenant, sessions are
 * served in turn.
 *
 * <p>A tenant with nothing to do keeps no credit; what it owes it keeps for {@link
 * Slicing#debtLasts}. While a tenant is alone it owes only what a slice took longer than granted.
 *
 * <p>Every method takes a constant time, amortised over what is served, but for a search among
 * tenants by {@link #enter}. Allocates when a session enters only. Confined to one thread; times
 * are of {@link System#nanoTime} or any clock that runs like it, and never go back.
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

  /** How many tenants have sessions. */
  private int tenants;

  // Flows that have work, or had; the first one is visited.
  private @Nullable Flow<T> first;
  private @Nullable Flow<T> last;
  private int listed;

  // The round that goes on.
  private int unvisited;
  private boolean isVisiting;
  private long quantum;

  // The slice that goes on.
  private @Nullable Claim<T> present;
  private boolean isAlone;
  private long granted;
  private long begunNanos;

  /**
   * One for the thread that will use it.
   *
   * @param weights the weight of a tenant by its number, asked anew in each round; values beyond 1
   *     to {@link #MOST_WEIGHT} are taken for the nearest one
   * @param meters takes the meters of this thread
   */
  public DeficitRoundRobin(Slicing slicing, IntUnaryOperator weights, WaitMeters meters) {
    this.slicing = slicing;
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

  /** Whether sessions of more than one tenant are here: if not, nobody needs to be scheduled. */
  public boolean isContended() {
    return tenants > 1;
  }

  // ---- who is next

  /**
   * Says that a session has something to do. Nothing changes for one that has said so, has left or
   * is served right now.
   */
  public void ready(Claim<T> claim, long nowNanos) {
    if (!claim.isReady && !claim.hasLeft && present != claim) {
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
    if (nowNanos - flow.idleSince >= slicing.debtLasts()) {
      flow.balance = 0;
    }
    flow.isListed = true;
    Flow<T> before = last;
    if (before == null) {
      first = flow;
    } else {
      before.next = flow;
    }
    last = flow;
    listed++;
  }

  /**
   * The session to serve now, for {@link #sliceNanos}; {@link #done} is due before this is called
   * again.
   *
   * @return null if none has anything to do
   */
  public @Nullable Claim<T> next(long nowNanos) {
    Flow<T> flow = first;
    Claim<T> claim = flow == null ? null : flow.first();
    if (flow == null) {
      return null;
    }
    isAlone = claim != null && listed == 1;
    if (isAlone) {
      unvisited = 0;
      isVisiting = false;
      granted = slicing.alone();
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

  /** For how long the session is to be served that {@link #next} returned. */
  public long sliceNanos() {
    return granted;
  }

  /** The flow to serve, which has work. */
  private @Nullable Flow<T> visit(long nowNanos) {
    while (true) {
      Flow<T> flow = first;
      if (flow == null) {
        return null;
      }
      if (flow.first() == null) {
        dropFirst(nowNanos);
      } else if (listed == 1) {
        isAlone = true;
        unvisited = 0;
        isVisiting = false;
        granted = slicing.alone();
        return flow;
      } else {
        if (!isVisiting) {
          if (unvisited == 0 && !beginRound(nowNanos)) {
            continue;
          }
          unvisited--;
          isVisiting = true;
          flow.balance += quantum * flow.weight;
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
    int before = listed;
    int greatest = 1;
    for (int i = 0; i < before; i++) {
      Flow<T> flow = first;
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
    if (listed < before) {
      return false;
    }
    quantum = Math.max(1, slicing.visit(listed) / greatest);
    unvisited = listed;
    skipRounds();
    return true;
  }

  /** Does at once what the rounds would do in which nobody could be served. */
  private void skipRounds() {
    long rounds = Long.MAX_VALUE;
    for (Flow<T> flow = first; flow != null; flow = flow.next) {
      rounds = Math.min(rounds, Math.max(0, -flow.balance) / (quantum * flow.weight));
    }
    if (rounds > 0) {
      for (Flow<T> flow = first; flow != null; flow = flow.next) {
        flow.balance += rounds * quantum * flow.weight;
      }
    }
  }

  /** Ends the visit to the first flow; it is the last one now. */
  private void rotate() {
    isVisiting = false;
    Flow<T> flow = first;
    Flow<T> end = last;
    if (flow != null && end != null && flow.next != null) {
      first = flow.next;
      flow.next = null;
      end.next = flow;
      last = flow;
    }
  }

  /** Takes the first flow, which has nothing to do, off the list. */
  private void dropFirst(long nowNanos) {
    Flow<T> flow = first;
    if (flow == null) {
      return;
    }
    if (!isVisiting && unvisited > 0) {
      unvisited--;
    }
    isVisiting = false;
    first = flow.next;
    if (first == null) {
      last = null;
    }
    flow.next = null;
    flow.isListed = false;
    listed--;
    flow.balance = Math.min(flow.balance, 0);
    flow.idleSince = nowNanos;
  }

  /**
   * Ends the slice that {@link #next} began.
   *
   * @param stalledNanos for how long of it the thread did not run, as far as that is known: nobody
   *     is charged for that
   * @param hasMore whether the session has something to do still; void if it has left
   */
  public void done(long nowNanos, long stalledNanos, boolean hasMore) {
    Claim<T> claim = present;
    if (claim == null) {
      throw new IllegalStateException("no slice has begun");
    }
    present = null;
    long cost = Math.max(0, nowNanos - begunNanos - stalledNanos);
    Flow<T> flow = claim.flow;
    flow.served += cost;
    flow.balance = isAlone ? Math.min(0, granted - cost) : flow.balance - cost;
    log.add(flow.tenant, cost);
    flow.meter.served(flow.served);
    if (hasMore && !claim.hasLeft) {
      enqueue(claim, nowNanos);
    } else if (flow.first() == null) {
      dropFirst(nowNanos);
    }
  }

  /** Whether a session has something to do. */
  public boolean hasReady() {
    for (Flow<T> flow = first; flow != null; flow = flow.next) {
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
