package io.keyvalueserve.maps.reclaim;

import io.keyvalueserve.gates.reclaim.ReclaimAction;
import io.keyvalueserve.gates.reclaim.ReclaimReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The recent history of what was reclaimed, from which tenant and why. What is taken from a tenant
 * for one reason within a minute is one event. Thread-safe.
 */
public final class ReclaimHistory {
  private static final int MOST = 200;
  private static final Duration TOGETHER = Duration.ofMinutes(1);

  private final Deque<Event> events = new ArrayDeque<>(); // the latest first

  /**
   * Memory that a tenant gave up.
   *
   * @param from when it began
   * @param to when it ended
   * @param why the last time: the figures change while it goes on
   * @param bytes of memory that came free
   * @param records that gave up their values, or were deleted
   * @param obstacle why it was less than planned; empty if nothing went wrong
   */
  public record Event(
      Instant from,
      Instant to,
      String tenant,
      ReclaimAction action,
      ReclaimReason why,
      long bytes,
      long records,
      String obstacle) {
    private boolean goesOnWith(Event later) {
      return tenant.equals(later.tenant)
          && action == later.action
          && why.kind() == later.why.kind()
          && obstacle.equals(later.obstacle)
          && Duration.between(from, later.from).compareTo(TOGETHER) < 0;
    }

    private Event and(Event later) {
      return new Event(
          from,
          later.to,
          tenant,
          action,
          later.why,
          bytes + later.bytes,
          records + later.records,
          obstacle);
    }
  }

  /**
   * Adds an event.
   *
   * @return whether it is the first of its kind for a while
   */
  synchronized boolean add(Event event) {
    for (Event before : events) {
      if (before.goesOnWith(event)) {
        events.remove(before);
        events.addFirst(before.and(event));
        return false;
      }
    }
    events.addFirst(event);
    if (events.size() > MOST) {
      events.removeLast();
    }
    return true;
  }

  /** The latest, at most 200, the last one first. */
  public synchronized List<Event> latest() {
    return new ArrayList<>(events);
  }
}
