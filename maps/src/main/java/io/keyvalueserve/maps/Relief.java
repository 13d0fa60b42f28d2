package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes room when a write to a partition finds no memory. In this order:
 *
 * <ol>
 *   <li>A <em>copy</em> (a backup, or an entry that migrates to this member) takes from the {@link
 *       Reserve}. An entry of the member's own does not, and is held back as long as the reserve is
 *       in use.
 *   <li>Entries are evicted, from maps whose configuration allows it and whose partitions this
 *       thread writes: of the written map first, then of the map that uses most. More each time
 *       ({@link NativeEvictor}).
 *   <li>If memory is being reclaimed, the operation comes again ({@link MemoryPressure}).
 *   <li>The write fails ({@link NativeMemoryFullException}), and nothing has changed.
 * </ol>
 *
 * <p>A decision on a transaction takes from the reserve too, and is never evicted: without it the
 * keys of the transaction would stay locked.
 *
 * <p>When a client's write fails, the client is told. A migration fails as a whole, is rolled back,
 * and is tried again later; the entries stay where they were. A backup that fails is not confirmed
 * to the primary, which answers its client after the backup timeout. The replica's version stays
 * behind, so Hazelcast's anti-entropy sends the whole partition again. If that fails too, the
 * replica is marked as out of date ({@link NativeRecordStore}), because Hazelcast would otherwise
 * take it for complete. This is repeated until it succeeds, and the log says so each time.
 *
 * <p>Used by the writer of the partition only.
 */
final class Relief {
  private static final int FEWEST_EVICTED = 16;
  private static final int MOST_DOUBLINGS = 6;

  private final NativeMaps maps;
  private final NativeRecordStore store;
  private final Charging charging;
  private final BooleanSupplier primary;
  private final boolean pages;
  private boolean exempt;
  private boolean decided;

  /**
   * Creates the relief for one partition of one map.
   *
   * @param primary whether this member owns the partition at this moment
   */
  Relief(NativeMaps maps, NativeRecordStore store, Charging charging, BooleanSupplier primary) {
    this.maps = maps;
    this.store = store;
    this.charging = charging;
    this.primary = primary;
    this.pages = HiddenMaps.isHidden(store.getName());
    this.decided = LocalMaps.isOfTransactions(store.getName());
  }

  /**
   * Has what is written by a task be written whatever quotas say: it was admitted before, and would
   * be lost in part.
   */
  void exempt(Runnable task) {
    boolean before = exempt;
    exempt = true;
    try {
      task.run();
    } finally {
      exempt = before;
    }
  }

  /**
   * Runs a task that writes what a transaction has decided. Such a write may not fail, because the
   * transaction would take effect in part: it passes quotas, and takes from the reserve as a copy
   * does.
   */
  void decided(Runnable task) {
    boolean before = decided;
    decided = true;
    try {
      exempt(task);
    } finally {
      decided = before;
    }
  }

  /** Returns whether such a task is running. */
  boolean isDeciding() {
    return decided;
  }

  /**
   * Checks that a write that may need memory is allowed. To be called before the write.
   *
   * @param valueBytes how large the value is
   * @throws QuotaUsedException if the tenant has what it may have
   * @throws NativeMemoryFullException if what is left is reserved for copies
   */
  void admit(Data key, int valueBytes) {
    TenantHoldings usage = charging.usage();
    if (usage != null && !exempt && !mayWrite(usage, valueBytes) && primary.getAsBoolean()) {
      String refusal = refusal(usage, valueBytes);
      if (refusal != null && store.evictExpiredFor(key)) {
        refusal = refusal(usage, valueBytes);
      }
      if (refusal != null) { // there may be room since
        throw new QuotaUsedException(refusal);
      }
    }
    Reserve reserve = maps.reserve();
    for (int attempt = 0; !decided && !reserve.isWhole() && primary.getAsBoolean(); attempt++) {
      if (reserve.refill()) {
        return;
      }
      if (evict(key, attempt) == 0) {
        throw full("what is left is kept for copies");
      }
    }
  }

  private boolean mayWrite(TenantHoldings usage, int valueBytes) {
    return pages ? usage.refusalOfPage(valueBytes, false) == null : usage.mayWrite(valueBytes);
  }

  private @Nullable String refusal(TenantHoldings usage, int valueBytes) {
    boolean reclaimed = store.container().isReclaimed();
    return pages
        ? usage.refusalOfPage(valueBytes, reclaimed)
        : usage.refusal(valueBytes, reclaimed);
  }

  /**
   * Makes room; then the write is to be tried again.
   *
   * @param key what is being written: is not evicted itself
   * @param attempt how often the write has failed before
   * @throws NativeMemoryFullException if there is no way to make room
   */
  void makeRoom(Data key, int attempt, OutOfNativeMemoryException failure) {
    if ((decided || !primary.getAsBoolean()) && maps.reserve().release()) {
      return;
    }
    if (evict(key, attempt) == 0) {
      throw full("no run of " + failure.askedBytes() + " bytes is free");
    }
  }

  /**
   * Returns the exception for a write that found no memory. Does not return if memory is being
   * freed and the operation may be retried: then the operation is sent back.
   */
  private NativeMemoryFullException full(String why) {
    if (primary.getAsBoolean()) {
      maps.partitions().lock(store.getPartitionId()).noMemory();
    }
    return maps.shortage().full(why);
  }

  private int evict(Data key, int attempt) {
    int count = FEWEST_EVICTED << Math.min(attempt, MOST_DOUBLINGS);
    int evicted = NativeEvictor.force(store, key, count);
    return evicted > 0
        ? evicted
        : maps.shortage().evictLargest(store.getPartitionId(), store, key, count);
  }
}
