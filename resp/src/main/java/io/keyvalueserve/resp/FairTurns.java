package io.keyvalueserve.resp;

import io.keyvalueserve.gates.fairness.Claim;
import io.keyvalueserve.gates.fairness.DeficitRoundRobin;
import io.keyvalueserve.gates.fairness.Slice;
import io.keyvalueserve.gates.fairness.Slicing;
import io.keyvalueserve.gates.fairness.Stalls;
import io.keyvalueserve.resp.command.CommandTable;
import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turns of sessions on an event loop when several tenants are on it. They are served by weight
 * and cost, in slices. Between rounds of slices the loop looks after its connections.
 *
 * <p>While the sessions of a loop are all of one tenant this does nothing: each is served as soon
 * as something has come for it. On the event loop only.
 */
final class FairTurns implements Runnable {
  /** The number in place of a tenant's for all sessions that have none. They share one turn. */
  static final int NO_TENANT = -1;

  private static final Logger LOG = LoggerFactory.getLogger(FairTurns.class);

  private final EventLoop loop;
  private final DeficitRoundRobin<RespSession> scheduler;
  private final Slicing slicing;
  private final Slice slice;
  private final Stalls stalls = new Stalls();
  private final Upkeep upkeep = new Upkeep();
  private final NextIteration iteration;

  /** True while the task that runs a round is scheduled. */
  private boolean isScheduled;

  private boolean isUnderWay;
  private boolean endedEarly;

  /** True while sessions wait for their turns. */
  private boolean isWaitedFor;

  /** The time when the last round ended or, if nobody waited then, when somebody began to. */
  private long waitingSince;

  /**
   * @param commands what sessions may ask for
   * @param slicing of the scheduler; serving sessions in one round, and looking after connections
   *     then, may take as long as its longest slice
   */
  FairTurns(
      EventLoop loop,
      CommandTable commands,
      DeficitRoundRobin<RespSession> scheduler,
      Slicing slicing) {
    this.loop = loop;
    this.scheduler = scheduler;
    this.slicing = slicing;
    this.slice = new Slice(System::nanoTime, WorkSorts.count(commands));
    this.iteration = new NextIteration(loop, this);
  }

  /** Returns the slice of the session that is served now. */
  Slice slice() {
    return slice;
  }

  /** Returns whether sessions of several tenants are on this loop. */
  boolean isContended() {
    return scheduler.isContended();
  }

  /** A session begins to speak for a tenant. */
  Claim<RespSession> enter(int tenant, RespSession session) {
    return scheduler.enter(tenant, session);
  }

  /** A session without a tenant has sent something. */
  Claim<RespSession> enterWithoutTenant(RespSession session) {
    return scheduler.enter(NO_TENANT, session);
  }

  /** Ends a session's claim: it speaks for that tenant no more, or does not lack one any more. */
  void leave(Claim<RespSession> claim) {
    scheduler.leave(claim);
  }

  /** Forgets a tenant that was deleted. Any thread. */
  void forget(int tenant) {
    try {
      loop.execute(() -> scheduler.forget(tenant));
    } catch (RejectedExecutionException e) {
      LOG.debug("the event loop is gone, and with it what tenant {} has waited", tenant);
    }
  }

  /** A session has something to do: it is served when the loop has seen who else has. */
  void ready(Claim<RespSession> claim) {
    if (!claim.isReady()) {
      long now = System.nanoTime();
      if (!isWaitedFor) {
        isWaitedFor = true;
        waitingSince = now;
      }
      scheduler.ready(claim, now);
      if (!isScheduled && !isUnderWay) {
        isScheduled = true;
        iteration.execute();
      }
    }
  }

  /**
   * The loop has done something that has no turn: opened or closed a connection, or answered one
   * that speaks for nobody yet. It may have much more of that to do: io_uring's handler looks for
   * more as long as what it does makes it read or send more. If sessions have waited for a round's
   * length, they are served now. Not while it reads for those that have turns: who has few
   * connections would have had their turn before all of the others' were read, and be served more.
   */
  void passing() {
    if (isWaitedFor && !isUnderWay && System.nanoTime() - waitingSince > slicing.most()) {
      upkeep.interrupted();
      serveRound(); // the task that is to come finds what is left, or nothing
      upkeep.interrupted();
      goOn();
    }
  }

  /** The loop has gone through what it had found to do. */
  @Override
  public void run() {
    isScheduled = false;
    if (!isUnderWay) {
      serveRound();
      goOn();
    }
  }

  private void goOn() {
    if (isWaitedFor && !isScheduled) {
      isScheduled = true;
      iteration.executeAfterConnections();
    }
  }

  /**
   * One round. It ends when its time is over, what the loop will have to do for those that were
   * served included; no slice but the least goes on beyond that. It ends also when newcomers have
   * been served, so that their replies leave before others have their turn; but not twice in a row,
   * or who is no newcomer might never have it: then others have half a round.
   */
  private void serveRound() {
    isUnderWay = true;
    long begin = System.nanoTime();
    stalls.begin(begin);
    upkeep.begin(begin);
    waitingSince = serveSlices(begin);
    isUnderWay = false;
    isWaitedFor = scheduler.hasReady();
    upkeep.end(waitingSince, isWaitedFor);
  }

  /** Returns when the last one ended. */
  private long serveSlices(long begin) {
    long now = begin;
    boolean ends = false;
    long most = endedEarly ? Math.max(slicing.least(), slicing.most() / 2) : slicing.most();
    for (long left = most;
        left > 0 && !ends;
        left = most - (now - begin) - upkeep.expectedNanos()) {
      Claim<RespSession> claim = scheduler.next(now);
      if (claim == null) {
        break;
      }
      now = serve(claim, now, Math.max(left, slicing.least()));
      upkeep.served();
      ends = !endedEarly && scheduler.hasServedNewcomers();
    }
    endedEarly = ends;
    return now;
  }

  private long serve(Claim<RespSession> claim, long begin, long most) {
    RespSession session = claim.work();
    long granted = Math.min(scheduler.sliceNanos(), most);
    slice.begin(begin + granted);
    boolean hasMore = session.serveSlice();
    slice.end();
    long end = System.nanoTime();
    long stalled = stalls.within(end - begin, granted, end);
    scheduler.done(end, stalled, hasMore, slice.usualNanos());
    slice.took(end - begin - stalled);
    if (hasMore) {
      session.goOnUnless(claim);
    }
    return end;
  }
}
