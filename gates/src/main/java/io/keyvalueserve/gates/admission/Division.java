package io.keyvalueserve.gates.admission;

import static io.keyvalueserve.gates.admission.ShareAssignment.WHOLE;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.ToDoubleFunction;

/** One limit, and who has which share of it. Guarded by the coordinator. */
final class Division {
  /** A share stays where it is for a difference below this part of it: averages never rest. */
  private static final int STILL = 128;

  /** The part to which remembered demand falls from one report to the next: to a third in 3 s. */
  private static final double RECENT = 0.965;

  final Map<UUID, Holding> holdings = new HashMap<>();

  /** The limit: tokens a second. */
  long perSecond;

  /** One member's share, in parts of the whole. */
  static final class Holding {
    /** The share in force until the member obeys the last epoch. */
    int share;

    /** The share in force from then on. */
    int next;

    /** True if any epoch has named this share. */
    boolean told;

    /** The demand, in tokens a second. */
    double perSecond;

    /** The most that was asked for of late: falls slowly. */
    double recent;

    Holding(int share) {
      settle(share);
    }

    void settle(int now) {
      share = now;
      next = now;
    }

    /** Takes in what is asked for now. */
    void ask(double nowPerSecond) {
      perSecond = nowPerSecond;
      recent = Math.max(nowPerSecond, recent * RECENT);
    }

    /** Returns whether more than a thousandth of a limit was asked for recently. */
    boolean isRecent(long limitPerSecond) {
      return recent * 1000 > limitPerSecond;
    }

    int most() {
      return Math.max(share, next);
    }
  }

  /**
   * Takes shares from those that have too much, and gives what nobody has to those that have too
   * little: {@link Holding#next}, and the changes of their followers.
   *
   * @return whether there is nothing more to do until somebody reports something new
   */
  boolean move(RateKey key, Collection<Follower> followers) {
    int equal = WHOLE / followers.size();
    long whole = WHOLE;
    long free = WHOLE;
    List<Follower> sharing = new ArrayList<>(followers.size());
    for (Follower follower : followers) {
      Holding holding = holdings.get(follower.member);
      int most = holding == null ? equal : holding.most();
      free -= most;
      if (follower.state == Follower.State.SILENT || (follower.greeted && holding == null)) {
        whole -= most;
      } else if (follower.greeted) {
        sharing.add(follower);
      } else {
        return false;
      }
    }
    long[] shares =
        ShareDivision.divide(
            Math.max(0, whole),
            demands(sharing, holding -> holding.perSecond),
            demands(sharing, holding -> holding.recent));
    boolean done = true;
    for (int i = 0; i < shares.length; i++) {
      Follower follower = sharing.get(i);
      Holding holding = holding(follower);
      int missing = (int) shares[i] - holding.share;
      int still = free < 0 ? 0 : holding.share / STILL;
      if (Math.abs(missing) <= still) {
        continue;
      }
      if (!follower.obeys) {
        done = false;
        continue;
      }
      int more = (int) Math.min(missing, Math.max(0, free));
      if (more < 0 || more > still) {
        holding.next = holding.share + more;
        free -= Math.max(0, more);
        follower.changes.add(key);
      }
    }
    return done;
  }

  private long[] demands(List<Follower> sharing, ToDoubleFunction<Holding> which) {
    long[] demands = new long[sharing.size()];
    for (int i = 0; i < demands.length; i++) {
      double asked = which.applyAsDouble(holding(sharing.get(i)));
      demands[i] = (long) Math.min(WHOLE, asked / perSecond * WHOLE);
    }
    return demands;
  }

  private Holding holding(Follower follower) {
    Holding holding = holdings.get(follower.member);
    if (holding == null) {
      throw new IllegalStateException("a member shares what it does not hold: " + follower.member);
    }
    return holding;
  }
}
