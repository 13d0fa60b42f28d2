package io.keyvalueserve.grid;

import java.util.List;

/**
 * Whether the cluster has all that it should have.
 *
 * @param safe whether every partition has all the backups that the cluster can give it, and they
 *     are up to date
 * @param lost the partitions that have no copy left in memory, sorted: their keys are refused until
 *     the members that had them are back
 */
public record Safety(boolean safe, List<Integer> lost) {
  public Safety {
    lost = List.copyOf(lost);
  }
}
