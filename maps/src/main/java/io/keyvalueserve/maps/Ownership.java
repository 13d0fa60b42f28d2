package io.keyvalueserve.maps;

import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeState;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.InternalPartitionService;
import com.hazelcast.internal.services.ServiceNamespace;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.spi.impl.NodeEngineImpl;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether this member may answer for a partition at this moment, for threads other than the
 * partition's.
 *
 * <p><b>Reads</b> work as Hazelcast's own queries do. A {@link #stamp} is taken, the partition is
 * found to be owned, and the value is read; then the stamp must be {@link #isStill} good. The stamp
 * becomes void before a partition's owner changes and stays so until after the change, on the old
 * owner and on the new. If it is good, no other member could have acknowledged a write to the
 * partition before the read ended.
 *
 * <p><b>Writes</b> hold the partition's lock. No migration can begin or end here meanwhile, because
 * both are operations of the partition. It is therefore enough to find once that the partition is
 * owned and not migrating ({@link #mayWrite}).
 */
final class Ownership {
  private final Node node;
  private final MapServiceContext context;
  private final InternalPartitionService table;
  private final IntFunction<PartitionLock> locks;
  private final int partitionCount;
  private final Lease lease;
  private volatile @Nullable MapService service;

  /**
   * @param lease without which this member answers nothing
   */
  Ownership(MapServiceContext context, IntFunction<PartitionLock> locks, Lease lease) {
    this.locks = locks;
    this.lease = lease;
    NodeEngineImpl nodeEngine = (NodeEngineImpl) context.getNodeEngine();
    this.node = nodeEngine.getNode();
    this.context = context;
    this.table = nodeEngine.getPartitionService();
    this.partitionCount = table.getPartitionCount();
  }

  int partitionCount() {
    return partitionCount;
  }

  /** Taken before a read. */
  int stamp() {
    return service().getMigrationStamp();
  }

  /**
   * Returns whether nothing has happened to owned partitions since the stamp was taken, and this
   * member still has its lease. Then the cluster has given its partitions to no other member.
   */
  boolean isStill(int stamp) {
    return service().validateMigrationStamp(stamp) && lease.holds();
  }

  /** Returns whether this member owns the partition and may answer for it. */
  boolean mayRead(int partition) {
    InternalPartition state = table.getPartition(partition, false);
    return isOwned(state, partition);
  }

  private boolean isOwned(InternalPartition state, int partition) {
    return state.isLocal()
        && !state.isMigrating()
        && node.getState() == NodeState.ACTIVE
        && isComplete(locks.apply(partition));
  }

  private static boolean isComplete(PartitionLock lock) {
    return lock.lostCopies() == 0 && !lock.isFenced();
  }

  /**
   * Returns whether a write only has to be made here: this member owns the partition and has its
   * lease, and there is no backup to be told. The caller holds the partition's lock.
   */
  boolean mayWrite(int partition, int backupCount) {
    InternalPartition state = table.getPartition(partition, false);
    if (!isOwned(state, partition) || !lease.holds()) {
      return false;
    }
    for (int replica = 1; replica <= backupCount; replica++) {
      if (state.getReplica(replica) != null) {
        return false;
      }
    }
    return true;
  }

  /**
   * Counts a write, as an operation does: a backup that is assigned later must not be taken to have
   * it. With the partition's lock.
   */
  void wrote(int partition, ServiceNamespace namespace, int backupCount) {
    if (backupCount > 0) {
      long[] _ =
          table
              .getPartitionReplicaVersionManager()
              .incrementPartitionReplicaVersions(partition, namespace, backupCount);
    }
  }

  /** Returns the map service. It is not known yet when the map service is being made. */
  private MapService service() {
    MapService known = service;
    if (known == null) {
      known = context.getService();
      service = known;
    }
    return known;
  }
}
