package io.keyvalueserve.maps;

import com.hazelcast.config.IndexConfig;
import com.hazelcast.core.HazelcastException;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a member's maps of which only the keys have been put back: the log has the rest,
 * and it is loaded while the member serves. Thread-safe.
 */
public final class PendingEntries {
  private static final long STEP_MILLIS = 20;

  /** Longer than who looks at a table that becomes smaller does so. */
  private static final long GUARD_NANOS = 1_000_000;

  private final MemberPartitions partitions;
  private final RoomForLoading room;
  private volatile boolean expecting;
  private volatile int givenBack;
  private final Map<Integer, UnreadPartition> unread = new ConcurrentHashMap<>();

  PendingEntries(MemberPartitions partitions, RoomForLoading room) {
    this.partitions = partitions;
    this.room = room;
  }

  /**
   * The records that are not loaded yet.
   *
   * @param bytes of the records
   */
  public record Amount(long records, long bytes) {
    /** Nothing. */
    public static final Amount NOTHING = new Amount(0, 0);

    /** Returns this amount minus another. */
    public Amount less(Amount other) {
      return new Amount(records - other.records, bytes - other.bytes);
    }
  }

  /**
   * Returns how much of all maps is not loaded yet, at most; it may become less meanwhile. Takes no
   * locks.
   */
  public Amount amount() {
    long[] sums = new long[2];
    partitions.forEachStore(
        store -> {
          Amount amount = store.entries().restored().toLoad();
          sums[0] += amount.records();
          sums[1] += amount.bytes();
        });
    return new Amount(sums[0], sums[1]);
  }

  /** Says which maps take the keys of a partition that are put back. */
  public interface Takers {
    /** Returns whether a map's entries are still there and take what is put back. */
    boolean take(String map);

    /**
     * Returns whether all that the log has of a map is void: its entries were cleared, or given up,
     * and the log says so. If neither this nor {@link #take} is true, the member is going down, and
     * nothing may be concluded.
     */
    boolean isVoid(String map);
  }

  /**
   * The log has keys of a partition that are put back when something of it is asked for, or by
   * {@link #read}. Before the member takes part in its cluster.
   *
   * @param maps which maps the log has anything of there, and how much that is at most
   * @param reading puts the keys back for those who take them; by who has the partition. If it
   *     throws it is run again, and goes on where it was
   */
  public void readLater(int partition, Map<String, Amount> maps, Consumer<Takers> reading) {
    partitions.exclusively(
        partition,
        () -> {
          UnreadPartition later =
              new UnreadPartition(reading, map -> restored(partitions.store(map, partition)));
          unread.put(partition, later);
          maps.forEach(
              (map, amount) -> {
                RestoredEntries restored =
                    partitions.storeForRestart(map, partition).entries().restored();
                later.add(map, restored);
                restored.readLater(later, amount);
              });
        });
  }

  /**
   * Puts the keys of a partition back, if they were not.
   *
   * @throws OutOfNativeMemoryException if there is no memory for them
   */
  public void read(int partition) {
    UnreadPartition later = unread.get(partition);
    if (later != null) {
      partitions.exclusively(partition, later::read);
      unread.remove(partition);
    }
  }

  /** Returns whether a part of a map is not loaded yet. Any thread may call this. */
  public boolean isLoading(String map) {
    return isLoading(map::equals);
  }

  private boolean isLoading(Predicate<String> which) {
    boolean[] loading = new boolean[1];
    visit(which, restored -> loading[0] |= restored.isLoading());
    return loading[0];
  }

