package io.keyvalueserve.maps;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A map begins to be logged with all that it has, or ceases to be: partition by partition, some
 * buckets at a time, so that nobody waits long for a partition. By one thread, which may be
 * interrupted.
 *
 * <p><b>Why nothing is missed.</b> From the moment a partition's entries are told, under its lock,
 * each change is logged; what was there before is logged behind. What the log takes last of a key
 * is what the key has. Entries that are made meanwhile see what was announced ({@link
 * NativeEntries}).
 *
 * <p><b>Why nothing returns.</b> Before it is announced that the map is logged, all that the log
 * may have of it is cleared. The other way round, records are forgotten first and then, as a whole,
 * what the log has of the partition; a compactor that runs meanwhile finds no record that it should
 * keep.
 */
final class LoggingChange {
  private static final int BUCKETS = 16;

  private final NativeMaps maps;
  private final EntryLog.Source logs;
  private final String map;
  private final boolean keep;

  /**
   * The position up to which the log has to be certain, for each partition; 0 if it need not be.
   */
  private final long[] last;

  /**
   * @param keep whether it begins to be logged
   */
  LoggingChange(NativeMaps maps, EntryLog.Source logs, String map, boolean keep) {
    this.maps = maps;
    this.logs = logs;
    this.map = map;
    this.keep = keep;
    this.last = new long[maps.partitions().count()];
  }

  /** Returns when that is certain. */
  void carryOut(Runnable announcing) {
    maps.pending().await(map::equals); // of what is not loaded yet the log has the only copy
    for (int partition = 0; keep && partition < last.length; partition++) {
      clear(partition);
    }
    announcing.run();
    for (int partition = 0; partition < last.length; partition++) {
      if (begin(partition)) {
        follow(partition);
      }
    }
    awaitCertain();
  }

  private void clear(int partition) {
    maps.partitions()
        .exclusively(
            partition,
            () -> {
              NativeEntries entries = entries(partition);
              if (entries == null) {
                last[partition] = logs.of(map, partition).forget();
              } else if (!entries.isLogged()) { // it is if an earlier change did not get through
                last[partition] = entries.forgetLogged();
              }
            });
  }

  /**
   * Switches the logging of the partition's entries, so that all later writes follow the new
   * setting.
   *
   * @return whether entries exist that have to follow
   */
  private boolean begin(int partition) {
    boolean[] has = new boolean[1];
    maps.partitions()
        .exclusively(
            partition,
            () -> {
              NativeEntries entries = entries(partition);
              if (entries != null) {
                entries.setLogged(keep);
                has[0] = true;
              }
            });
    return has[0];
  }

  private void follow(int partition) {
    long[] cursor = new long[1];
    while (cursor[0] >= 0) {
      if (Thread.currentThread().isInterrupted()) {
        throw interrupted();
      }
      maps.partitions().exclusively(partition, () -> cursor[0] = some(partition, cursor[0]));
    }
  }

  private long some(int partition, long cursor) {
    NativeEntries entries = entries(partition);
    if (entries == null) { // what comes next is made as it should be
      return -1;
    }
    if (keep) {
      try {
        return entries.logSome(cursor, BUCKETS, position -> last[partition] = position);
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
      long _ = entries.forgetLogged();
    }
    return next;
  }

  private @Nullable NativeEntries entries(int partition) {
    NativeRecordStore store = maps.partitions().store(map, partition);
    return store == null || store.entries().isClosed() ? null : store.entries();
  }

  private void awaitCertain() {
    CompletableFuture<?>[] certain = new CompletableFuture<?>[last.length];
    for (int partition = 0; partition < certain.length; partition++) {
      CompletableFuture<Void> each = new CompletableFuture<>();
      certain[partition] = each;
      if (last[partition] == 0) {
        boolean _ = each.complete(null);
      } else {
        logs.whenCertain(
            partition, last[partition], () -> each.complete(null), each::completeExceptionally);
      }
    }
    try {
      Object _ = CompletableFuture.allOf(certain).get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof HazelcastException cause ? cause : new HazelcastException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted();
    }
  }

  private static HazelcastException interrupted() {
    return new HazelcastException("the member goes down");
  }
}
