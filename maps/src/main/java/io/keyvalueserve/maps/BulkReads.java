package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.QueryResultSizeExceededException;
import io.keyvalueserve.store.Records;
import java.util.Set;

/**
 * Bounds the bytes that one read of several entries of a partition copies to the Java heap. A page
 * of an iteration ends there. A read of given keys is refused before anything is copied. One entry
 * alone may be longer. Thread-safe.
 */
final class BulkReads {
  private static final int HEAP_PART = 32;

  private volatile long mostBytes = Runtime.getRuntime().maxMemory() / HEAP_PART;

  void setMostBytes(long bytes) {
    mostBytes = bytes;
  }

  /** Returns whether a page that has these bytes is full. */
  boolean isFull(long bytes) {
    return bytes >= mostBytes;
  }

  /**
   * Looks how long the entries of some keys are. By the writer of the entries.
   *
   * @throws QueryResultSizeExceededException if there are several and they are too long together
   */
  void check(Set<Data> keys, NativeEntries entries) {
    if (keys.size() < 2) {
      return;
    }
    long bytes = 0;
    int found = 0;
    int guard = entries.enter();
    try {
      for (Data key : keys) {
        long record = entries.find(key);
        if (record != 0) {
          bytes += bytesOf(record);
          found++;
        }
      }
    } finally {
      entries.exit(guard);
    }
    if (found > 1 && bytes > mostBytes) {
      throw new QueryResultSizeExceededException(
          "one read of several entries may have up to "
              + mostBytes
              + " bytes in a partition, and this one has "
              + bytes
              + " in "
              + found
              + " entries; nothing was returned: ask for fewer keys at a time");
    }
  }

  /** Returns how many bytes of the heap a copy of an entry takes for its key and value. */
  static long bytesOf(long record) {
    return (long) Records.keyLength(record) + Records.valueLength(record);
  }
}
