package io.keyvalueserve.maps.query;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.LenientReading;
import com.hazelcast.query.impl.QueryableEntry;
import io.keyvalueserve.maps.NativeMapContainer;
import io.keyvalueserve.maps.ScannedPartition;
import io.keyvalueserve.store.Records;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record as a row. Moves from record to record; what is asked for is made once. One thread. */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class RowView implements EntryRow {
  private final NativeMapContainer container;
  private final List<FieldReader> fields;
  private final LenientReading lenient;
  private final FastTest.Scratch scratch = new FastTest.Scratch();
  private final RowEntry attributes;
  private @Nullable ScannedPartition partition;
  private long record;
  private @Nullable Data key;
  private @Nullable Data value;
  private boolean hasValue;
  private @Nullable QueryableEntry entry;

  RowView(
      NativeMapContainer container,
      LenientReading lenient,
      Schemas schemas,
      List<FieldReader> fields) {
    this.container = container;
    this.attributes = new RowEntry(this, schemas);
    this.lenient = lenient;
    this.fields = fields;
  }

  /** Moves to a readable record. */
  RowView moveTo(ScannedPartition of, long to) {
    partition = of;
    record = to;
    if (entry != null || key != null || hasValue) {
      entry = null;
      key = null;
      value = null;
      hasValue = false;
    }
    return this;
  }

  /** Returns the address of the record. */
  long record() {
    return record;
  }

  private ScannedPartition of() {
    if (partition == null) {
      throw new IllegalStateException("the row stands nowhere");
    }
    return partition;
  }

  /** Returns what readers of bytes use. */
  FastTest.Scratch scratch() {
    return scratch;
  }

  /** Returns the switch that has values which are not readable read as null. */
  LenientReading lenient() {
    return lenient;
  }

  @Override
  public QueryableEntry<?, ?> attributes(boolean valueMatters) {
    return attributes.withValue(valueMatters);
  }

  /** Returns the entry as Hazelcast's predicates see it. */
  @Override
  public QueryableEntry<?, ?> entry() {
    QueryableEntry made = entry;
    if (made == null) {
      made = container.entry(key(), value());
      entry = made;
    }
    return made;
  }

  @Override
  public @Nullable Object field(int index) {
    return fields.get(index).read(this);
  }

  @Override
  public int partition() {
    return of().number();
  }

  @Override
  public Data key() {
    Data made = key;
    if (made == null) {
      made = ScannedPartition.key(record);
      key = made;
    }
    return made;
  }

  @Override
  public @Nullable Data value() {
    if (!hasValue) {
      value = of().value(record);
      hasValue = true;
    }
    return value;
  }

  @Override
  public int keySize() {
    return ScannedPartition.keySize(record);
  }

  @Override
  public void copyKey(byte[] to, int at) {
    ScannedPartition.copyKey(record, to, at);
  }

  @Override
  public int valueSize() {
    if (Records.isSpilled(record)) {
      Data read = value();
      return read == null ? 0 : read.totalSize();
    }
    return ScannedPartition.valueSize(record);
  }

  @Override
  public void copyValue(byte[] to, int at) {
    if (Records.isSpilled(record)) {
      Data read = value();
      if (read != null) {
        byte[] bytes = read.toByteArray();
        System.arraycopy(bytes, 0, to, at, bytes.length);
      }
    } else {
      ScannedPartition.copyValue(record, to, at);
    }
  }
}
