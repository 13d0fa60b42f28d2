package io.keyvalueserve.maps;

import static java.util.Objects.requireNonNull;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.store.Table;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Entries without a member, for tests: the thread that made them is their writer. */
final class Entries implements AutoCloseable {
  static final InternalSerializationService SERIALIZATION =
      new DefaultSerializationServiceBuilder().build();

  private static final long SEED = 7;
  private static final long MEMORY_BYTES = 64 << 20;

  final NativeHeap heap = NativeHeap.open(HeapConfig.dram(MEMORY_BYTES), 1);
  final LongAdder bytes = new LongAdder();
  final NativeEntries entries;

  Entries() {
    PartitionLock lock = new PartitionLock();
    lock.enter();
    entries =
        new NativeEntries(
            departures -> new Table(heap, 0, SEED),
            () -> new Table(heap, 0, SEED, true, (position, length) -> {}),
            heap.epochs(),
            lock,
            bytes,
            Charges.none(),
            EntryLog.NONE,
            null,
            null,
            null);
  }

  static Data data(@Nullable Object object) {
    return SERIALIZATION.toData(object);
  }

  /** Puts an entry as a record store does, and returns its record. */
  NativeRecord put(Object key, @Nullable Object value) {
    NativeRecord record =
        new NativeRecord(NativeRecord.Kind.STATISTICS, entries, data(key), data(value));
    var fresh = requireNonNull(record.unstored());
    record.stored(entries.put(data(key), data(value), fresh.attributes));
    return record;
  }

  void replace(Object key, Object value) {
    long _ = entries.replaceValue(entries.find(data(key)), data(value), 0);
  }

  void remove(Object key) {
    entries.remove(entries.find(data(key)));
  }

  @Override
  public void close() {
    entries.close();
    heap.close();
  }
}
