package com.hazelcast.internal.partition.impl;

import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.internal.partition.PartitionReplicaVersionManager;
import com.hazelcast.internal.services.ServiceNamespace;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.operationservice.impl.OperationServiceImpl;
import java.util.Collection;

/**
 * Has the backups of this member's partitions made anew from what it has: after a crash a backup's
 * disk may have more or less than the owner's. Each owner counts a write for each map of its
 * partitions; the backups find that they have missed something, and ask for all of it. Lives in
 * Hazelcast's package because the names of what a partition holds are package-private.
 */
public final class ReplicaRefresh {
  private ReplicaRefresh() {}

  /** Begins; what is to be done is done by the partitions' threads and the backups. */
  public static void start(NodeEngineImpl nodeEngine) {
    InternalPartitionServiceImpl partitions =
        (InternalPartitionServiceImpl) nodeEngine.getPartitionService();
    OperationServiceImpl operations = nodeEngine.getOperationService();
    for (InternalPartition partition : partitions.getInternalPartitions()) {
      if (partition.isLocal() && partition.getReplica(1) != null) {
        operations.execute(new Refresh(nodeEngine, partition.getPartitionId()));
      }
    }
  }

  private static final class Refresh extends AbstractPartitionPrimaryReplicaAntiEntropyTask {
    Refresh(NodeEngineImpl nodeEngine, int partition) {
      super(nodeEngine, partition);
    }

    @Override
    @SuppressWarnings("NullAway") // nobody waits for an answer
    public void run() {
      InternalPartition partition = partitionService.getPartition(partitionId, false);
      if (!partition.isLocal() || partition.isMigrating()) {
        return;
      }
      Collection<ServiceNamespace> namespaces = retainAndGetNamespaces();
      PartitionReplicaVersionManager versions =
          partitionService.getPartitionReplicaVersionManager();
      for (ServiceNamespace namespace : namespaces) {
        long[] _ =
            versions.incrementPartitionReplicaVersions(
                partitionId, namespace, InternalPartition.MAX_BACKUP_COUNT);
      }
      for (int index = 1; index < InternalPartition.MAX_REPLICA_COUNT; index++) {
        PartitionReplica replica = partition.getReplica(index);
        if (replica != null) {
          invokePartitionBackupReplicaAntiEntropyOp(index, replica, namespaces, null);
        }
      }
    }
  }
}
