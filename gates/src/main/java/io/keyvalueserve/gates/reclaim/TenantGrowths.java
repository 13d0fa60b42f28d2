package io.keyvalueserve.gates.reclaim;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The recent growth of tenants' memory, whatever is reclaimed from them meanwhile. Growth before
 * the last look counts half, and growth before the look before that a quarter. For one thread.
 */
public final class TenantGrowths {
  private final Map<Integer, Growth> growths = new HashMap<>();

  private static final class Growth {
    long held;
    long grown;
  }

  /**
   * Looks at a tenant. When it is first looked at it has not grown.
   *
   * @param heldBytes what it holds now, 0 or more
   */
  public void look(int tenant, long heldBytes) {
    Growth growth = growths.get(tenant);
    if (growth == null) {
      growth = new Growth();
      growths.put(tenant, growth);
    } else {
      growth.grown = growth.grown / 2 + Math.max(0, heldBytes - growth.held);
    }
    growth.held = heldBytes;
  }

  /** Some was taken from it since it was last looked at: if it holds as much then, it has grown. */
  public void taken(int tenant, long bytes) {
    Growth growth = growths.get(tenant);
    if (growth != null) {
      growth.held = Math.max(0, growth.held - bytes);
    }
  }

  /** Returns the bytes by which a tenant has grown recently: 0 or more. */
  public long bytes(int tenant) {
    Growth growth = growths.get(tenant);
    return growth == null ? 0 : growth.grown;
  }

  /** Forgets all others, as they are gone. */
  public void keepOnly(Set<Integer> present) {
    growths.keySet().retainAll(present);
  }
}
