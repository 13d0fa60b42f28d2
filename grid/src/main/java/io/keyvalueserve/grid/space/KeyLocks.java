package io.keyvalueserve.grid.space;

import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.IMap;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks on several keys, for as long as an action on all of them takes. Everybody locks in the
 * order of maps' names and keys' bytes, so nobody waits in a circle. A lock is on lease: should its
 * member die or stall, others go on, and a write that comes too late waits for them as any other.
 *
 * <p>Belongs to the thread that took them. Waiting blocks: for virtual threads only.
 */
final class KeyLocks implements AutoCloseable {
  /** The lock owner of whoever holds no lock; no thread has this number. */
  static final long NO_THREAD = 0;

  private static final Logger LOG = LoggerFactory.getLogger(KeyLocks.class);
  private static final long LEASE_SECONDS = 60;

  private final Deque<Place> held = new ArrayDeque<>();

  private KeyLocks() {}

  /** A key of a map. */
  record Place(IMap<Object, Object> map, Data key) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.<Place, String>comparing(place -> place.map().getName())
            .thenComparing(place -> place.key().toByteArray(), Arrays::compare);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }

    boolean isSameAs(Place other) {
      return compareTo(other) == 0;
    }
  }

  /**
   * Takes the locks of all these keys.
   *
   * @param patienceMillis how long to wait for each
   * @throws OperationTimeoutException if one stays locked for longer; then none is held
   */
  static KeyLocks take(List<Place> places, long patienceMillis) throws InterruptedException {
    KeyLocks locks = new KeyLocks();
    try {
      Place last = null;
      for (Place place : places.stream().sorted().toList()) {
        if (last == null || !last.isSameAs(place)) {
          locks.take(place, patienceMillis);
        }
        last = place;
      }
      return locks;
    } catch (RuntimeException | InterruptedException e) {
      locks.close();
      throw e;
    }
  }

  private void take(Place place, long patienceMillis) throws InterruptedException {
    boolean taken =
        place
            .map()
            .tryLock(
                place.key(),
                patienceMillis,
                TimeUnit.MILLISECONDS,
                LEASE_SECONDS,
                TimeUnit.SECONDS);
    if (!taken) {
      throw new OperationTimeoutException("a key stayed locked");
    }
    held.push(place);
  }

  /** Returns the id of the thread that the locks belong to. */
  long owner() {
    return Thread.currentThread().threadId();
  }

  @Override
  public void close() {
    while (!held.isEmpty()) {
      Place place = held.pop();
      try {
        place.map().unlock(place.key());
      } catch (RuntimeException e) {
        // The lease has run out, or the member is going down: either frees the key by itself.
        LOG.warn("could not unlock a key; it becomes free within {} s", LEASE_SECONDS, e);
      }
    }
  }
}