  /**
   * Waits until all of some maps is loaded.
   *
   * @throws HazelcastException if the thread is interrupted
   */
  public void await(Predicate<String> which) {
    while (isLoading(which)) {
      try {
        Thread.sleep(STEP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new HazelcastException("interrupted while entries were loaded", e);
      }
    }
  }

  /**
   * Makes room for what is still to be put back, keys or whole entries. It is given back when there
   * is no other for what comes.
   *
   * @param times how many times as many there will be as came since this was called last, or since
   *     the beginning
   * @param free whether there is so much memory that some may be taken: asked for each table
   */
  public void expect(double times, BooleanSupplier free) {
    expecting = true;
    visitAll(
        restored -> {
          if (free.getAsBoolean()) {
            restored.expect(times);
          }
        });
  }

  /** All has been put back: gives back room that was made for more. */
  public synchronized void expectNoMore() {
    expecting = false;
    visitAll(RestoredEntries::expectNoMore);
    givenBack++;
  }

  /** Gives back what was made for more, if nobody has since; returns whether there was any. */
  private synchronized boolean giveBack(int before) {
    if (givenBack == before && expecting) {
      expectNoMore();
      LockSupport.parkNanos(GUARD_NANOS);
    }
    return givenBack != before;
  }

  private void visitAll(Consumer<RestoredEntries> visitor) {
    partitions.forEachStore(
        store ->
            partitions.exclusively(
                store.getPartitionId(), () -> visitor.accept(store.entries().restored())));
  }

  /** Makes room for all that is not loaded yet and whose keys are known. */
  public void reserve() {
    visit(map -> true, RestoredEntries::reserve);
  }

  /**
   * Loads something, as often as it takes until there is room for it.
   *
   * @param loading holds no partition's lock when it fails, and has changed nothing then
   * @throws OutOfNativeMemoryException if no room can be made
   */
  public void load(Runnable loading) {
    RoomForLoading.Attempts attempts = room.attempts();
    while (true) {
      int before = givenBack;
      attempts.begin();
      try {
        loading.run();
        return;
      } catch (OutOfNativeMemoryException e) {
        if (!giveBack(before)) {
          attempts.failed(e);
        }
      }
    }
  }

  /** Is told of a record that cannot be read; its key is still known, and waits. */
  @FunctionalInterface
  public interface Unreadable {
    void at(int partition, CopiedKey key, long position, LogUnreadableException why);
  }

  /**
   * Reads all that is not loaded yet of some maps from the log, record by record.
   *
   * @param unreadable told what cannot be read; it waits still
   */
  public void loadReadable(Predicate<String> which, Unreadable unreadable) {
    partitions.forEachStore(
        store -> {
          int partition = store.getPartitionId();
          RestoredEntries restored = store.entries().restored();
          if (which.test(store.getName()) && restored.isLoading()) {
            partitions.exclusively(
                partition,
                () ->
                    restored.loadReadable(
                        (key, form, position, why) ->
                            unreadable.at(
                                partition,
                                new CopiedKey(store.getName(), key, form),
                                position,
                                why)));
          }
        });
  }

  /** Visits what is not loaded yet of some maps: where the log has it, and how many bytes it is. */
  public void forEach(Predicate<String> which, EntryLog.Place visitor) {
    visit(which, restored -> restored.visit(visitor));
  }

  /**
   * Makes an index of the entries of a map that are not loaded yet, with each when it comes.
   *
   * @param index normalized
   * @param own the partitions that the member owns
   */
  public void indexAsLoaded(String map, IndexConfig index, List<Integer> own) {
    for (int partition : own) {
      NativeRecordStore store = partitions.store(map, partition);
      if (store != null) {
        partitions.exclusively(partition, () -> store.indexAsLoaded(index));
      }
    }
  }

  /** The partition becomes the member's own, by its thread: its indexes are made of all of it. */
  public void loadForIndexes(int partition) {
    for (NativeRecordStore store : partitions.stores(partition)) {
      partitions.exclusively(partition, store::loadForIndexes);
    }
  }

  private static @Nullable RestoredEntries restored(@Nullable NativeRecordStore store) {
    return store == null ? null : store.entries().restored();
  }

  private void visit(Predicate<String> which, Consumer<RestoredEntries> visitor) {
    partitions.forEachStore(
        store -> {
          RestoredEntries restored = store.entries().restored();
          if (restored.isLoading() && which.test(store.getName())) {
            partitions.exclusively(store.getPartitionId(), () -> visitor.accept(restored));
          }
        });
  }
}
