package io.keyvalueserve.maps;

import com.hazelcast.internal.partition.MigrationEndpoint;
import com.hazelcast.internal.partition.PartitionMigrationEvent;
import com.hazelcast.internal.util.Clock;

/**
 * Idle times of entries whose owner is gone.
 *
 * <p>Reads are not told to backups. When a backup becomes the owner because the owner is gone, all
 * it knows of an entry in use is when it was written. So every idle time begins anew then ({@link
 * #beforeMigration}), before anybody reads from the new owner.
 */
public final class IdleTimes {
  private final MemberPartitions partitions;

  IdleTimes(MemberPartitions partitions) {
    this.partitions = partitions;
  }

  /** Called before a partition or a copy of it begins to move, by the partition's thread. */
  public void beforeMigration(PartitionMigrationEvent event) {
    int partition = event.getPartitionId();
    if (event.getMigrationEndpoint() == MigrationEndpoint.DESTINATION
        && partitions.lock(partition).isPromoting()) {
      long now = Clock.currentTimeMillis();
      for (NativeRecordStore store : partitions.stores(partition)) {
        partitions.exclusively(partition, () -> store.entries().beginIdling(now));
      }
    }
  }
}
