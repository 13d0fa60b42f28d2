package io.keyvalueserve.tenancy.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes one event with a count of equal ones within a window, so that a client in a loop cannot
 * fill the disk. No call is forgotten: the counts that come out sum up to the calls that went in.
 *
 * <p>Bounded whatever clients think of: so many occurrences are held as they are, as many again
 * without their objects, one for each actor, and beyond that one for each kind. For one thread.
 */
final class Coalescer {
  /** One actor takes an eighth of the room at most, so that it cannot blur what others do. */
  private static final int PARTS = 8;

  private final Duration window;
  private final int most;
  private final LinkedHashMap<Occurrence, Held> held = new LinkedHashMap<>();
  private final Map<Actor, Integer> apart = new HashMap<>(); // how many held are an actor's
  private final List<Counted> ended = new ArrayList<>();

  /** An occurrence, when it came first, and how many times it came. */
  record Counted(Occurrence occurrence, Instant first, long count) {}

  private static final class Held {
    final Instant first;
    long count;

    Held(Instant first) {
      this.first = first;
    }
  }

  /**
   * @param most how many occurrences are told apart in a window
   */
  Coalescer(Duration window, int most) {
    this.window = window;
    this.most = most;
  }

  /** Counts an occurrence that came so many times. */
  void add(Occurrence occurrence, Instant time, long count) {
    end(time);
    Occurrence key = keyOf(occurrence);
    Held known = held.get(key);
    if (known == null) {
      known = new Held(time);
      held.put(key, known);
      apart.merge(key.actor(), 1, Integer::sum);
    }
    known.count += count;
  }

  /** Takes out those whose window has ended, oldest first. */
  List<Counted> due(Instant now) {
    end(now);
    return takeEnded();
  }

  /** All, which are held no longer; oldest first. */
  List<Counted> all() {
    held.forEach(this::end);
    held.clear();
    return takeEnded();
  }

  /** Returns the nanoseconds until one is due; 0 or less if one is. */
  long untilDue(Instant now) {
    return ended.isEmpty() && !held.isEmpty()
        ? Duration.between(now, held.firstEntry().getValue().first.plus(window)).toNanos()
        : 0;
  }

  /** Returns whether nothing is held. */
  boolean isEmpty() {
    return held.isEmpty() && ended.isEmpty();
  }

  /** Returns the number of occurrences that are held apart. */
  int size() {
    return held.size();
  }

  private Occurrence keyOf(Occurrence occurrence) {
    boolean hasRoom =
        held.size() < most && apart.getOrDefault(occurrence.actor(), 0) < Math.max(1, most / PARTS);
    if (hasRoom || held.containsKey(occurrence)) {
      return occurrence;
    }
    Occurrence ofActor = occurrence.ofVariousObjects();
    if (held.size() < 2 * most || held.containsKey(ofActor)) {
      return ofActor;
    }
    return occurrence.ofVariousActors();
  }

  private void end(Instant now) {
    Iterator<Map.Entry<Occurrence, Held>> oldest = held.entrySet().iterator();
    while (oldest.hasNext()) {
      var entry = oldest.next();
      if (!hasEnded(entry.getValue(), now)) {
        return;
      }
      end(entry.getKey(), entry.getValue());
      oldest.remove();
    }
  }

  private boolean hasEnded(Held each, Instant now) {
    boolean clockWasSetBack = now.isBefore(each.first.minus(window));
    return clockWasSetBack || !now.isBefore(each.first.plus(window));
  }

  private void end(Occurrence occurrence, Held each) {
    ended.add(new Counted(occurrence, each.first, each.count));
    apart.computeIfPresent(occurrence.actor(), (actor, count) -> count == 1 ? null : count - 1);
  }

  private List<Counted> takeEnded() {
    List<Counted> taken = List.copyOf(ended);
    ended.clear();
    return taken;
  }
}
