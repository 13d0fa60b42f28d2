package io.keyvalueserve.server;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The alerts that a member has noted: those that hold, and those that ended last. Bounded; {@link
 * StoredAlerts} keeps them in the cluster. Thread-safe.
 */
final class AlertLog {
  /** The most alerts of each kind. The ended ones that ended first are forgotten. */
  static final int MOST = 500;

  /** An alert that comes back within this time goes on: causes that come and go fill no list. */
  static final Duration PAUSE = Duration.ofMinutes(1);

  private final Map<String, Alert> open = new LinkedHashMap<>();
  private final Deque<Alert> ended = new ArrayDeque<>();

  /**
   * Notes what holds at a time. Whatever else has held until now has ended.
   *
   * @param now at most one of each id
   */
  synchronized void see(List<Alert> now, Instant at) {
    Map<String, Alert> before = new LinkedHashMap<>(open);
    open.clear();
    for (Alert alert : now) {
      if (open.size() < MOST) {
        Alert earlier = before.remove(alert.id());
        Alert paused = earlier == null ? takePaused(alert.id(), at) : earlier;
        open.put(alert.id(), paused == null ? alert : alert.after(paused));
      }
    }
    before.values().forEach(gone -> ended.addFirst(gone.endedAt(at)));
    while (ended.size() > MOST) {
      ended.removeLast();
    }
  }

  private @Nullable Alert takePaused(String id, Instant at) {
    for (Iterator<Alert> each = ended.iterator(); each.hasNext(); ) {
      Alert alert = each.next();
      Instant until = alert.until();
      if (until == null || until.isBefore(at.minus(PAUSE))) {
        return null; // this one ended earlier than that, and so did all that follow
      }
      if (alert.id().equals(id)) {
        each.remove();
        return alert;
      }
    }
    return null;
  }

  /**
   * Takes over alerts that another member, or an earlier life of this one, has noted: what holds
   * still goes on, and what ended just now may come back.
   */
  synchronized void adopt(List<Alert> alerts, Instant at) {
    Set<String> known = new HashSet<>();
    all().forEach(each -> known.add(each.key()));
    List<Alert> recent = new ArrayList<>();
    for (Alert alert : alerts) {
      Instant until = alert.until();
      if (until != null && !until.isBefore(at.minus(PAUSE)) && known.add(alert.key())) {
        recent.add(alert);
      } else if (until == null && known.add(alert.key())) {
        Alert now = open.get(alert.id());
        if (now != null) {
          recent.add(alert.endedAt(now.since()));
        } else if (open.size() < MOST) {
          open.put(alert.id(), alert);
        }
      }
    }
    recent.addAll(ended);
    recent.sort(Comparator.comparing(AlertLog::end).reversed());
    ended.clear();
    ended.addAll(recent);
  }

  private static Instant end(Alert alert) {
    Instant until = alert.until();
    return until == null ? Instant.MAX : until;
  }

  /** Returns those that hold, then those that have ended, the last one first. */
  synchronized List<Alert> all() {
    List<Alert> all = new ArrayList<>(open.values());
    all.addAll(ended);
    return all;
  }
}
