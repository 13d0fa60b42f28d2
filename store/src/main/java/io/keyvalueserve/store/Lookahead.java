package io.keyvalueserve.store;

import io.keyvalueserve.memory.Memory;

/**
 * Brings what is known of several keys into the processor's cache before they are looked up one
 * after the other.
 *
 * <p>A lookup waits for memory three times in a row: for the key's bucket of the index, for the
 * record, for the value. Here each of these is asked for all keys together, so that the processor
 * waits for all of them at once (group prefetching: S. Chen, A. Ailamaki, P. Gibbons, T. Mowry,
 * "Improving hash join performance through prefetching", ICDE 2004; by plain loads, as Java has no
 * prefetch). Nothing is found or kept: what it does is a matter of time alone.
 *
 * <p>For one thread. From {@link #add} to the end of {@link #fetch} a guard has to be open (see
 * {@link io.keyvalueserve.memory.Epochs}), or the caller is the writer of all the tables.
 */
public final class Lookahead {
  /** The number of keys that are looked at together: more than a processor has misses under way. */
  public static final int MOST_KEYS = 32;

  private static final int LINE_BYTES = 64;
  private static final int MOST_LINES = 4; // the processor itself foresees the rest

  private final long[] hashes = new long[MOST_KEYS];
  private final long[] places = new long[MOST_KEYS];
  private int count;

  /** Keeps the loads from being left out. */
  private long seen;

  /** Returns whether no more keys may be added. */
  public boolean isFull() {
    return count == MOST_KEYS;
  }

  /** Adds a key of a table. */
  public void add(Table table, byte[] key, int offset, int length, int form) {
    add(table, table.hash(key, offset, length, form));
  }

  /** Adds a key of a table that is in memory at an address. */
  public void add(Table table, long key, int length, int form) {
    add(table, table.hash(key, length, form));
  }

  /** Adds a key of a table by its {@link Table#hash}. */
  public void add(Table table, long hash) {
    hashes[count] = hash;
    places[count++] = table.bucketOf(hash);
  }

  /** Brings what has been added near, values too, and forgets it. */
  public void fetch() {
    long sum = fetchRecords();
    for (int i = 0; i < count; i++) {
      if (places[i] != 0) {
        sum += touch(places[i]);
      }
    }
    count = 0;
    seen += sum;
  }

  /** Brings what is needed to find what has been added near, and forgets it. */
  public void fetchKeys() {
    seen += fetchRecords();
    count = 0;
  }

  /** The buckets, then where records begin. */
  private long fetchRecords() {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      if (places[i] != 0) {
        sum += Memory.getLong(places[i]);
      }
    }
    for (int i = 0; i < count; i++) {
      places[i] = places[i] == 0 ? 0 : Index.likely(places[i], hashes[i]);
    }
    for (int i = 0; i < count; i++) {
      if (places[i] != 0) {
        sum += Records.valueLength(places[i]);
      }
    }
    return sum;
  }

  /**
   * Brings some records near, keys and values.
   *
   * @return the sum of what was loaded, to be kept
   */
  static long fetch(long[] records, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Records.valueLength(records[i]);
    }
    for (int i = 0; i < count; i++) {
      sum += touch(records[i]);
    }
    return sum;
  }

  /** Reads a byte of each of a record's first lines, but of the very first. */
  private static long touch(long record) {
    long sum = 0;
    long end = record + Records.bytes(record);
    long line = (record & -LINE_BYTES) + LINE_BYTES;
    for (int i = 1; i < MOST_LINES && line < end; i++, line += LINE_BYTES) {
      sum += Memory.getByte(line);
    }
    return sum;
  }

  /** Returns the sum of what was loaded. */
  long seen() {
    return seen;
  }
}
