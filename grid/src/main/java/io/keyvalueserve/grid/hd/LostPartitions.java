package io.keyvalueserve.grid.hd;

import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.InternalPartitionService;
import com.hazelcast.internal.partition.MigrationEndpoint;
import com.hazelcast.internal.partition.PartitionMigrationEvent;
import com.hazelcast.internal.partition.impl.PartitionReplicaManager;
import com.hazelcast.internal.services.ServiceNamespace;
import com.hazelcast.map.impl.MapContainer;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.spi.impl.NodeEngine;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Partitions of which this member became the owner though it does not have all of their maps: more
 * members went down than there are backups, before others had been made.
 *
 * <p>Hazelcast goes on with what there is. Where members outlive their processes that would be
 * wrong: the data are on the disks of those who went down, and would be given up for what is
 * written meanwhile. So such a partition answers for maps with enough backups only, and stays where
 * it is, until those members are back. Thread-safe.
 */
public final class LostPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(LostPartitions.class);

  private final NodeEngine nodeEngine;
  private final IntFunction<PartitionLock> locks;
  private final Map<Integer, Integer> since = new ConcurrentHashMap<>();
  private volatile boolean guarded;
  private volatile Runnable beforeLoss = () -> {};

  LostPartitions(NodeEngine nodeEngine, IntFunction<PartitionLock> locks) {
    this.nodeEngine = nodeEngine;
    this.locks = locks;
  }

  /**
   * Has partitions guarded from now on; before the member takes part in its cluster.
   *
   * @param keep makes {@link #since} outlive the member; blocks until it does
   */
  public void guard(Runnable keep) {
    beforeLoss = keep;
    guarded = true;
  }

  /**
   * Takes the backups of some partitions, as they come from the disk, for less than what their
   * owners have, until the owners have found them current.
   *
   * @param whenCurrent told of each that is no longer in {@link #behind}; does not block
   */
  public void distrust(BitSet backups, Runnable whenCurrent) {
    backups.stream()
        .forEach(
            id -> {
              PartitionLock lock = locks.apply(id);
              lock.enter();
              try {
                lock.setBehind(whenCurrent);
              } finally {
                lock.exit();
              }
            });
  }

  /** The partitions whose backups here may have less than their owners. */
  public Set<Integer> behind() {
    int count = partitions().getPartitionCount();
    return IntStream.range(0, count)
        .filter(id -> locks.apply(id).isBehind())
        .boxed()
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Called when a partition, or a copy of it, is here as a whole, by the partition's thread. */
  public void received(int partition) {
    locks.apply(partition).isCurrent();
  }

  /** The lost partitions of this member, each with the version that its row had at that time. */
  public Map<Integer, Integer> since() {
    return Map.copyOf(since);
  }

  /**
   * Called before a partition or a copy of it begins to move, by the partition's thread.
   *
   * @throws PartitionLostException if it must stay
   */
  public void beforeMigration(PartitionMigrationEvent event) {
    int partition = event.getPartitionId();
    if (event.getMigrationEndpoint() == MigrationEndpoint.SOURCE) {
      if (since.containsKey(partition)) {
        throw new PartitionLostException(partition);
      }
    } else if (guarded && locks.apply(partition).isPromoting()) {
      promoted(partition, event.getCurrentReplicaIndex());
    }
  }

  private void promoted(int partition, int replica) {
    int lost = isComplete(partition, replica) ? replica : InternalPartition.MAX_REPLICA_COUNT;
    if (replica == 1 && lost == replica) {
      return; // the first backup has everything that has a backup
    }
    locks.apply(partition).lose(lost);
    Integer _ = since.put(partition, partitions().getPartition(partition, false).version());
    // Others may learn that this member owns it only when a restart cannot take it for complete.
    beforeLoss.run();
    LOG.error(
        "partition {} is lost until the members that had it are back: {} of its copies went down",
        partition,
        replica);
  }

  /** Whether a backup has missed nothing that it knows of. */
  private boolean isComplete(int partition, int replica) {
    if (locks.apply(partition).isBehind()) {
      return false;
    }
    PartitionReplicaManager versions =
        (PartitionReplicaManager) partitions().getPartitionReplicaVersionManager();
    for (ServiceNamespace namespace : versions.getNamespaces(partition)) {
      long[] known = versions.getPartitionReplicaVersions(partition, namespace);
      if (known[replica - 1] == PartitionReplicaManager.REQUIRES_SYNC
          || versions.isPartitionReplicaVersionDirty(partition, namespace)) {
        return false;
      }
    }
    return true;
  }

  /** Refuses an operation on a map of which no copy is left. */
  static void requireCopy(MapOperation operation, int lost) {
    MapContainer container = Objects.requireNonNull(operation.getMapContainer());
    if (container.getBackupCount() < lost && ((NativeMapContainer) container).isLogged()) {
      throw new PartitionLostException(operation.getPartitionId());
    }
  }

  private InternalPartitionService partitions() {
    return (InternalPartitionService) nodeEngine.getPartitionService();
  }
}
