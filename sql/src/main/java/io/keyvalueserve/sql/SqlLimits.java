package io.keyvalueserve.sql;

import java.time.Duration;

/**
 * The bounds of statements.
 *
 * @param textBytes of a statement: 1 or more
 * @param nesting how deep brackets and queries may be nested: 1 or more
 * @param joins the most tables of a statement: 1 or more
 * @param listLength the most items of a list, as of {@code IN}: 1 or more
 * @param running the most statements of a tenant that run at once at a member: 1 or more
 * @param timeout of a statement, and the longest that a session may ask for
 * @param cachedPlans the most plans of a tenant that are kept: 0 or more
 * @param cachedBytes the most bytes that a tenant's plans may take, as estimated
 */
public record SqlLimits(
    int textBytes,
    int nesting,
    int joins,
    int listLength,
    int running,
    Duration timeout,
    int cachedPlans,
    long cachedBytes) {
  private static final int KIB = 1024;

  /** The usual bounds. */
  public static final SqlLimits USUAL =
      new SqlLimits(256 * KIB, 100, 24, 10_000, 64, Duration.ofMinutes(10), 256, 16L * KIB * KIB);

  /** Returns these with another number of running statements. */
  public SqlLimits withRunning(int statements) {
    return new SqlLimits(
        textBytes, nesting, joins, listLength, statements, timeout, cachedPlans, cachedBytes);
  }

  /** Returns these with another timeout. */
  public SqlLimits withTimeout(Duration most) {
    return new SqlLimits(
        textBytes, nesting, joins, listLength, running, most, cachedPlans, cachedBytes);
  }
}
