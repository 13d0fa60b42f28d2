package io.keyvalueserve.grid.external;

import org.jspecify.annotations.Nullable;

/**
 * The state of a map that follows its table, on one member or on several.
 *
 * @param following whether a member hears of changes at present
 * @param changes the rows that were heard of
 * @param lagMillis how long after its commit the last transaction was carried out, in milliseconds
 * @param problem why the table is not followed at present; null if it is, or by another member
 */
public record FollowStatus(
    boolean following, long changes, long lagMillis, @Nullable String problem) {
  /** Nothing. */
  public static final FollowStatus NONE = new FollowStatus(false, 0, 0, null);

  /** Returns this and another together. */
  public FollowStatus plus(FollowStatus other) {
    return new FollowStatus(
        following || other.following,
        changes + other.changes,
        Math.max(lagMillis, other.lagMillis),
        problem == null ? other.problem : problem);
  }
}
