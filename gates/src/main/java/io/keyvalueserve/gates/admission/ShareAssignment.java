package io.keyvalueserve.gates.admission;

import java.util.List;
import java.util.UUID;

/**
 * The coordinator's message to a member: the member's part of each limit. It has parts and not
 * rates, so a changed limit needs no new assignment.
 *
 * @param member whom it is for
 * @param tenure who says so: a number that no other coordinator has had, never 0
 * @param epoch which assignment to this member it is; the next is made only when the member has
 *     reported this one. 0 asks the member to begin anew
 * @param answersNanos {@link DemandReport#sentNanos} of the last report that was seen
 * @param validityNanos for how long after that the member's shares last
 * @param shares those that this epoch changes
 */
public record ShareAssignment(
    UUID member,
    long tenure,
    long epoch,
    long answersNanos,
    long validityNanos,
    List<Share> shares) {
  /** The parts of a whole limit. */
  public static final int WHOLE = 1 << 30;

  public ShareAssignment {
    shares = List.copyOf(shares);
  }

  /**
   * A member's share of one limit.
   *
   * @param parts 0 to {@link #WHOLE}
   */
  public record Share(RateKey key, int parts) {}
}
