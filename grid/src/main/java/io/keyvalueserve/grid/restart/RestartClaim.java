package io.keyvalueserve.grid.restart;

import com.hazelcast.cluster.Address;
import com.hazelcast.internal.partition.PartitionTableView;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a member that starts has to say to the cluster.
 *
 * @param attempt this start's own id: the same member may have tried before
 * @param member its id
 * @param address where it is now
 * @param history the id of the cluster that its data are of; null if it has none
 * @param table the last partition table that it knew; null if it has no data
 * @param loaded whether what it has is in memory
 */
record RestartClaim(
    UUID attempt,
    UUID member,
    Address address,
    @Nullable UUID history,
    @Nullable PartitionTableView table,
    boolean loaded) {
  RestartClaim whenLoaded() {
    return new RestartClaim(attempt, member, address, history, table, true);
  }
}
