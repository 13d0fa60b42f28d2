package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The keys of a partition that an external store has said it does not have, for a short time. The
 * oldest are forgotten when there are too many. By who has the partition.
 */
final class AbsentKeys {
  private static final int MOST_KEYS = 1_000;
  private static final long MOST_BYTES = 64 << 10;

  private final Map<Data, Long> until = new LinkedHashMap<>();
  private long bytes;

  /**
   * Notes that a key is absent.
   *
   * @param untilMillis when the store is to be asked again, in milliseconds since 1970
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

  /** Returns whether a key is known to be absent. */
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

  /** Forgets that a key is absent. */
  void forget(Data key) {
    if (!until.isEmpty() && until.remove(key) != null) {
      bytes -= key.totalSize();
    }
  }

  /** Forgets all keys. */
  void clear() {
    until.clear();
    bytes = 0;
  }
}
