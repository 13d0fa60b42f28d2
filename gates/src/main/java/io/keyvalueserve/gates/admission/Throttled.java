package io.keyvalueserve.gates.admission;

import java.util.concurrent.TimeUnit;

/**
 * A refusal because a tenant has used up what it may use in a second.
 *
 * @param resource of what
 * @param perSecond how much that is, on all members together
 * @param waitNanos when to try again: in so many nanoseconds, 1 or more
 */
public record Throttled(Resource resource, long perSecond, long waitNanos) implements NotAdmitted {
  /** Nobody is told to wait for longer. */
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** A member that has no share at all may have one by then. */
  private static final long SHARELESS_MILLIS = 1_000;

  @Override
  public long retryAfterMillis() {
    return waitNanos == Long.MAX_VALUE
        ? SHARELESS_MILLIS
        : (Math.min(waitNanos, LONGEST_NANOS) + 999_999) / 1_000_000;
  }

  @Override
  public String message() {
    return "the tenant's "
        + perSecond
        + " "
        + resource.text()
        + " a second are used up; retry after "
        + retryAfterMillis()
        + " ms";
  }
}
