package io.keyvalueserve.grid.hd;

import com.hazelcast.internal.util.Clock;
import java.util.BitSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has entries removed soon after they have expired. Twice a second it asks each map in each
 * partition whether the time of some of its entries has come, which costs one read, and has the
 * partition's thread remove them in slices of a millisecond. Between two slices of a partition the
 * thread does what others have asked for meanwhile.
 *
 * <p>Thread-safe.
 */
final class ExpiryRounds implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiryRounds.class);
  private static final long PERIOD_MILLIS = 500;
  private static final int MILLIS = 1_000;

  private final MemberPartitions partitions;
  private final AtomicIntegerArray busy;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("kvs-expiry").daemon().factory());
  private final BitSet due = new BitSet(); // of the timer's thread

  private ExpiryRounds(MemberPartitions partitions) {
    this.partitions = partitions;
    this.busy = new AtomicIntegerArray(partitions.count());
  }

  /** Begins; ends with {@link #close}. */
  static ExpiryRounds start(MemberPartitions partitions) {
    ExpiryRounds rounds = new ExpiryRounds(partitions);
    ScheduledFuture<?> _ =
        rounds.timer.scheduleWithFixedDelay(
            rounds::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    return rounds;
  }

  private void look() {
    try {
      long now = Clock.currentTimeMillis() / MILLIS;
      due.clear();
      partitions.forEachStore(
          store -> {
            if (store.entries().expiryWakeAt() <= now) {
              due.set(store.getPartitionId());
            }
          });
      due.stream().filter(id -> busy.compareAndSet(id, 0, 1)).forEach(this::remove);
    } catch (RuntimeException e) { // else this would have been the last time
      LOG.warn("expired entries could not be looked for", e);
    }
  }

  private void remove(int partition) {
    partitions.execute(
        partition,
        () -> {
          boolean more = false;
          try {
            more = removeSome(partition);
          } catch (RuntimeException e) {
            LOG.warn("expired entries could not be removed: partition={}", partition, e);
          } finally {
            if (more) {
              remove(partition);
            } else {
              busy.set(partition, 0);
            }
          }
        });
  }

  private boolean removeSome(int partition) {
    long now = Clock.currentTimeMillis();
    boolean isBackup = !partitions.isPrimary(partition);
    PartitionLock lock = partitions.lock(partition);
    lock.enter();
    try {
      for (NativeRecordStore store : partitions.stores(partition)) {
        if (store.entries().expiryWakeAt() <= now / MILLIS && store.evictExpired(now, isBackup)) {
          return true;
        }
      }
      return false;
    } finally {
      lock.exit();
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
