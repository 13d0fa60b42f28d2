package io.keyvalueserve.maps.query;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.query.impl.QueryableEntry;
import org.jspecify.annotations.Nullable;

/** An entry that met the condition of a scan. Valid during the visit, for the visiting thread. */
public interface EntryRow {
  /**
   * Returns the value of one of the scan's fields, converted to the field's type.
   *
   * @param index of the field, 0 or more
   * @throws io.keyvalueserve.engine.query.QueryException if the value cannot be converted
   */
  @Nullable Object field(int index);

  /** Returns the number of the entry's partition. */
  int partition();

  /** Returns a copy of the key. */
  Data key();

  /** Returns a copy of the value; null if it is null. May wait for the disk. */
  @Nullable Data value();

  /** Returns the number of bytes of the key in serialized form. */
  int keySize();

  /** Copies the key in serialized form: {@link #keySize} bytes. */
  void copyKey(byte[] to, int at);

  /** Returns the number of bytes of the value in serialized form; 0 if it is null. */
  int valueSize();

  /** Copies the value in serialized form: {@link #valueSize} bytes. May wait for the disk. */
  void copyValue(byte[] to, int at);

  /** Returns a copy of the entry, as Hazelcast's comparators take it. It stays good. */
  QueryableEntry<?, ?> entry();

  /**
   * Returns the row as Hazelcast's aggregators and projections take it, for this visit.
   *
   * @param valueMatters whether the whole value, as an object, is looked at; if not, it is null
   */
  QueryableEntry<?, ?> attributes(boolean valueMatters);
}
