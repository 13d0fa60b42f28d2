package io.keyvalueserve.grid.restart;

import com.hazelcast.internal.partition.PartitionTableView;
import java.util.Map;

/**
 * A partition table as a member keeps it.
 *
 * @param lostSince partitions that the member owns without having all of them, each with the
 *     version of its row from which on that is so
 */
record KeptTable(PartitionTableView table, Map<Integer, Integer> lostSince) {
  KeptTable {
    lostSince = Map.copyOf(lostSince);
  }

  /** A table in which everybody has what it says. */
  static KeptTable of(PartitionTableView table) {
    return new KeptTable(table, Map.of());
  }
}
