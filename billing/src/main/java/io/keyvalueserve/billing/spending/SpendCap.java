package io.keyvalueserve.billing.spending;

import io.keyvalueserve.billing.pricing.BillingPeriod;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds what one member spends for a tenant to its cap: a token bucket of money that is filled anew
 * with each billing period.
 *
 * <p><b>How.</b> What may be spent by now is a line: the burst when the period begins, and the cap
 * when it ends. What is spent by all is what they were last heard to have spent, and what this
 * member has spent since, times the number of members: the others are taken to spend as fast as
 * this one. A request is admitted if with it the one does not pass the other.
 *
 * <p><b>How exact.</b> Where there is one member the cap is never passed by {@link #take}. Members
 * whose last requests were admitted by the same total do not pass it together either, as each keeps
 * to its part of what was left. Else they can, by no more than what was spent between the oldest
 * and the newest of the totals by which they were: the more often totals are told, the less that
 * is. Besides, {@link #charge} takes what was spent already.
 *
 * <p>Thread-safe and lock-free; {@link #take} and {@link #charge} allocate nothing, but a new
 * period once a month. Times are milliseconds since 1970. A time before the period counts as its
 * beginning: periods never go back.
 */
public final class SpendCap {
  /** The wait of a request that is never admitted in this period. */
  public static final long REFUSED = Long.MAX_VALUE;

  private static final VarHandle PERIOD;

  static {
    try {
      PERIOD = MethodHandles.lookup().findVarHandle(SpendCap.class, "period", Period.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final SpendLimit limit;
  private final long capNanos;
  private final long burstNanos;
  private volatile Period period;

  /**
   * Begins with nothing spent here.
   *
   * @param limit how much may be spent
   * @param start what is spent in the present period, by what the ledger says, and how much of that
   *     is this member's own: 0 for one that has just started
   * @param warnedPercent up to which percent warnings were given in this period: 0 for none
   */
  public SpendCap(SpendLimit limit, SpendTotal start, int warnedPercent) {
    this.limit = limit;
    capNanos = limit.capNanos();
    burstNanos = limit.nanos(limit.burstPercent());
    Period first = new Period(start, null);
    for (int i = 0; i < limit.warnPercents().size(); i++) {
      first.warned |= limit.warnPercents().get(i) <= warnedPercent ? 1 << i : 0;
    }
    period = first;
  }

  /** One billing period, and what is spent in it. */
  private static final class Period {
    private static final VarHandle SPENT;
    private static final VarHandle WARNED;

    static {
      try {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        SPENT = lookup.findVarHandle(Period.class, "spent", long.class);
        WARNED = lookup.findVarHandle(Period.class, "warned", int.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    final BillingPeriod which;
    final long startMillis;
    final long endMillis;

    /** The one before, until warnings were asked for. */
    volatile @Nullable Period before;

    volatile SpendTotal heard;

    /** The amount that this member has spent, in nano units. */
    volatile long spent;

    /** The bit of each warning that was given. */
    volatile int warned;

    Period(SpendTotal heard, @Nullable Period before) {
      which = heard.period();
      startMillis = which.start().toEpochMilli();
      endMillis = which.end().toEpochMilli();
      this.heard = heard;
      spent = heard.ownNanos();
      this.before = before;
    }

    /** Estimates what all members have spent, if the others spend as this member does. */
    long estimate(long own, SpendTotal last) {
      long since = Math.max(0, own - last.ownNanos());
      return NanoMoney.add(last.totalNanos(), NanoMoney.multiply(since, last.members()));
    }

    /** Returns the amount that all members are known to have spent. */
    long known() {
      SpendTotal last = heard;
      return NanoMoney.add(last.totalNanos(), Math.max(0, spent - last.ownNanos()));
    }
  }

  /**
   * Spends an amount if it may be spent.
   *
   * @param nanos nano units: 0 or more
   * @return 0 if it was spent; else nothing was, and it may be tried again in so many milliseconds,
   *     1 or more; {@link #REFUSED} for not in this period, or never if it is more than the cap
   */
  public long take(long nanos, long nowMillis) {
    Period now = periodAt(nowMillis);
    long may = suppliedAt(now, nowMillis);
    while (true) {
      long before = now.spent;
      long after = NanoMoney.add(before, nanos);
      long all = now.estimate(after, now.heard);
      if (all > may || after == Long.MAX_VALUE) {
        return waitMillis(now, nanos, all, nowMillis);
      }
      if (Period.SPENT.compareAndSet(now, before, after)) {
        return 0;
      }
    }
  }

  /**
   * Spends an amount whether it may be spent or not, for what is known only when it is done.
   *
   * @param nanos nano units: 0 or more
   */
  public void charge(long nanos, long nowMillis) {
    Period now = periodAt(nowMillis);
    while (true) {
      long before = now.spent;
      if (Period.SPENT.compareAndSet(now, before, NanoMoney.add(before, nanos))) {
        return;
      }
    }
  }

  /**
   * Returns the milliseconds until an amount could be taken, as {@link #take} says it. Nothing is
   * spent.
   *
   * @param nanos nano units: 0 or more
   * @return 0 for now
   */
  public long waitMillis(long nanos, long nowMillis) {
    Period now = periodAt(nowMillis);
    long after = NanoMoney.add(now.spent, nanos);
    long all = now.estimate(after, now.heard);
    return all > suppliedAt(now, nowMillis) ? waitMillis(now, nanos, all, nowMillis) : 0;
  }

  private long waitMillis(Period now, long nanos, long all, long nowMillis) {
    if (nanos > capNanos || limit.action() == SpendAction.REFUSE) {
      return REFUSED;
    }
    long until = all > capNanos ? now.endMillis : now.startMillis + millisUntil(now, all);
    return Math.max(1, until - Math.max(nowMillis, now.startMillis));
  }

  // ---- the line

  /**
   * Returns the amount that may be spent by now, rounded down. At the end of the period it is
   * exactly the cap.
   */
  private long suppliedAt(Period now, long nowMillis) {
    long length = now.endMillis - now.startMillis;
    return supplied(Math.clamp(nowMillis - now.startMillis, 0, length), length);
  }

  /** A month has less than 2^32 milliseconds, so that no product passes 2^63. */
  private long supplied(long elapsed, long length) {
    long rest = capNanos - burstNanos;
    return burstNanos + rest / length * elapsed + rest % length * elapsed / length;
  }

  /**
   * Returns the milliseconds of the period after which so much is supplied, which is the cap or
   * less.
   */
  private long millisUntil(Period now, long nanos) {
    long length = now.endMillis - now.startMillis;
    double part = (double) (nanos - burstNanos) / (capNanos - burstNanos);
    long elapsed = Math.clamp((long) (part * length) - 1, 0, length);
    while (elapsed < length && supplied(elapsed, length) < nanos) {
      elapsed++; // what a double was off by: a few steps at most
    }
    return elapsed;
  }

  // ---- periods

  private Period periodAt(long nowMillis) {
    Period now = period;
    return nowMillis < now.endMillis ? now : nextPeriod(now, nowMillis);
  }

  private Period nextPeriod(Period before, long nowMillis) {
    ZoneId zone = before.which.zone();
    BillingPeriod which = BillingPeriod.at(Instant.ofEpochMilli(nowMillis), zone);
    Period next = new Period(new SpendTotal(which, 0, 0, before.heard.members()), before);
    return PERIOD.compareAndSet(this, before, next) ? next : periodAt(nowMillis);
  }

  // ---- the other members

  /**
   * Returns the amount that this member has spent in the present period, for the member that adds
   * up.
   */
  public SpendReport report(long nowMillis) {
    Period now = periodAt(nowMillis);
    return new SpendReport(now.which, now.spent);
  }

  /**
   * Takes in what all have spent. A total of another period than the present one is not taken.
   *
   * @return whether it was taken
   */
  public boolean hear(SpendTotal total, long nowMillis) {
    Period now = periodAt(nowMillis);
    if (!now.which.equals(total.period())) {
      return false;
    }
    now.heard = total;
    return true;
  }

  /** The present period. */
  public BillingPeriod period(long nowMillis) {
    return periodAt(nowMillis).which;
  }

  /** Returns the limit on spending. */
  public SpendLimit limit() {
    return limit;
  }

  /**
   * Returns the amount that all members are known to have spent in the present period, in nano
   * units.
   */
  public long knownNanos(long nowMillis) {
    return periodAt(nowMillis).known();
  }

  // ---- warnings

  /**
   * The warnings that have come since it was asked last: each threshold once in a period. Ask every
   * few seconds, of one member, or each will warn.
   */
  public List<SpendWarning> warnings(long nowMillis) {
    List<SpendWarning> warnings = new ArrayList<>();
    addWarnings(periodAt(nowMillis), warnings);
    return warnings;
  }

  private void addWarnings(Period now, List<SpendWarning> warnings) {
    Period before = now.before;
    if (before != null) {
      addWarnings(before, warnings);
      now.before = null;
    }
    long known = now.known();
    for (int i = 0; i < limit.warnPercents().size(); i++) {
      int percent = limit.warnPercents().get(i);
      int bit = 1 << i;
      if (known >= limit.nanos(percent)
          && (now.warned & bit) == 0
          && ((int) Period.WARNED.getAndBitwiseOr(now, bit) & bit) == 0) {
        warnings.add(new SpendWarning(now.which, percent, NanoMoney.amount(known), limit.cap()));
      }
    }
  }
}
