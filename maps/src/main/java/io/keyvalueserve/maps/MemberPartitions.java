package io.keyvalueserve.maps;

import com.hazelcast.internal.partition.InternalPartitionService;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.MapContainer;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.map.impl.PartitionContainer;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.hazelcast.spi.impl.operationexecutor.impl.OperationExecutorImpl;
import com.hazelcast.spi.impl.operationservice.impl.OperationServiceImpl;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of a member: their locks, the threads that write them, and the record stores that
 * maps have in them. There are none before the member's map service is made. Thread-safe.
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class MemberPartitions {
  private static final long MOST_LEAVING_MILLIS = 10_000;
  private static final long LEAVING_STEP_MILLIS = 5;

  private volatile @Nullable MapServiceContext context;
  private PartitionLock[] locks = {};
  private PartitionChanges[] changes = {};
  private ExpiryTimes expiryTimes = new ExpiryTimes(0);
  private OwnedTime ownedTime = new OwnedTime(0, partition -> false, System::nanoTime);

  /** Called once, before anybody can ask for anything; starts a thread until {@link #close}. */
  void attach(
      MapServiceContext attached, ChangeJournal journal, IntFunction<PartitionLock> newLock) {
    context = attached;
    int count = attached.getNodeEngine().getPartitionService().getPartitionCount();
    locks = IntStream.range(0, count).mapToObj(newLock).toArray(PartitionLock[]::new);
    changes =
        IntStream.range(0, count)
            .mapToObj(partition -> new PartitionChanges(journal, () -> isPrimary(partition)))
            .toArray(PartitionChanges[]::new);
    expiryTimes = new ExpiryTimes(count);
    ownedTime = new OwnedTime(count, this::isPrimary, System::nanoTime);
    ownedTime.start();
  }

  /** The member goes down. Idempotent. */
  void close() {
    ownedTime.close();
  }

  boolean areAttached() {
    return context != null;
  }

  MapServiceContext context() {
    MapServiceContext attached = context;
    if (attached == null) {
      throw new IllegalStateException("no member has been started with these maps");
    }
    return attached;
  }

  NodeEngine nodeEngine() {
    return context().getNodeEngine();
  }

  /** Returns Hazelcast's service that runs and sends operations. */
  OperationServiceImpl operations() {
    return (OperationServiceImpl) nodeEngine().getOperationService();
  }

  /** Returns Hazelcast's partition table, which says which member owns which partition. */
  InternalPartitionService table() {
    return (InternalPartitionService) nodeEngine().getPartitionService();
  }

  int count() {
    return locks.length;
  }

  PartitionLock lock(int partition) {
    return locks[partition];
  }

  /** Returns what the journal knows of a partition's changes. */
  PartitionChanges changes(int partition) {
    return changes[partition];
  }

  /** Runs something while nobody else changes the partition. */
  void exclusively(int partition, Runnable task) {
    PartitionLock lock = lock(partition);
    lock.enter();
    try {
      task.run();
    } finally {
      lock.exit();
    }
  }

  /** Returns for how long this member has owned each partition. */
  OwnedTime ownedTime() {
    return ownedTime;
  }

  /** Returns when the next entries of each partition expire. */
  ExpiryTimes expiryTimes() {
    return expiryTimes;
  }

  boolean isPrimary(int partition) {
    return table().getPartition(partition, false).isLocal();
  }

  int of(Data key) {
    return table().getPartitionId(key);
  }

  /** Returns the number of threads that write partitions. */
  int threads() {
    return operations().getPartitionThreadCount();
  }

  /** The stripe of the heap that a partition's records are in: there is one for each thread. */
  int stripeOf(int partition) {
    return partition % threads();
  }

  /** Has the thread that writes a partition run something, later. */
  void execute(int partition, Runnable task) {
    operations()
        .execute(
            new PartitionSpecificRunnable() {
              @Override
              public int getPartitionId() {
                return partition;
              }

              @Override
              public void run() {
                task.run();
              }
            });
  }

  /** A map's container, if it has one here. */
  @Nullable MapContainer container(String map) {
    return context().getExistingMapContainer(map);
  }

  void forEachStore(Consumer<NativeRecordStore> visitor) {
    for (PartitionContainer container : context().getPartitionContainers()) {
      for (RecordStore<?> store : container.getAllRecordStores()) {
        visitor.accept((NativeRecordStore) store);
      }
    }
  }

  @Nullable NativeRecordStore store(String map, int partition) {
    return (NativeRecordStore) context().getExistingRecordStore(partition, map);
  }

  List<NativeRecordStore> stores(int partition) {
    List<NativeRecordStore> stores = new ArrayList<>();
    for (RecordStore<?> store : context().getPartitionContainer(partition).getAllRecordStores()) {
      stores.add((NativeRecordStore) store);
    }
    return stores;
  }

  /** Makes the store if there is none, without asking an external store for entries. */
  NativeRecordStore storeForRestart(String map, int partition) {
    return (NativeRecordStore)
        context().getPartitionContainer(partition).getRecordStoreForHotRestart(map);
  }

  /**
   * Waits until the threads that write partitions have ended, for up to ten seconds.
   *
   * @return whether they have
   */
  boolean awaitEndOfWriters() {
    for (long waited = 0; waited < MOST_LEAVING_MILLIS; waited += LEAVING_STEP_MILLIS) {
      if (!isAnyWriterAlive()) {
        return true;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(LEAVING_STEP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return false;
  }

  private boolean isAnyWriterAlive() {
    if (!areAttached()) {
      return false;
    }
    OperationExecutorImpl executor = (OperationExecutorImpl) operations().getOperationExecutor();
    return Arrays.stream(executor.getPartitionThreads()).anyMatch(Thread::isAlive);
  }
}
