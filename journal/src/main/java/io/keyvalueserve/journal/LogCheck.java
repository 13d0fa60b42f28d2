package io.keyvalueserve.journal;

import java.util.List;

/**
 * The result of {@link Journal#check}.
 *
 * @param damage found by it; not what was known when the log was opened
 * @param unknown the number of damaged places of which not even the keys are known
 */
public record LogCheck(List<Damage> damage, int unknown) {
  public LogCheck {
    damage = List.copyOf(damage);
  }

  /** Returns whether records that were certain may be missing. */
  public boolean mayMissRecords() {
    return damage.stream().anyMatch(Damage::mayMissRecords);
  }
}
