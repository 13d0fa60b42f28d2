package io.keyvalueserve.gates.fairness;

/**
 * The usual time of work, learnt from slices in which the work was done.
 *
 * <p><b>How.</b> Work is of a sort (a command, say), and has an amount. For each sort and order of
 * magnitude of the amount there is a time for a unit. The expected time of a slice is the sum over
 * the work that was done in it. By the difference to the time it took, the times of that work are
 * moved a little, each by its part of the expectation or more (a normalised least mean squares
 * step, Widrow and Hoff, "Adaptive switching circuits", IRE WESCON 1960, on logarithms). Work that
 * is done for the first time gets the time that the rest of its slice does not explain.
 *
 * <p>Slices of all tenants are learnt from alike, so what is usual is the mean over them. Allocates
 * nothing after it was made. Confined to one thread.
 */
public final class UsualCosts {
  /** Amounts are told apart by powers of two up to that of this. */
  private static final int MAGNITUDES = 20;

  /**
   * A slice in which more than so many kinds of work were done is not expected to take anything.
   */
  private static final int MOST_KINDS = 16;

  /** The part of a difference by which the usual time moves. */
  private static final double STEP = 1.0 / 64;

  /** The factor beyond which nothing is learnt of one slice. */
  private static final double MOST_FACTOR = 2;

  private final int sorts;

  /** Nanoseconds for a unit; 0 while not known. */
  private final double[] unitNanos;

  // What was done since the slice began.
  private final long[] amounts;
  private final int[] kinds = new int[MOST_KINDS];
  private int count;
  private boolean isMixed;

  /**
   * @param sorts how many sorts of work there are: 1 or more
   */
  public UsualCosts(int sorts) {
    this.sorts = sorts;
    this.unitNanos = new double[sorts * MAGNITUDES];
    this.amounts = new long[sorts * MAGNITUDES];
  }

  /** A slice begins. */
  public void begin() {
    for (int i = 0; i < count; i++) {
      amounts[kinds[i]] = 0;
    }
    count = 0;
    isMixed = false;
  }

  /**
   * Something was done.
   *
   * @param sort 0 to as many as there are, exclusive
   * @param amount how much; less than 1 counts as 1
   */
  public void did(int sort, long amount) {
    if (isMixed) {
      return;
    }
    if (sort < 0 || sort >= sorts) {
      throw new IllegalArgumentException("sort must be from 0 to " + (sorts - 1) + ": " + sort);
    }
    long positive = Math.max(1, amount);
    int magnitude = Math.min(Long.SIZE - 1 - Long.numberOfLeadingZeros(positive), MAGNITUDES - 1);
    int kind = sort * MAGNITUDES + magnitude;
    if (amounts[kind] == 0) {
      if (count == MOST_KINDS) {
        isMixed = true;
        return;
      }
      kinds[count++] = kind;
    }
    amounts[kind] += positive;
  }

  /** Returns the usual time of the work done since the slice began; 0 if that is not known. */
  public long usualNanos() {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      double unit = unitNanos[kinds[i]];
      if (unit == 0) {
        return 0;
      }
      sum += unit * amounts[kinds[i]];
    }
    return isMixed ? 0 : (long) sum;
  }

  /**
   * Learns how long the slice took.
   *
   * @param nanos without what the thread did not run
   */
  public void took(long nanos) {
    if (isMixed || nanos <= 0) {
      return;
    }
    double known = 0;
    long unknown = 0;
    for (int i = 0; i < count; i++) {
      double unit = unitNanos[kinds[i]];
      known += unit * amounts[kinds[i]];
      unknown += unit == 0 ? amounts[kinds[i]] : 0;
    }
    if (unknown > 0) {
      double rest = Math.max(nanos - known, (double) nanos / MOST_KINDS) / unknown;
      for (int i = 0; i < count; i++) {
        if (unitNanos[kinds[i]] == 0) {
          unitNanos[kinds[i]] = rest;
        }
      }
    } else if (known > 0) {
      double difference = Math.clamp(nanos / known, 1 / MOST_FACTOR, MOST_FACTOR) - 1;
      for (int i = 0; i < count; i++) {
        // Half by its part, half evenly: or what was guessed far too low would stay so for long.
        double part = (unitNanos[kinds[i]] * amounts[kinds[i]] / known + 1.0 / count) / 2;
        unitNanos[kinds[i]] *= 1 + STEP * part * difference;
      }
    }
  }
}
