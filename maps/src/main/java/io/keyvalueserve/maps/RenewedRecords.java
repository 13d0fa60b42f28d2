package io.keyvalueserve.maps;

import com.hazelcast.core.HazelcastException;
import io.keyvalueserve.journal.Journal;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Writes records anew that the log has lost, from memory: partition by partition, some buckets at a
 * time, so that nobody waits long for a partition. By one thread.
 */
public final class RenewedRecords {
  private static final int BUCKETS = 16;

  /**
   * A record whose value cannot be had here: it left memory for the disk, which has it no longer.
   *
   * @param position where the log had it
   */
  public record Unreadable(int partition, CopiedKey key, long position) {}

  private final NativeMaps maps;
  private final LongPredicate lost;
  private final List<Unreadable> unreadable = new ArrayList<>();
  private long records;
  private long bytes;
  private int partition;
  private String map = "";

  RenewedRecords(NativeMaps maps, LongPredicate lost) {
    this.maps = maps;
    this.lost = lost;
  }

  /**
   * Writes what a partition has anew, as far as its present position is lost.
   *
   * @param before is run before each step; ends this with what it throws
   * @return false if there is no room for all, on the disk or in memory
   */
  public <E extends Exception> boolean renew(int of, Step<E> before) throws E {
    partition = of;
    for (NativeRecordStore store : maps.partitions().stores(partition)) {
      map = store.getName();
      long[] cursor = new long[1];
      while (cursor[0] >= 0) {
        before.run();
        try {
          maps.partitions()
              .exclusively(
                  partition,
                  () -> cursor[0] = store.entries().renewSome(cursor[0], BUCKETS, lost, this));
        } catch (OutOfNativeMemoryException | HazelcastException e) {
          return false;
        } catch (IllegalStateException e) { // the log is closed
          return false;
        }
      }
    }
    return true;
  }

  /** A task that runs between steps. */
  @FunctionalInterface
  public interface Step<E extends Exception> {
    void run() throws E;
  }

  /** A record was written anew. By the partition's writer. */
  void renewed(int length) {
    records++;
    bytes += Journal.bytesOf(length);
  }

  /** A record could not be. By the partition's writer. */
  void markUnreadable(byte[] key, int form, long position) {
    unreadable.add(new Unreadable(partition, new CopiedKey(map, key, form), position));
  }

  /** Returns the number of records that were written again. */
  public long records() {
    return records;
  }

  /** Returns the bytes that the old frames of the renewed records took in the log. */
  public long bytes() {
    return bytes;
  }

  /** Returns the records that could not be written again and must come from other copies. */
  public List<Unreadable> unreadable() {
    return List.copyOf(unreadable);
  }
}
