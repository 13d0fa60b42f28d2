package io.keyvalueserve.maps;

import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.map.impl.MapContainer;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies of partitions, as far as Hazelcast does not see to them: copies of this member's on
 * others are told who wrote their entries, and copies here that could not be completed are asked
 * for again. Thread-safe.
 */
final class PartitionCopies {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionCopies.class);

  private final MemberPartitions partitions;

  PartitionCopies(MemberPartitions partitions) {
    this.partitions = partitions;
  }

  /** Sends notes to the copies of a partition, after the backups that they are about. */
  void tell(int partition, WriterNotes notes) {
    try {
      send(partition, notes);
    } catch (RuntimeException e) { // who has the partition is to leave it
      LOG.warn(
          "copies were not told who wrote entries: map={} partition={}: {}",
          notes.map(),
          partition,
          e.getMessage());
    }
  }

  private void send(int partition, WriterNotes notes) {
    InternalPartition row = partitions.table().getPartition(partition, false);
    MapContainer container = partitions.container(notes.map());
    if (container == null || !row.isLocal()) {
      return;
    }
    for (int replica = 1; replica <= container.getTotalBackupCount(); replica++) {
      PartitionReplica copy = row.getReplica(replica);
      if (copy != null) {
        Operation operation = notes.copy().setPartitionId(partition).setReplicaIndex(replica);
        boolean _ = partitions.operations().send(operation, copy.address());
      }
    }
  }

  /**
   * Returns the operations that a new copy of a partition of some maps needs besides what Hazelcast
   * sends it.
   */
  List<Operation> notes(int partition, Collection<String> maps) {
    List<Operation> all = new ArrayList<>();
    for (String map : maps) {
      NativeRecordStore store = partitions.store(map, partition);
      WriterNotes notes = store == null ? null : store.notes();
      if (notes != null && !notes.isEmpty()) {
        all.add(notes);
      }
    }
    return all;
  }

  /** A copy here could not be completed: has Hazelcast send it again, later. */
  void incomplete(MapContainer container, int partition, RefusedException why) {
    LOG.error(
        "no room for a replica, it will be sent again: map={} partition={}: {}",
        container.getName(),
        partition,
        why.getMessage());
    partitions.execute(
        partition,
        () -> {
          int replica =
              partitions
                  .table()
                  .getPartition(partition, false)
                  .getReplicaIndex(PartitionReplica.from(partitions.nodeEngine().getLocalMember()));
          if (replica > 0) {
            partitions
                .table()
                .getPartitionReplicaVersionManager()
                .markPartitionReplicaAsSyncRequired(
                    partition, container.getObjectNamespace(), replica);
          }
        });
  }
}
