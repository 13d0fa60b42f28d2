package io.keyvalueserve.resp.script;

import io.keyvalueserve.gates.heap.HeapLease;
import java.util.Comparator;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The compiled scripts of one tenant on this member. Those that were not used for the longest time
 * go first. Thread-safe; finding one takes no lock.
 */
final class TenantScripts {
  /** The most scripts of a tenant. */
  static final int MOST_SCRIPTS = 500;

  /** The most bytes of a tenant's scripts. */
  static final long MOST_BYTES = 16L << 20;

  private final ConcurrentHashMap<String, ScriptCode> byDigest = new ConcurrentHashMap<>();
  private final HeapLease room;

  /** Guarded by this. */
  private long bytes;

  /**
   * @param room counts what the scripts take of the heap
   */
  TenantScripts(HeapLease room) {
    this.room = room;
  }

  /** Returns the script of a digest, or null. */
  @Nullable ScriptCode find(String digest, long nowNanos) {
    ScriptCode code = byDigest.get(digest);
    if (code != null) {
      code.used(nowNanos);
    }
    return code;
  }

  boolean has(String digest) {
    return byDigest.containsKey(digest);
  }

  int count() {
    return byDigest.size();
  }

  /** Keeps a script, if there is room for it when others are gone. */
  synchronized void add(ScriptCode code, long nowNanos) {
    code.used(nowNanos);
    long size = code.bytes();
    if (byDigest.containsKey(code.digest()) || size > MOST_BYTES) {
      return;
    }
    while (byDigest.size() >= MOST_SCRIPTS || bytes + size > MOST_BYTES) {
      evict();
    }
    while (!room.take(size)) {
      if (byDigest.isEmpty()) {
        return;
      }
      evict();
    }
    bytes += size;
    byDigest.put(code.digest(), code);
  }

  private void evict() {
    byDigest.values().stream()
        .min(Comparator.comparingLong(ScriptCode::usedNanos))
        .ifPresent(
            oldest -> {
              byDigest.remove(oldest.digest());
              bytes -= oldest.bytes();
              room.give(oldest.bytes());
            });
  }

  synchronized void clear() {
    byDigest.clear();
    room.give(bytes);
    bytes = 0;
  }
}
