package io.keyvalueserve.grid;

import io.keyvalueserve.grid.restart.Losses;
import java.util.List;

/**
 * The answer whether the cluster has all the data and backups that it should have.
 *
 * @param safe whether every partition has all the backups that the cluster can give it, and they
 *     are up to date and nothing is lost that nobody has taken note of
 * @param lost the partitions that have no copy left in memory, sorted: their keys are refused until
 *     the members that had them are back
 * @param losses what no copy had when the cluster started, until somebody takes note of it
 */
public record Safety(boolean safe, List<Integer> lost, Losses losses) {
  public Safety {
    lost = List.copyOf(lost);
  }
}
