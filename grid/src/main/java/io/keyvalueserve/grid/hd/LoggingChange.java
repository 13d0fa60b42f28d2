package io.keyvalueserve.grid.hd;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A map begins to be logged with all that it has, or ceases to be: partition by partition, some
 * buckets at a time, so that nobody waits long for a partition.
 *
 * <p><b>Why nothing is missed.</b> From the moment a partition's entries are told, under its lock,
 * each change is logged; what was there before is logged behind. What the log takes last of a key
 * is what the key has. The other way round, records are forgotten first and then, as a whole, what
 * the log has of the partition; a compactor that runs meanwhile finds no record that it should
 * keep.
 */
final class LoggingChange {
  private static final int BUCKETS = 16;

  private final NativeMaps maps;
  private final EntryLog.Source logs;
  private final String map;

  LoggingChange(NativeMaps maps, EntryLog.Source logs, String map) {
    this.maps = maps;
    this.logs = logs;
    this.map = map;
  }

  void carryOut(boolean keep) {
    CompletableFuture<?>[] certain = new CompletableFuture<?>[maps.partitionCount()];
    for (int partition = 0; partition < certain.length; partition++) {
      certain[partition] = begin(partition, keep) ? follow(partition, keep) : done();
    }
    try {
      CompletableFuture.allOf(certain).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof HazelcastException cause ? cause : new HazelcastException(e);
    }
  }

  /**
   * With the partition's lock, as its stores are made with it.
   *
   * @return whether there is something that has to follow
   */
  private boolean begin(int partition, boolean keep) {
    boolean[] changes = new boolean[1];
    maps.exclusively(
        partition,
        () -> {
          NativeRecordStore store = maps.existingStore(map, partition);
          if (store != null && !store.entries().isClosed()) {
            store.entries().setLogged(keep);
            changes[0] = true;
          }
        });
    return changes[0];
  }

  private CompletableFuture<?> follow(int partition, boolean keep) {
    AtomicLong cursor = new AtomicLong();
    AtomicLong last = new AtomicLong();
    while (cursor.get() >= 0) {
      maps.exclusively(partition, () -> cursor.set(some(partition, keep, cursor.get(), last)));
    }
    if (last.get() == 0) {
      return done();
    }
    CompletableFuture<Void> certain = new CompletableFuture<>();
    logs.whenCertain(
        partition, last.get(), () -> certain.complete(null), certain::completeExceptionally);
    return certain;
  }

  private long some(int partition, boolean keep, long cursor, AtomicLong last) {
    NativeRecordStore store = maps.existingStore(map, partition);
    if (store == null || store.entries().isClosed()) { // what comes next is made as it should be
      return -1;
    }
    NativeEntries entries = store.entries();
    if (keep) {
      try {
        return entries.logSome(cursor, BUCKETS, last::set);
      } catch (RetryableHazelcastException e) { // they were given up at this moment
        return -1;
      } catch (OutOfNativeMemoryException e) {
        throw new HazelcastException(
            "no memory for entries to keep where they are in the log, which takes 8 bytes each:"
                + " remove entries, or give the member more with --memory",
            e);
      }
    }
    long next = entries.unlogSome(cursor, BUCKETS);
    if (next < 0) {
      entries.forgetLogged();
    }
    return next;
  }

  private static CompletableFuture<?> done() {
    return CompletableFuture.completedFuture(null);
  }
}
