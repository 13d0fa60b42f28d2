package io.keyvalueserve.maps;

import com.hazelcast.spi.exception.RetryableHazelcastException;
import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.gates.fairness.CooperativeYield;
import io.keyvalueserve.journal.spill.SpillArea;
import io.keyvalueserve.journal.spill.SpillBatch;
import io.keyvalueserve.memory.Epochs;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.store.Records;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Has values leave memory for the disk, those worth least first. Requests go on meanwhile:
 *
 * <ol>
 *   <li>Records are found as any reader finds them, with a guard open and no lock.
 *   <li>Their values are written from where they are, many at once. A record never changes its
 *       value, and the guard keeps it where it is, whoever replaces or removes it.
 *   <li>With its partition's lock, each record that is still there gives its place to a stub. For
 *       one that is not, its place on the disk is given back.
 * </ol>
 *
 * <p>One thread at a time.
 */
final class ValueSpiller {
  /** Less is not worth a place on the disk. */
  private static final int LEAST_VALUE_BYTES = 64;

  private static final int MOST_BATCH_BYTES = 1 << 20;
  private static final int MOST_BATCH_VALUES = 1024;

  private final NativeMaps maps;
  private final SpillArea area;
  private final Runnable meanwhile;
  private final int leastValueBytes;
  private final Epochs epochs;
  private final Victims victims = new Victims();
  private final SpillBatch batch = new SpillBatch();
  private final CooperativeYield others = new CooperativeYield();
  private final List<Candidate> candidates = new ArrayList<>();
  private @Nullable TenantHoldings whose;
  private long nowMillis;
  private long batchBytes;
  private long freedBytes;
  private long freedRecords;
  private String obstacle = "";

  private record Candidate(NativeRecordStore store, long record, int length) {}

  /**
   * One that leaves small values alone.
   *
   * @param meanwhile is run after each batch
   */
  ValueSpiller(NativeMaps maps, SpillArea area, Runnable meanwhile) {
    this(maps, area, meanwhile, LEAST_VALUE_BYTES);
  }

  /** One that leaves alone what has fewer bytes. */
  ValueSpiller(NativeMaps maps, SpillArea area, Runnable meanwhile, int leastValueBytes) {
    this.maps = maps;
    this.area = area;
    this.meanwhile = meanwhile;
    this.leastValueBytes = leastValueBytes;
    this.epochs = maps.heap().epochs();
  }

  /**
   * Takes values of these partitions of maps until so many bytes are free, or none is left.
   *
   * @param tenant of what counts for it; null of all there are
   */
  Freed take(List<NativeRecordStore> stores, @Nullable TenantHoldings tenant, long bytes) {
    whose = tenant;
    freedBytes = 0;
    freedRecords = 0;
    obstacle = "";
    long before = -1;
    while (freedBytes < bytes && freedBytes > before && obstacle.isEmpty()) {
      before = freedBytes;
      for (int next = 0; next < stores.size() && goesOn(bytes); ) {
        next = takeSome(stores, next, bytes);
      }
    }
    return new Freed(freedBytes, freedRecords, obstacle);
  }

  private boolean goesOn(long bytes) {
    return freedBytes < bytes && obstacle.isEmpty() && !Thread.currentThread().isInterrupted();
  }

  /** One batch. Returns where to go on. */
  private int takeSome(List<NativeRecordStore> stores, int from, long bytes) {
    int next = from;
    batch.clear();
    candidates.clear();
    batchBytes = 0;
    int guard = epochs.enter();
    try {
      while (next < stores.size() && !isBatchFull(bytes)) {
        collect(stores.get(next));
        next++;
        others.check();
      }
      write();
      settle();
    } finally {
      epochs.exit(guard);
    }
    meanwhile.run();
    return next;
  }

  private boolean isBatchFull(long bytes) {
    return batchBytes >= MOST_BATCH_BYTES
        || batch.size() >= MOST_BATCH_VALUES
        || freedBytes + batchBytes >= bytes;
  }

  private void collect(NativeRecordStore store) {
    nowMillis = System.currentTimeMillis();
    int found = victims.find(store.entries(), record -> isWorthIt(store, record));
    for (int i = 0; i < found; i++) {
      long record = victims.record(i);
      int length = Records.valueLength(record);
      batch.add(Records.valueAddress(record), length);
      candidates.add(new Candidate(store, record, length));
      batchBytes += length;
    }
  }

  private boolean isWorthIt(NativeRecordStore store, long record) {
    TenantHoldings tenant = whose;
    return (tenant == null || store.countsFor(record, tenant))
        && !Records.isSpilled(record)
        && Records.expiresAt(record) >= nowMillis // else it is about to go
        && Records.valueLength(record) >= leastValueBytes
        && !HiddenMaps.hasHead(record); // it is looked at when the entry goes
  }

  private void write() {
    if (batch.size() == 0) {
      return;
    }
    try {
      area.write(batch);
    } catch (IOException e) { // what was written is; the rest stays in memory
      obstacle = String.valueOf(e.getMessage());
    }
  }

  private void settle() {
    for (int i = 0; i < candidates.size(); i++) {
      long handle = batch.handle(i);
      Candidate candidate = candidates.get(i);
      if (handle != 0 && !settle(candidate, handle)) {
        area.free(handle, candidate.length());
      }
      others.check();
    }
  }

  /**
   * Replaces a record by a stub of its value on the disk. Returns false if the record has been
   * replaced or removed, or if no stub can take its place.
   */
  private boolean settle(Candidate candidate, long handle) {
    NativeEntries entries = candidate.store().entries();
    PartitionLock lock = maps.partitions().lock(candidate.store().getPartitionId());
    lock.enter();
    try {
      long stub = entries.isClosed() ? 0 : stub(entries, candidate.record(), handle);
      if (stub == 0) {
        return false;
      }
      freedBytes += Records.bytes(candidate.record()) - Records.bytes(stub);
      freedRecords++;
      return true;
    } catch (RetryableHazelcastException e) {
      return false; // the entries have just left
    } finally {
      lock.exit();
    }
  }

  /** Even a stub needs a little memory: if need be, what is kept back. */
  private long stub(NativeEntries entries, long record, long handle) {
    while (true) {
      try {
        return entries.spilled().spill(record, handle);
      } catch (OutOfNativeMemoryException e) {
        if (!maps.reserve().release()) {
          obstacle = "there is no memory left, not even for what stays of a value that is spilled";
          return 0;
        }
      }
    }
  }
}
