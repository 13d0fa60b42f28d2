package io.keyvalueserve.server;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The difference between the alerts that a member has and what the cluster keeps of them. For one
 * thread.
 */
final class AlertChanges {
  /** The most that are written at once. The others wait for the next time. */
  static final int MOST_AT_ONCE = 200;

  /** The alerts that this member has written and still has. */
  private final Map<String, Alert> written = new HashMap<>();

  /** The alerts of this member that hold, as far as the cluster knows. */
  private final Map<String, Alert> open = new HashMap<>();

  /** Takes over alerts that the cluster has, and that this member answers for from now on. */
  void adopt(Collection<Alert> alerts) {
    for (Alert alert : alerts) {
      if (alert.until() == null) {
        open.put(alert.key(), alert);
      }
    }
  }

  /**
   * Returns what is to be written, by keys. An alert that ended just now is written later, as it
   * may come back: causes that come and go cost no writes. An alert that the cluster takes to hold,
   * and that the member no longer has, ends now: the member's list is bounded and has dropped it.
   *
   * @param alerts all that the member has
   */
  Map<String, Alert> next(List<Alert> alerts, Instant at) {
    Set<String> known = new HashSet<>();
    Map<String, Alert> changed = new HashMap<>();
    for (Alert alert : alerts) {
      known.add(alert.key());
      Instant until = alert.until();
      boolean isSettled = until == null || until.isBefore(at.minus(AlertLog.PAUSE));
      if (isSettled && changed.size() < MOST_AT_ONCE && !alert.equals(written.get(alert.key()))) {
        changed.put(alert.key(), alert);
      }
    }
    for (Alert dropped : open.values()) {
      if (changed.size() < MOST_AT_ONCE && !known.contains(dropped.key())) {
        changed.put(dropped.key(), dropped.endedAt(at));
      }
    }
    written.keySet().retainAll(known);
    return changed;
  }

  /** Takes note that the cluster has what {@link #next} returned. */
  void wrote(Map<String, Alert> changed) {
    changed.forEach(
        (key, alert) -> {
          written.put(key, alert);
          if (alert.until() == null) {
            open.put(key, alert);
          } else {
            open.remove(key);
          }
        });
  }
}
