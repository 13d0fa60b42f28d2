package io.keyvalueserve.maps.reclaim;

import java.util.HashMap;
import java.util.Map;

/**
 * Tenants from which nothing could be taken: they are not asked again for a while, unless they hold
 * more. One thread.
 */
final class Stuck {
  private static final long WHILE_MILLIS = 10_000;
  private static final int GROWTH_PART = 20;

  private final Map<Integer, State> states = new HashMap<>();

  private record State(long untilMillis, long heldBytes) {}

  /** Nothing came of it. */
  void note(int tenant, long heldBytes, long nowMillis) {
    states.put(tenant, new State(nowMillis + WHILE_MILLIS, heldBytes));
  }

  boolean isOne(int tenant, long heldBytes, long nowMillis) {
    State state = states.get(tenant);
    if (state == null) {
      return false;
    }
    boolean still =
        nowMillis < state.untilMillis()
            && heldBytes <= state.heldBytes() + state.heldBytes() / GROWTH_PART;
    if (!still) {
      states.remove(tenant);
    }
    return still;
  }
}
