package io.keyvalueserve.grid.ledger;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Segments of one process, which a test can look into and change. */
final class MemorySegments implements SegmentStore {
  final Map<String, byte[]> stored = new HashMap<>();
  final Map<Integer, Integer> last = new HashMap<>();

  static String key(int tenantNumber, int segment) {
    return tenantNumber + "/" + segment;
  }

  @Override
  public synchronized byte @Nullable [] get(int tenantNumber, int segment) {
    return stored.get(key(tenantNumber, segment));
  }

  @Override
  public synchronized boolean replace(
      int tenantNumber, int segment, byte @Nullable [] expected, byte[] next) {
    String key = key(tenantNumber, segment);
    if (!Arrays.equals(stored.get(key), expected)) {
      return false;
    }
    stored.put(key, next);
    return true;
  }

  @Override
  public synchronized int lastSegment(int tenantNumber) {
    return last.getOrDefault(tenantNumber, 0);
  }

  @Override
  public synchronized Set<Integer> tenantNumbers() {
    return stored.keySet().stream()
        .map(key -> Integer.valueOf(key.substring(0, key.indexOf('/'))))
        .collect(Collectors.toSet());
  }

  @Override
  public synchronized void noteLastSegment(int tenantNumber, int segment) {
    last.put(tenantNumber, segment);
  }
}
