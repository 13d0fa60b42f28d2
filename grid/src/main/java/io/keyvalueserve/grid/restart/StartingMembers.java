package io.keyvalueserve.grid.restart;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * The members that have asked lately how to begin, as a member that has started sees them.
 * Thread-safe.
 */
final class StartingMembers {
  /**
   * The time since its last question for which a member counts as starting. Members that start ask
   * twenty times a second.
   */
  private static final long LATELY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A member that has just begun to take part has asked lately, too. */
  private static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final Map<UUID, Long> asked = new HashMap<>();
  private boolean all;
  private long allSince;

  /**
   * Notes that a member asks, and returns whether all of some members have been starting for a
   * while.
   */
  synchronized boolean areAll(UUID asking, Set<UUID> members, long nowNanos) {
    asked.values().removeIf(then -> nowNanos - then > LATELY_NANOS);
    asked.put(asking, nowNanos);
    if (!asked.keySet().containsAll(members)) {
      all = false;
      return false;
    }
    if (!all) {
      all = true;
      allSince = nowNanos;
    }
    return nowNanos - allSince > LASTING_NANOS;
  }
}
