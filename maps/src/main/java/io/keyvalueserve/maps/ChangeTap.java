package io.keyvalueserve.maps;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Takes all changes of some maps, in the partitions that this member owns, from when it is opened
 * until it is closed. Changes of one partition come in their order. Writers never wait for the tap:
 * if more changes wait in it than it may hold, it drops them and has {@linkplain #hasOverflowed
 * overflowed} from then on.
 *
 * <p>Thread-safe; one thread at a time drains it.
 */
public final class ChangeTap implements AutoCloseable {
  private final ChangeTaps taps;
  private final Predicate<String> maps;
  private final long mostBytes;
  private final ConcurrentLinkedQueue<MapChange> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean overflowed;

  ChangeTap(ChangeTaps taps, Predicate<String> maps, long mostBytes) {
    this.taps = taps;
    this.maps = maps;
    this.mostBytes = mostBytes;
  }

  /** Returns whether the changes of a map are taken. */
  boolean takes(String map) {
    return maps.test(map);
  }

  /** Takes a change. By the writer of its partition. */
  void take(MapChange change) {
    if (overflowed) {
      return;
    }
    if (bytes.addAndGet(change.bytes()) > mostBytes || !taps.reserve(change.bytes())) {
      overflowed = true;
      return;
    }
    boolean _ = waiting.add(change);
  }

  /** Shows the changes that have come since the last call, and takes them out. */
  public void drain(Consumer<MapChange> visitor) {
    for (MapChange change = waiting.poll(); change != null; change = waiting.poll()) {
      long _ = bytes.addAndGet(-change.bytes());
      taps.release(change.bytes());
      visitor.accept(change);
    }
  }

  /** Returns whether changes were dropped, because too many waited. */
  public boolean hasOverflowed() {
    return overflowed;
  }

  /** Takes no more changes, and forgets those that wait. Idempotent. */
  @Override
  public void close() {
    taps.remove(this);
    overflowed = true; // a writer may be about to add one
    drain(change -> {});
  }
}
