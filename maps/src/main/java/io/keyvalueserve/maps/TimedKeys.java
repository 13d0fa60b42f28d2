package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keys of a partition of which something holds until a time, such as that an external store does
 * not have them. The oldest are forgotten when there are too many. The caller has the partition.
 */
final class TimedKeys {
  private static final int MOST_KEYS = 1_000;
  private static final long MOST_BYTES = 64 << 10;

  private final Map<Data, Long> until = new LinkedHashMap<>();
  private long bytes;

  /**
   * Adds a key.
   *
   * @param untilMillis until when it holds, in milliseconds since 1970
   */
  void add(Data key, long untilMillis) {
    if (until.put(key, untilMillis) == null) {
      bytes += key.totalSize();
    }
    var oldest = until.entrySet().iterator();
    while ((until.size() > MOST_KEYS || bytes > MOST_BYTES) && oldest.hasNext()) {
      bytes -= oldest.next().getKey().totalSize();
      oldest.remove();
    }
  }

  /** Returns whether a key is there, and its time has not passed. */
  boolean has(Data key, long nowMillis) {
    Long end = until.get(key);
    if (end == null) {
      return false;
    }
    if (end > nowMillis) {
      return true;
    }
    forget(key);
    return false;
  }

  /** Removes a key. */
  void forget(Data key) {
    if (!until.isEmpty() && until.remove(key) != null) {
      bytes -= key.totalSize();
    }
  }

  /** Removes all keys. */
  void clear() {
    until.clear();
    bytes = 0;
  }
}
