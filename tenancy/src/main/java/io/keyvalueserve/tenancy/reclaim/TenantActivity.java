package io.keyvalueserve.tenancy.reclaim;

/**
 * How active a tenant is on a member, from a counter of its requests that is looked at from time to
 * time: so it costs requests nothing.
 *
 * <p>The rate is an exponential moving average: what was asked for {@value #AVERAGE_MILLIS} ms ago
 * counts for 1/e of what is asked for now.
 *
 * <p>For one thread.
 */
public final class TenantActivity {
  private static final int AVERAGE_MILLIS = 30_000;

  private long requests;
  private long lookedMillis;
  private long lastActiveMillis;
  private double requestsPerSecond;

  /**
   * A tenant that was active just now.
   *
   * @param requests what its counter says
   */
  public TenantActivity(long requests, long nowMillis) {
    this.requests = requests;
    this.lookedMillis = nowMillis;
    this.lastActiveMillis = nowMillis;
  }

  /**
   * Takes notice of what its counter says now. Between two looks it counts as active at the later.
   *
   * @param requestsNow no less than before; if it is less, the counter began anew from 0
   * @param nowMillis if it is no later than before, nothing is noted yet
   */
  public void look(long requestsNow, long nowMillis) {
    long millis = nowMillis - lookedMillis;
    if (millis <= 0) {
      return;
    }
    long came = requestsNow >= requests ? requestsNow - requests : requestsNow;
    double weight = -Math.expm1(-(double) millis / AVERAGE_MILLIS);
    requestsPerSecond += weight * (came * 1000.0 / millis - requestsPerSecond);
    if (came > 0) {
      lastActiveMillis = nowMillis;
    }
    requests = requestsNow;
    lookedMillis = nowMillis;
  }

  /** When it last asked for something, as far as the looks tell. */
  public long lastActiveMillis() {
    return lastActiveMillis;
  }

  /** What it asks for, of late. */
  public double requestsPerSecond() {
    return requestsPerSecond;
  }
}
