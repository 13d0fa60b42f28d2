package io.keyvalueserve.gates.reservation;

import java.util.List;

/**
 * All reservations of a cluster: one record, so that what they add up to is exact. Immutable: each
 * change makes a record of the next revision.
 *
 * @param reservations oldest first
 * @param made how many there have ever been
 * @param revision 1 for the first record, one more with each change
 */
public record ReservationSet(List<Reservation> reservations, long made, long revision) {
  /** The empty set, before the first record. */
  static final ReservationSet NONE = new ReservationSet(List.of(), 0, 0);

  public ReservationSet {
    reservations = List.copyOf(reservations);
  }
}
