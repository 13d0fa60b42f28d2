package io.keyvalueserve.gates.admission;

/**
 * The limit on a tenant's use of one resource, on all members together.
 *
 * @param perSecond tokens a second: 1 to 10^12, or {@link Long#MAX_VALUE} for no limit at all
 * @param burst tokens that may be saved up for later: 0 to what comes in 60 s
 */
public record RateLimit(long perSecond, long burst) {
  /** No limit. */
  public static final RateLimit UNLIMITED = new RateLimit(Long.MAX_VALUE, 0);

  private static final long MOST_PER_SECOND = 1_000_000_000_000L;
  private static final int MOST_BURST_SECONDS = 60;

  /**
   * @throws IllegalArgumentException if a number is out of its range
   */
  public RateLimit {
    if (perSecond < 1 || (perSecond > MOST_PER_SECOND && perSecond != Long.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "a rate is 1 to " + MOST_PER_SECOND + " tokens a second: " + perSecond);
    }
    if (burst < 0
        || (perSecond == Long.MAX_VALUE ? burst > 0 : burst > perSecond * MOST_BURST_SECONDS)) {
      throw new IllegalArgumentException(
          "a burst is 0 to " + MOST_BURST_SECONDS + " s of the rate: " + burst);
    }
  }

  /** Returns whether this limits anything. */
  public boolean isLimited() {
    return perSecond != Long.MAX_VALUE;
  }
}
