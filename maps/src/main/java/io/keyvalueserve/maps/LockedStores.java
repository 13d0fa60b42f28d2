package io.keyvalueserve.maps;

import com.hazelcast.internal.locksupport.LockStoreImpl;
import com.hazelcast.internal.locksupport.LockSupportService;
import com.hazelcast.internal.locksupport.LockSupportServiceImpl;
import com.hazelcast.spi.impl.NodeEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Finds the stores of locks that have any, in the partitions that this member owns or backs up. To
 * look is a walk through all partitions, so those who look again and again share what one has
 * found, as long as that is nothing.
 *
 * <p>Thread-safe.
 */
public final class LockedStores {
  /** The age at which a look does not count any more. */
  static final long MOST_AGE_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

  private final NodeEngine nodeEngine;
  private final int partitions;
  private final LongSupplier nanoTime;

  /** When the last look began that has found nothing. */
  private volatile long emptyNanos;

  /** Creates what looks at the locks of a member. */
  public LockedStores(NodeEngine nodeEngine) {
    this(nodeEngine, System::nanoTime);
  }

  LockedStores(NodeEngine nodeEngine, LongSupplier nanoTime) {
    this.nodeEngine = nodeEngine;
    this.partitions = nodeEngine.getPartitionService().getPartitionCount();
    this.nanoTime = nanoTime;
    this.emptyNanos = nanoTime.getAsLong() - MOST_AGE_NANOS;
  }

  /**
   * A store that has had a lock when it was looked at.
   *
   * @param partition its partition
   */
  public record Locked(int partition, LockStoreImpl store) {}

  /** Looks at all stores now. */
  public List<Locked> find() {
    long began = nanoTime.getAsLong();
    LockSupportServiceImpl locks = nodeEngine.getService(LockSupportService.SERVICE_NAME);
    List<Locked> found = new ArrayList<>(0);
    for (int partition = 0; partition < partitions; partition++) {
      for (LockStoreImpl store : locks.getLockContainer(partition).getLockStores()) {
        if (store.hasLock()) {
          found.add(new Locked(partition, store));
        }
      }
    }
    if (found.isEmpty()) {
      emptyNanos = began;
    }
    return found;
  }

  /**
   * Returns nothing if somebody has looked within the last 0.7 seconds and found nothing; else
   * looks now. For who may learn of the first lock a little later.
   */
  public List<Locked> findLately() {
    return nanoTime.getAsLong() - emptyNanos < MOST_AGE_NANOS ? List.of() : find();
  }

  /** Returns whether this member owns a partition. */
  public boolean isOwned(int partition) {
    return nodeEngine.getPartitionService().getPartition(partition, false).isLocal();
  }
}
