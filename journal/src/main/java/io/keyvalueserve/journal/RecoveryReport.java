package io.keyvalueserve.journal;

import java.util.ArrayList;
import java.util.List;

/**
 * The results of a recovery.
 *
 * @param chunks how many chunks were read
 * @param records how many frames were given to the sink
 * @param bytes how many bytes were read
 * @param nanos how long it took
 * @param damage everything that was not as it was written, torn tails included
 */
public record RecoveryReport(
    int chunks, long records, long bytes, long nanos, List<Damage> damage) {

  /** Returns this report with more damage. */
  RecoveryReport with(List<Damage> more) {
    List<Damage> all = new ArrayList<>(damage);
    all.addAll(more);
    return new RecoveryReport(chunks, records, bytes, nanos, List.copyOf(all));
  }

  /** Returns whether something that was certain may be lost. */
  public boolean hasLoss() {
    return damage.stream().anyMatch(Damage::isLoss);
  }
}
