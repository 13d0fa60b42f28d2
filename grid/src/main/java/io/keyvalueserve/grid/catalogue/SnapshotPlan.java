package io.keyvalueserve.grid.catalogue;

import java.time.Duration;

/**
 * The plan by which snapshots of a tenant are taken.
 *
 * @param tenant the tenant's name
 * @param revision greater with each change
 * @param deleted whether there is no plan any more; the record stays, so that members hear of it
 * @param repository the address of the repository
 * @param every how long after one snapshot the next is taken
 * @param keep how long snapshots are kept
 * @param archive whether all changes are archived, so that any instant can be restored
 */
public record SnapshotPlan(
    String tenant,
    long revision,
    boolean deleted,
    String repository,
    Duration every,
    Duration keep,
    boolean archive) {
  /** The least time between two snapshots. */
  public static final Duration LEAST_EVERY = Duration.ofMinutes(1);

  /** The most time between two snapshots. */
  public static final Duration MOST_EVERY = Duration.ofDays(31);

  /** The most time for which snapshots are kept. */
  public static final Duration MOST_KEEP = Duration.ofDays(3_660);

  /**
   * @throws InvalidPlanException if a time is not possible
   */
  public SnapshotPlan {
    require("every", every, LEAST_EVERY, MOST_EVERY, "use 1m to 31d");
    require(
        "keep", keep, every, MOST_KEEP, "use at least the time between two snapshots, up to 3660d");
  }

  private static void require(
      String field, Duration value, Duration least, Duration most, String remedy) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new InvalidPlanException(
          field, field + ": " + value.toSeconds() + " s is not possible; " + remedy);
    }
  }

  /** Returns the record that follows this one when the plan is deleted. */
  public SnapshotPlan gone() {
    return new SnapshotPlan(tenant, revision + 1, true, repository, every, keep, false);
  }

  /** Tells a field of a plan that is not possible, and the remedy. */
  public static final class InvalidPlanException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String field;

    InvalidPlanException(String field, String message) {
      super(message);
      this.field = field;
    }

    /** Returns the field. */
    public String field() {
      return field;
    }
  }
}
