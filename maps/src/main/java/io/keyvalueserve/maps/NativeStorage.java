package io.keyvalueserve.maps;

import com.hazelcast.core.EntryView;
import com.hazelcast.internal.iteration.IterationPointer;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.internal.util.TimeStripUtil;
import com.hazelcast.map.impl.EntryCostEstimator;
import com.hazelcast.map.impl.iterator.MapEntriesWithCursor;
import com.hazelcast.map.impl.iterator.MapKeysWithCursor;
import com.hazelcast.map.impl.record.Record;
import com.hazelcast.map.impl.recordstore.LazyEvictableEntryView;
import com.hazelcast.map.impl.recordstore.Storage;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.RecordVisitor;
import io.keyvalueserve.store.Records;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Stores the records of a Hazelcast record store: {@link NativeEntries} behind Hazelcast's
 * interface. A write that finds no memory changes nothing; before it fails, it tries to make room
 * ({@link Relief}).
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class NativeStorage implements Storage<Data, Record> {
  private final NativeEntries entries;
  private final NativeRecord.Kind kind;
  private final Relief relief;
  private final Charging charging;
  private final BulkReads bulkReads;
  private final SerializationService serialization;
  private final NativeCost cost;

  NativeStorage(
      NativeEntries entries,
      NativeRecord.Kind kind,
      Relief relief,
      Charging charging,
      BulkReads bulkReads,
      SerializationService serialization) {
    this.entries = entries;
    this.kind = kind;
    this.relief = relief;
    this.charging = charging;
    this.bulkReads = bulkReads;
    this.serialization = serialization;
    this.cost = new NativeCost(entries);
  }

  @Override
  public void put(Data key, Record record) {
    NativeRecord written = (NativeRecord) record;
    NativeRecord.Unstored fresh = written.unstored();
    Data value = fresh == null ? written.getValue() : fresh.value();
    Attributes attributes =
        fresh == null ? attributesOf(written.locate()) : adopt(fresh.attributes, key);
    int before = attributes.tenant;
    int tenant = charging.tenant(before);
    attributes.tenant = tenant;
    stamp(attributes);
    relief.admit(key, sizeOf(value));
    for (int attempt = 0; ; attempt++) {
      try {
        written.stored(entries.put(key, value, attributes));
        charging.changed(key, before, tenant);
        return;
      } catch (OutOfNativeMemoryException e) {
        relief.makeRoom(key, attempt, e);
      }
    }
  }

  /**
   * Sets when the entry was last used, for reclaiming, unless the map shows that time to its users.
   */
  private void stamp(Attributes attributes) {
    if (!kind.showsLastAccess()) {
      attributes.lastAccessSeconds = now();
    }
  }

  private void stamp(long record) {
    if (!kind.showsLastAccess()) {
      Records.setLastAccessSeconds(record, now());
    }
  }

  private static int now() {
    return TimeStripUtil.stripBaseTime(Clock.currentTimeMillis());
  }

  /**
   * Returns the size of a value as it is kept: a byte array without its length, a text without its
   * length.
   */
  private static int sizeOf(@Nullable Data value) {
    byte[] payload = DataForm.payload(value);
    return payload.length - DataForm.offset(DataForm.of(payload));
  }

  /** A record that takes the place of another loses its expiry, as Hazelcast sets it anew. */
  private Attributes adopt(Attributes attributes, Data key) {
    long before = entries.find(key);
    if (before != 0) {
      attributes.tenant = entries.attributes().of(before).tenant;
    }
    return attributes;
  }

  private Attributes attributesOf(long record) {
    Attributes attributes = entries.attributes();
    return record == 0 ? attributes.clear() : attributes.of(record);
  }

  @Override
  public Record updateRecordValue(Data key, Record record, Object value) {
    NativeRecord written = (NativeRecord) record;
    Data data = serialization.toData(value);
    if (written.unstored() != null) {
      written.setValue(data);
      return written;
    }
    relief.admit(key, sizeOf(data));
    for (int attempt = 0; ; attempt++) {
      long address = written.locate();
      if (address == 0) { // removed in the meantime: as in a map of Hazelcast's, nobody sees it
        return written;
      }
      try {
        int before = Records.tenant(address);
        int tenant = charging.tenant(before);
        long next = entries.replaceValue(address, data, tenant);
        charging.changed(key, before, tenant);
        stamp(next);
        written.stored(next);
        return written;
      } catch (OutOfNativeMemoryException e) {
        relief.makeRoom(key, attempt, e);
      }
    }
  }

  /** Writes a value together with what else of the record is to change with it. */
  void update(Data key, NativeRecord record, @Nullable Object value, Consumer<Attributes> change) {
    Data data = serialization.toData(value);
    relief.admit(key, sizeOf(data));
    for (int attempt = 0; ; attempt++) {
      long address = record.locate();
      if (address == 0) { // as in updateRecordValue
        return;
      }
      Attributes attributes = entries.attributes().of(address);
      change.accept(attributes);
      int before = attributes.tenant;
      int tenant = charging.tenant(before);
      attributes.tenant = tenant;
      stamp(attributes);
      try {
        record.stored(entries.put(key, data, attributes));
        charging.changed(key, before, tenant);
        return;
      } catch (OutOfNativeMemoryException e) {
        relief.makeRoom(key, attempt, e);
      }
    }
  }

  @Override
  public @Nullable Record get(Data key) {
    if (entries.isWriter()) {
      long address = entries.findOften(key);
      return address == 0 ? null : new NativeRecord(kind, entries, key, address, entries.changes());
    }
    int guard = entries.enter();
    try {
      long changes = entries.changes();
      long address = entries.find(key);
      return address == 0 ? null : new NativeRecord(kind, entries, key, address, changes);
    } finally {
      entries.exit(guard);
    }
  }

  @Override
  public Record getIfSameKey(Data key) {
    throw new UnsupportedOperationException("keys are not handed out in memory");
  }

  @Override
  public void removeRecord(Data key, Record record) {
    long address = entries.find(key);
    if (address != 0) {
      entries.remove(address);
    }
  }

  @Override
  public boolean containsKey(Data key) {
    return entries.contains(key);
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public boolean isEmpty() {
    return entries.size() == 0;
  }

  /**
   * Removes all entries. If the caller is not the writer, the entries are only abandoned: nothing
   * is left to be found, but the memory stays in use.
   */
  @Override
  public void clear() {
    if (entries.isWriter()) {
      entries.clear();
    } else {
      entries.abandon();
    }
  }

  /**
   * Closes the entries. If the caller is not the writer, the entries are only abandoned, as in
   * {@link #clear}.
   */
  @Override
  public void destroy() {
    if (entries.isWriter()) {
      entries.close();
    } else {
      entries.abandon();
    }
  }

  @Override
  public Iterator<Map.Entry<Data, Record>> mutationTolerantIterator() {
    return new NativeIterator(entries, kind);
  }

  @Override
  public MapKeysWithCursor fetchKeys(IterationPointer[] pointers, int size) {
    List<Data> keys = new ArrayList<>();
    long next =
        fetch(pointers, size, record -> keys.add(DataForm.key(record)), keys, Records::keyLength);
    return new MapKeysWithCursor(keys, Cursor.pointers(next));
  }

  @Override
  public MapEntriesWithCursor fetchEntries(IterationPointer[] pointers, int size) {
    List<Map.Entry<Data, Data>> batch = new ArrayList<>();
    long next = fetch(pointers, size, record -> addTo(batch, record), batch, BulkReads::bytesOf);
    return new MapEntriesWithCursor(batch, Cursor.pointers(next));
  }

  private void addTo(List<Map.Entry<Data, Data>> batch, long record) {
    Data key = DataForm.key(record);
    Data value = entries.value(record);
    if (value != null || Records.valueForm(record) == DataForm.NULL) { // not removed meanwhile
      batch.add(new SimpleEntry<>(key, value));
    }
  }

  private long fetch(
      IterationPointer[] pointers,
      int size,
      RecordVisitor visitor,
      List<?> fetched,
      LongUnaryOperator length) {
    long cursor = Cursor.of(pointers);
    long[] bytes = {0};
    int guard = entries.enter();
    try {
      while (cursor >= 0 && fetched.size() < size && !bulkReads.isFull(bytes[0])) {
        cursor =
            entries.scan(
                cursor,
                record -> {
                  bytes[0] += length.applyAsLong(record);
                  visitor.visit(record);
                });
      }
      return cursor;
    } finally {
      entries.exit(guard);
    }
  }

  @Override
  public Iterable<EntryView> getRandomSamples(int sampleCount) {
    List<EntryView> samples = new ArrayList<>(sampleCount);
    int guard = entries.enter();
    try {
      long changes = entries.changes();
      entries.sample(
          sampleCount,
          record -> {
            Data key = DataForm.key(record);
            samples.add(
                new LazyEvictableEntryView<>(
                    key,
                    new NativeRecord(kind, entries, key, record, changes),
                    NativeExpiry.snapshot(record),
                    serialization));
          });
    } finally {
      entries.exit(guard);
    }
    return samples;
  }

  @Override
  public Data extractDataKeyFromLazy(EntryView entryView) {
    return ((LazyEvictableEntryView) entryView).getDataKey();
  }

  /** Keys in memory are not handed out: a key's own form serves. */
  @Override
  public Data toBackingDataKeyFormat(Data key) {
    return key;
  }

  @Override
  public EntryCostEstimator getEntryCostEstimator() {
    return cost;
  }

  /** Bytes are counted, not estimated. */
  @Override
  public void setEntryCostEstimator(EntryCostEstimator entryCostEstimator) {
    throw new UnsupportedOperationException("bytes in memory are counted, not estimated");
  }

  @Override
  public void afterOperation(int threadIndex) {
    entries.forget();
  }

  /** The entries, for who reads them directly. */
  NativeEntries entries() {
    return entries;
  }
}
