package io.keyvalueserve.grid.restart;

import com.hazelcast.internal.partition.PartitionTableView;
import java.util.Map;
import java.util.Set;

/**
 * A partition table as a member keeps it.
 *
 * @param lostSince partitions whose owner does not have all of them, each with the version of its
 *     row from which on that is so
 * @param behind partitions of which the member has a backup that may have less than the owner
 */
record KeptTable(PartitionTableView table, Map<Integer, Integer> lostSince, Set<Integer> behind) {
  KeptTable {
    lostSince = Map.copyOf(lostSince);
    behind = Set.copyOf(behind);
  }

  /** A table in which everybody has what it says. */
  static KeptTable of(PartitionTableView table) {
    return new KeptTable(table, Map.of(), Set.of());
  }
}
