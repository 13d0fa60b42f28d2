package io.keyvalueserve.grid.quorum;

import com.hazelcast.cluster.Address;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Resolves addresses of members in the background: a name server that does not answer must not stop
 * the thread that keeps the lease. Thread-safe.
 */
final class Addresses {
  private static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Map<String, Entry> known = new ConcurrentHashMap<>();

  /** An address that was looked up; null while, or if, it is not known. */
  private record Entry(@Nullable Address address, long askedNanos) {}

  /**
   * Returns what a text stood for when it was last looked up, and looks it up again if that was
   * more than five seconds ago. Does not block.
   *
   * @param text {@code HOST:PORT}
   * @return null if it is not known yet, or means nothing
   */
  @Nullable Address of(String text) {
    long now = System.nanoTime();
    Entry before = known.get(text);
    if (before == null || now - before.askedNanos() > STALE_NANOS) {
      Address last = before == null ? null : before.address();
      Entry asked = new Entry(last, now);
      boolean first =
          before == null
              ? known.putIfAbsent(text, asked) == null
              : known.replace(text, before, asked);
      if (first) {
        Thread _ = Thread.startVirtualThread(() -> resolve(text, asked));
      }
    }
    Entry entry = known.get(text);
    return entry == null ? null : entry.address();
  }

  private void resolve(String text, Entry asked) {
    int colon = text.lastIndexOf(':');
    try {
      Address address =
          new Address(
              text.substring(0, colon).replace("[", "").replace("]", ""),
              Integer.parseInt(text.substring(colon + 1)));
      boolean _ = known.replace(text, asked, new Entry(address, asked.askedNanos()));
    } catch (UnknownHostException | RuntimeException e) {
      // it may be known later
    }
  }
}
