package io.keyvalueserve.gates.admission;

import java.time.Duration;

/**
 * The times of the exchange of shares: the period of reports, and how long a share lasts. They are
 * the same on all members.
 *
 * @param periodNanos how often a member reports if nothing happens
 * @param validityNanos for how long after its report a share that answers it lasts: several periods
 */
public record ShareTimes(long periodNanos, long validityNanos) {
  /** Reports every 100 ms, shares last 1 s. */
  public static final ShareTimes DEFAULT =
      new ShareTimes(Duration.ofMillis(100).toNanos(), Duration.ofSeconds(1).toNanos());

  /**
   * @throws IllegalArgumentException if a share would not outlive the loss of a report
   */
  public ShareTimes {
    if (periodNanos < 1 || validityNanos / 3 < periodNanos) {
      throw new IllegalArgumentException(
          "shares last 3 periods or more: period "
              + periodNanos
              + " ns, validity "
              + validityNanos
              + " ns");
    }
  }

  /** Returns the time that the next report waits after a share has changed. */
  long soonNanos() {
    return periodNanos / 5;
  }

  /**
   * Returns the time since a member was last heard of after which it has certainly seen its shares
   * expire.
   */
  long silenceNanos() {
    return validityNanos + periodNanos;
  }
}
