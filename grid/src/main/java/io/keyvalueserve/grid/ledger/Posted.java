package io.keyvalueserve.grid.ledger;

import io.keyvalueserve.billing.metering.UsageEvent;
import java.util.List;

/**
 * The outcome of posting usage events to the ledgers.
 *
 * @param taken how many were appended now; they are stored, with their backups
 * @param known how many were there already
 * @param left those that could not be posted now, in the order in which they were told: tell them
 *     again, not after later ones of the same member
 */
public record Posted(int taken, int known, List<UsageEvent> left) {
  public Posted {
    left = List.copyOf(left);
  }

  /** Returns whether all events are in the ledgers. */
  public boolean isComplete() {
    return left.isEmpty();
  }
}
