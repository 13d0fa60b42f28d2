package io.keyvalueserve.gates.admission;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Limits what one tenant takes of one resource on one member: a rate, and a burst that may be saved
 * up.
 *
 * <p><b>How.</b> The generic cell rate algorithm in its form of virtual scheduling (ITU-T I.371,
 * annex A), with one change: the axis counts tokens and not time. A line says how many tokens have
 * been supplied until now; {@code used} says up to where on that line tokens have been taken. What
 * may be taken is the distance, and never more than the burst. Each admission moves {@code used} by
 * exactly its amount, so nothing is rounded, however fast or slow the rate. A change of the rate
 * bends the line and leaves {@code used} where it is: debt stays, in tokens, and nothing is given.
 * {@code used} never goes back.
 *
 * <p>An amount that is greater than the burst is admitted when the bucket is full, and leaves debt
 * that has to be supplied before anything else is admitted. Else it could never be.
 *
 * <p>Sums wrap around as {@link System#nanoTime} does; only differences are compared. A line is
 * drawn anew after an hour, so that differences stay below 2^62.
 *
 * <p>Thread-safe and lock-free; taking allocates nothing, but a new line each hour. Times are of
 * {@code System.nanoTime}, or of any clock that runs like it. A time that is older than one seen
 * before admits what would have been admitted then.
 */
public final class TokenBucket {
  /** The most an amount may be: 2^40 tokens. */
  public static final long MOST_AMOUNT = 1L << 40;

  /** Debt grows to this and no further: 2^60 tokens, 13 days at the highest rate. */
  private static final long MOST_DEBT = 1L << 60;

  /** The most that a line supplies before it is drawn anew: 26 days at the highest rate. */
  private static final double MOST_SUPPLIED = 0x1p61;

  private static final long REDRAW_NANOS = 3_600_000_000_000L;

  private static final double NEVER_NANOS = 0x1p62;

  /** More than what three roundings of a double take away. */
  private static final double ROUNDING = 1 + 0x1p-50;

  private static final VarHandle USED;
  private static final VarHandle LINE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      USED = lookup.findVarHandle(TokenBucket.class, "used", long.class);
      LINE = lookup.findVarHandle(TokenBucket.class, "line", Line.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("FieldMayBeFinal") // changed through USED
  private volatile long used;

  private volatile Line line = Line.UNLIMITED;

  /** Makes a bucket that limits nothing. */
  public TokenBucket() {}

  /**
   * Makes a bucket that is full.
   *
   * @param perSecond tokens a second: 0 to 10^12
   * @param burst tokens: 0 to 60 s of the rate
   */
  public TokenBucket(double perSecond, long burst, long nowNanos) {
    line = new Line(perSecond, burst, nowNanos, burst, 0);
  }

  /** A point in time with the tokens supplied until then, and the rate from then on. Immutable. */
  private static final class Line {
    static final Line UNLIMITED = new Line(Double.POSITIVE_INFINITY, 0, 0, 0, 0);

    final double perSecond;
    final double perNano;
    final long burst;

    /** The time when the line begins. */
    final long sinceNanos;

    /** Tokens supplied until then, whole ones. */
    final long supplied;

    /** The supplied fraction of the next token: 0 to 1. */
    final double fraction;

    Line(double perSecond, long burst, long sinceNanos, long supplied, double fraction) {
      this.perSecond = perSecond;
      this.perNano = perSecond / 1e9;
      this.burst = burst;
      this.sinceNanos = sinceNanos;
      this.supplied = supplied;
      this.fraction = fraction;
    }

    long ageNanos(long nowNanos) {
      return Math.max(0, nowNanos - sinceNanos);
    }

    /** Tokens supplied since the line begins, with fractions. */
    double gained(long nowNanos) {
      return Math.min(MOST_SUPPLIED, fraction + ageNanos(nowNanos) * perNano);
    }

    long suppliedAt(long nowNanos) {
      return supplied + (long) gained(nowNanos);
    }

    Line bent(double nextPerSecond, long nextBurst, long nowNanos) {
      double gained = gained(nowNanos);
      long since = sinceNanos + ageNanos(nowNanos);
      return new Line(
          nextPerSecond, nextBurst, since, supplied + (long) gained, gained - Math.floor(gained));
    }

    /** Nanoseconds from now until so many tokens more are supplied. */
    long nanosUntil(long more, long nowNanos) {
      double target = Math.floor(gained(nowNanos)) + more;
      double age = (target - fraction) / perNano * ROUNDING;
      return age >= NEVER_NANOS ? Long.MAX_VALUE : Math.max(0, (long) age - ageNanos(nowNanos)) + 1;
    }
  }

  /**
   * Takes tokens if they are there.
   *
   * @param amount tokens: 0 to {@link #MOST_AMOUNT}
   * @return 0 if they were taken; else nothing was, and as many may be taken in so many nanoseconds
   *     if nobody else takes any: 1 or more, {@link Long#MAX_VALUE} for never at this rate
   */
  public long take(long amount, long nowNanos) {
    Line now = line;
    if (now == Line.UNLIMITED) {
      return 0;
    }
    if (now.ageNanos(nowNanos) > REDRAW_NANOS) {
      now = redraw(now, nowNanos);
    }
    long supplied = now.suppliedAt(nowNanos);
    long needed = Math.min(amount, now.burst);
    while (true) {
      long before = used;
      long from = Math.max(before - supplied, -now.burst);
      if (from + needed > 0) {
        return now.nanosUntil(from + needed, nowNanos);
      }
      if (USED.compareAndSet(this, before, supplied + from + amount)) {
        return 0;
      }
    }
  }

  /**
   * Takes tokens whether they are there or not, for what is known only when it is done. What was
   * not there is debt, and later takes are refused until it is supplied.
   *
   * @param amount tokens: 0 to {@link #MOST_AMOUNT}
   */
  public void charge(long amount, long nowNanos) {
    Line now = line;
    if (now == Line.UNLIMITED) {
      return;
    }
    if (now.ageNanos(nowNanos) > REDRAW_NANOS) {
      now = redraw(now, nowNanos);
    }
    long supplied = now.suppliedAt(nowNanos);
    while (true) {
      long before = used;
      long debt = Math.max(before - supplied, -now.burst) + amount;
      long after = supplied + Math.min(debt, Math.max(MOST_DEBT, before - supplied));
      if (USED.compareAndSet(this, before, after)) {
        return;
      }
    }
  }

  /**
   * Changes rate and burst from now on. What has been saved stays as far as the new burst goes,
   * debt stays, and nothing is given: a greater burst has to be supplied first. A bucket that
   * limited nothing begins empty.
   *
   * <p>One thread at a time may do this, while others take.
   *
   * @param perSecond tokens a second: 0 to 10^12
   * @param burst tokens: 0 to 60 s of the rate
   */
  public void setRate(double perSecond, long burst, long nowNanos) {
    Line before = line;
    while (before.perSecond != perSecond || before.burst != burst) {
      Line after;
      if (before == Line.UNLIMITED) {
        after = new Line(perSecond, burst, nowNanos, used, 0);
      } else {
        forfeit(before, nowNanos);
        after = before.bent(perSecond, burst, nowNanos);
      }
      if (LINE.compareAndSet(this, before, after)) {
        return;
      }
      before = line;
    }
  }

  /** Limits nothing from now on; debt is forgiven. */
  public void setUnlimited() {
    line = Line.UNLIMITED;
  }

  /** Returns whether this bucket limits anything. */
  public boolean isLimited() {
    return line != Line.UNLIMITED;
  }

  /** Tokens that may be taken at once; negative if there is debt. */
  public long available(long nowNanos) {
    Line now = line;
    return now == Line.UNLIMITED
        ? Long.MAX_VALUE
        : Math.min(now.burst, now.suppliedAt(nowNanos) - used);
  }

  private Line redraw(Line before, long nowNanos) {
    forfeit(before, nowNanos);
    Line after = before.bent(before.perSecond, before.burst, nowNanos);
    return LINE.compareAndSet(this, before, after) ? after : before;
  }

  /** Gives up what is more than the burst, before another line could make it count. */
  private void forfeit(Line now, long nowNanos) {
    long least = now.suppliedAt(nowNanos) - now.burst;
    for (long before = used; before - least < 0; before = used) {
      if (USED.compareAndSet(this, before, least)) {
        return;
      }
    }
  }
}
