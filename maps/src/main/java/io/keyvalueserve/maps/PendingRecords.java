package io.keyvalueserve.maps;

import io.keyvalueserve.store.RecordVisitor;
import io.keyvalueserve.store.Records;
import io.keyvalueserve.store.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * Records of which only the keys are in memory yet, and where the log has the rest: <em>stubs</em>,
 * in a table of their own, which is given back as a whole when all are loaded. Used by the writer
 * of the entries that they belong to; {@link #size}, {@link #bytes} and {@link #recordBytes()} by
 * any thread.
 */
final class PendingRecords implements AutoCloseable {
  /**
   * The position of a stub that is no longer one. To take stubs out one by one would cost more than
   * it gives.
   */
  private static final long GONE = 0;

  private final Table stubs;

  private volatile int size;

  /** The size of the records, in bytes. */
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
    return size;
  }

  /** Returns the bytes that the stubs take. */
  long bytes() {
    return stubs.bytes();
  }

  /** Returns the bytes that the records will take. */
  long recordBytes() {
    return recordBytes;
  }

  /** The stub of a key, 0 if there is none. */
  long find(byte[] key, int offset, int length, int form) {
    return waiting(stubs.find(key, offset, length, form));
  }

  private static long waiting(long stub) {
    return stub != 0 && position(stub) != GONE ? stub : 0;
  }

  /** The hash of a key that is in memory. */
  long hash(long key, int length, int form) {
    return stubs.hash(key, length, form);
  }

  /** The stub of a key that is in memory, 0 if there is none. */
  long find(long key, int length, int form) {
    return waiting(stubs.find(key, length, form));
  }

  /** The same with the key's hash. */
  long find(long hash, long key, int length, int form) {
    return waiting(stubs.find(hash, key, length, form));
  }

  /** Makes room for so many stubs at once, as far as there is memory. */
  void reserve(int count) {
    stubs.reserve(count);
  }

  /** Gives back room that was made for more than there are. */
  void fit() {
    stubs.fit();
  }

  /** Adds a key to those that are looked at together. With a guard open. */
  void anticipate(RestoredLookahead lookahead, long hash) {
    lookahead.addStub(stubs, hash);
  }

  /**
   * Puts a stub in the place of the key's present one, if there is one.
   *
   * @param key in memory
   * @param replaced told of the one that was there
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // there is one writer
  void put(long key, int length, int form, int bytes, long position, EntryLog.Place replaced) {
    long hash = stubs.hash(key, length, form);
    long stub = stubs.find(hash, key, length, form);
    if (waiting(stub) != 0) {
      replaced.at(position(stub), recordBytes(stub));
      remove(stub);
    }
    if (stub != 0) {
      Records.setVersion(stub, bytes);
      Records.setLogPosition(stub, position);
    } else {
      long _ = stubs.addKey(hash, key, length, form, bytes, position);
    }
    recordBytes += bytes;
    size++;
  }

  /** Returns the number of bytes of the record of a stub. */
  static int recordBytes(long stub) {
    return Records.version(stub);
  }

  /** Returns the position of the record of a stub in the log. */
  static long position(long stub) {
    return Records.logPosition(stub);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // there is one writer
  void remove(long stub) {
    recordBytes -= recordBytes(stub);
    size--;
    Records.setLogPosition(stub, GONE);
  }

  void forEach(RecordVisitor visitor) {
    RecordVisitor ofThoseThatWait =
        stub -> {
          if (position(stub) != GONE) {
            visitor.visit(stub);
          }
        };
    for (long cursor = 0; cursor != Table.END; ) {
      cursor = stubs.scan(cursor, ofThoseThatWait);
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
