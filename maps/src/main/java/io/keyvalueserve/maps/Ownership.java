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
 * Whether this member may answer for a partition at this moment, for threads other than the
 * partition's.
 *
 * <p><b>Reads.</b> As Hazelcast's own queries do it: a {@link #stamp} is taken, the partition is
 * found to be owned, the value is read, and the stamp is {@link #isStill} good. The stamp is void
 * from before a partition's owner changes until after, on the old owner and on the new. So if it is
 * good, nobody else could have acknowledged a write to the partition before the read ended.
 *
 * <p><b>Writes.</b> With the partition's lock no migration can begin or end here, as both are
 * operations of the partition; so that it is owned and not migrating need be found once ({@link
 * #mayWrite}).
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
   * Whether nothing has happened to owned partitions since the stamp was taken, and this member has
   * had its lease all the time: the cluster has given its partitions to nobody else.
   */
  boolean isStill(int stamp) {
    return service().validateMigrationStamp(stamp) && lease.holds();
  }

  /** Whether this member owns the partition and may answer for it. */
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
   * Whether a write needs nothing but to be written here: this member owns the partition, and there
   * is no backup to be told. With the partition's lock.
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

  /** Not known yet when the map service is being made. */
  private MapService service() {
    MapService known = service;
    if (known == null) {
      known = context.getService();
      service = known;
    }
    return known;
  }
}
