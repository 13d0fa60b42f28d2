package io.keyvalueserve.gates.reclaim;

/**
 * The activity of a tenant on a member, from counters that are looked at from time to time.
 *
 * <p>The rates are exponential moving averages: what was asked for {@value #AVERAGE_MILLIS} ms ago
 * counts for 1/e of what is asked for now.
 *
 * <p>A tenant is as active as it asks. But it makes others less active only as far as it uses again
 * what it holds: by {@value #USES_FOR_A_REUSE} uses at most for each record that it comes back to,
 * which counts once a second. Else who floods the memory with what nobody asks for, or asks for one
 * key all the time, would take the memory of those who use theirs.
 *
 * <p>For one thread.
 */
public final class TenantActivity {
  private static final int AVERAGE_MILLIS = 30_000;
  private static final int USES_FOR_A_REUSE = 20;

  private long uses;
  private long reuses;
  private long lookedMillis;
  private long lastActiveMillis;
  private double usesPerSecond;
  private double reusesPerSecond;

  /**
   * A tenant that was active just now.
   *
   * @param uses what its counter of reads and writes says
   * @param reuses what its counter says of records that were used again, once a second each
   */
  public TenantActivity(long uses, long reuses, long nowMillis) {
    this.uses = uses;
    this.reuses = reuses;
    this.lookedMillis = nowMillis;
    this.lastActiveMillis = nowMillis;
  }

  /**
   * Takes notice of what its counters say now. Between two looks it counts as active at the later.
   *
   * @param usesNow no less than before; if it is less, the counter began anew from 0
   * @param reusesNow the same
   * @param nowMillis if it is no later than before, nothing is noted yet
   */
  public void look(long usesNow, long reusesNow, long nowMillis) {
    long millis = nowMillis - lookedMillis;
    if (millis <= 0) {
      return;
    }
    double weight = -Math.expm1(-(double) millis / AVERAGE_MILLIS);
    long used = came(usesNow, uses);
    usesPerSecond += weight * (used * 1000.0 / millis - usesPerSecond);
    reusesPerSecond += weight * (came(reusesNow, reuses) * 1000.0 / millis - reusesPerSecond);
    if (used > 0) {
      lastActiveMillis = nowMillis;
    }
    uses = usesNow;
    reuses = reusesNow;
    lookedMillis = nowMillis;
  }

  private static long came(long now, long before) {
    return now >= before ? now - before : now;
  }

  /** Returns the time when it last asked for something, as far as the looks tell. */
  public long lastActiveMillis() {
    return lastActiveMillis;
  }

  /** Returns the recent rate of its reads and writes. */
  public double usesPerSecond() {
    return usesPerSecond;
  }

  /**
   * Returns the activity with which it counts in comparison with others: 0 to {@link
   * #usesPerSecond}.
   */
  public double countedPerSecond() {
    return Math.min(usesPerSecond, USES_FOR_A_REUSE * reusesPerSecond);
  }
}
