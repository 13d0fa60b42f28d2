package io.keyvalueserve.grid.hd;

import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.RecordVisitor;
import io.keyvalueserve.store.Records;
import io.keyvalueserve.store.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * Records of which only the keys are in memory yet, and where the log has the rest: <em>stubs</em>,
 * in a table of their own, which is given back when all are loaded. Used by the writer of the
 * entries that they belong to; {@link #size}, {@link #bytes} and {@link #recordBytes()} by any
 * thread.
 */
final class PendingRecords implements AutoCloseable {
  private static final byte[] NO_VALUE = {};
  private static final int NO_FORM = 0;
  private static final int NO_EXTRA = 0;

  private final Table stubs;
  private final Attributes attributes = new Attributes();

  /** Of the records, in bytes. */
  private volatile long recordBytes;

  /**
   * No stubs yet.
   *
   * @param stubs an empty table for logged records
   */
  PendingRecords(Table stubs) {
    this.stubs = stubs;
  }

  int size() {
    return stubs.size();
  }

  /** What the stubs take, in bytes. */
  long bytes() {
    return stubs.bytes();
  }

  /** What the records will take, in bytes. */
  long recordBytes() {
    return recordBytes;
  }

  /** The stub of a key, 0 if there is none. */
  long find(byte[] key, int offset, int length, int form) {
    return stubs.find(key, offset, length, form);
  }

  /** The stub of a key that is in memory, 0 if there is none. */
  long find(long key, int length, int form) {
    return stubs.find(key, length, form);
  }

  /** Adds a stub of a key that has none. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // there is one writer
  void add(byte[] key, int length, int form, int bytes, long position) {
    attributes.clear();
    attributes.version = bytes;
    recordBytes += bytes;
    long stub =
        stubs.put(
            key, 0, length, form, NO_EXTRA, NO_VALUE, 0, NO_VALUE.length, NO_FORM, attributes);
    Records.setLogPosition(stub, position);
  }

  /** How many bytes the record of a stub has. */
  static int recordBytes(long stub) {
    return Records.version(stub);
  }

  /** Where the log has the record of a stub. */
  static long position(long stub) {
    return Records.logPosition(stub);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // there is one writer
  void remove(long stub) {
    recordBytes -= recordBytes(stub);
    boolean _ = stubs.remove(stub);
  }

  void forEach(RecordVisitor visitor) {
    for (long cursor = 0; cursor != Table.END; ) {
      cursor = stubs.scan(cursor, visitor);
    }
  }

  /** All stubs; an address is good until its stub is removed. */
  List<Long> all() {
    List<Long> all = new ArrayList<>(size());
    forEach(all::add);
    return all;
  }

  @Override
  public void close() {
    stubs.close();
  }
}
