package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.LenientReading;
import com.hazelcast.internal.serialization.impl.MemberSerialization;
import com.hazelcast.map.impl.record.Record;
import com.hazelcast.query.impl.CachedQueryEntry;
import com.hazelcast.query.impl.getters.Extractors;
import org.jspecify.annotations.Nullable;

/**
 * An entry as an index on the heap keeps it: the key, and where its value is to be found when
 * somebody asks. Reads by any thread; what it reads is the value of that moment, null if the entry
 * has been removed.
 *
 * <p>A subclass of the entry that has everything at hand, because Hazelcast's index code casts to
 * it, and also uses such entries as vessels for other keys and values ({@link #init}): then it is
 * one.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // as Hazelcast's own
final class NativeQueryEntry extends CachedQueryEntry {
  private @Nullable NativeEntries entries;

  /** One that is given a key and a value by {@link #init}. */
  NativeQueryEntry(InternalSerializationService serialization, Extractors extractors) {
    super(serialization, extractors);
  }

  NativeQueryEntry(
      Data key,
      NativeEntries entries,
      InternalSerializationService serialization,
      Extractors extractors) {
    super(serialization, extractors);
    this.keyData = key;
    this.entries = entries;
  }

  @Override
  public CachedQueryEntry init(Object key, @Nullable Object value) {
    entries = null;
    return super.init(key, value);
  }

  @Override
  public CachedQueryEntry initWithObjectKeyValue(Object key, Object value) {
    entries = null;
    return super.initWithObjectKeyValue(key, value);
  }

  /** Ignores the record, because the record of the moment would only hold the entry's storage. */
  @Override
  public void setRecord(Record record) {
    if (entries == null) {
      super.setRecord(record);
    }
  }

  @Override
  public @Nullable Object getKey() {
    return entries == null ? super.getKey() : serializationService.toObject(keyData);
  }

  @Override
  public @Nullable Data getValueData() {
    return entries == null ? super.getValueData() : entries.valueOf(keyData);
  }

  @Override
  public @Nullable Object getValue() {
    return entries == null ? super.getValue() : serializationService.toObject(getValueData());
  }

  @Override
  public @Nullable Object getValueIfPresent() {
    return entries == null ? super.getValueIfPresent() : null;
  }

  @Override
  public @Nullable Data getValueDataIfPresent() {
    return entries == null ? super.getValueDataIfPresent() : getValueData();
  }

  @Override
  public @Nullable Object getByPrioritizingDataValue() {
    return entries == null ? super.getByPrioritizingDataValue() : getValueData();
  }

  @Override
  public @Nullable Object getByPrioritizingObjectValue() {
    return entries == null ? super.getByPrioritizingObjectValue() : getValueData();
  }

  /** Sees no attributes in a value that is not readable. */
  @Override
  public Object getAttributeValue(String name) {
    LenientReading lenient = MemberSerialization.lenient(serializationService);
    boolean before = lenient.begin();
    try {
      return super.getAttributeValue(name);
    } finally {
      lenient.end(before);
    }
  }

  /** Objects for attributes to be taken from; some kinds are read in their serialized form. */
  @Override
  protected @Nullable Object getTargetObject(boolean key) {
    if (entries == null) {
      return super.getTargetObject(key);
    }
    Data data = key ? keyData : getValueData();
    boolean readAsItIs = data != null && (isPortable(data) || data.isJson() || data.isCompact());
    return readAsItIs ? data : serializationService.toObject(data);
  }

  @SuppressWarnings("removal") // still there, and still what the other side asks
  private static boolean isPortable(Data data) {
    return data.isPortable();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CachedQueryEntry entry && keyData.equals(entry.getKeyData());
  }

  @Override
  public int hashCode() {
    return keyData.hashCode();
  }
}
