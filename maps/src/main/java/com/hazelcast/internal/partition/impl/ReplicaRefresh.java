package com.hazelcast.internal.partition.impl;

import com.hazelcast.internal.partition.FragmentedMigrationAwareService;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplicationEvent;
import com.hazelcast.internal.services.ServiceNamespace;
import com.hazelcast.spi.impl.NodeEngineImpl;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Has the backups of this member's partitions made anew from what it has: after a crash a backup's
 * disk may have more or less than the owner's. Each owner counts a write for each map of its
 * partitions; the backups find that they have missed something, and ask for all of it. They take
 * only so many at once, so they are told again until they have it all. Lives in Hazelcast's package
 * because the names of what a partition holds are package-private.
 */
public final class ReplicaRefresh {
  private static final int MOST_TOLD = 8;
  private static final long TELL_MILLIS = 50;

  private final NodeEngineImpl nodeEngine;
  private final InternalPartitionServiceImpl partitions;
  private final Queue<Integer> pending = new ConcurrentLinkedQueue<>();
  private final Set<Integer> done = ConcurrentHashMap.newKeySet();

  /**
   * Creates the refresh of all partitions that the member has. To be carried out before the member
   * takes part in its cluster.
   */
  public ReplicaRefresh(NodeEngineImpl nodeEngine) {
    this.nodeEngine = nodeEngine;
    partitions = (InternalPartitionServiceImpl) nodeEngine.getPartitionService();
  }

  /**
   * Makes the backups differ from what the member has.
   *
   * @param exclusively carries something out while nobody else uses a partition
   */
  public void prepare(BiConsumer<Integer, Runnable> exclusively) {
    for (InternalPartition partition : partitions.getInternalPartitions()) {
      if (partition.isLocal()) {
        int id = partition.getPartitionId();
        exclusively.accept(id, () -> new Tell(id).count());
        pending.add(id);
      }
    }
  }

  /** Begins; what is to be done is done by the partitions' threads and the backups. */
  public void start() {
    tellSome();
  }

  private void tellSome() {
    int most = Math.min(MOST_TOLD, pending.size());
    for (int i = 0; i < most; i++) {
      Integer id = Objects.requireNonNull(pending.poll());
      if (!done.contains(id)) {
        nodeEngine.getOperationService().execute(new Tell(id));
        pending.add(id);
      }
    }
    if (!pending.isEmpty() && nodeEngine.isRunning()) {
      var _ =
          nodeEngine
              .getExecutionService()
              .schedule(this::tellSome, TELL_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private final class Tell extends AbstractPartitionPrimaryReplicaAntiEntropyTask {
    Tell(int partition) {
      super(ReplicaRefresh.this.nodeEngine, partition);
    }

    /**
     * Counts one write for each map, because the replica versions know only maps that were written.
     */
    void count() {
      Map<ServiceNamespace, Integer> backups = new HashMap<>();
      for (int index = 1; index < InternalPartition.MAX_REPLICA_COUNT; index++) {
        PartitionReplicationEvent backup = new PartitionReplicationEvent(null, partitionId, index);
        for (FragmentedMigrationAwareService service :
            nodeEngine.getServices(FragmentedMigrationAwareService.class)) {
          Collection<ServiceNamespace> here = service.getAllServiceNamespaces(backup);
          if (here != null) {
            for (ServiceNamespace namespace : here) {
              backups.put(namespace, index);
            }
          }
        }
      }
      PartitionReplicaManager versions = partitionService.getReplicaManager();
      backups.forEach(
          (namespace, count) -> {
            long[] _ = versions.incrementPartitionReplicaVersions(partitionId, namespace, count);
          });
    }

    @Override
    public void run() {
      if (!partitionService.getPartition(partitionId, false).isLocal()) {
        done.add(partitionId);
        return;
      }
      new ReplicaQuestion(
              ReplicaRefresh.this.nodeEngine,
              partitionId,
              current -> {
                if (current) {
                  done.add(partitionId);
                }
              })
          .run();
    }
  }
}
