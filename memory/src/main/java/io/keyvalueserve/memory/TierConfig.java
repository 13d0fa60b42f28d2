package io.keyvalueserve.memory;

import java.util.List;

/**
 * One tier: pools of about the same speed, and how to choose among them.
 *
 * @param name names the tier in reports and errors; unique in its heap
 * @param placement how a pool is chosen
 * @param pools the pools, at least one
 */
public record TierConfig(String name, Placement placement, List<PoolConfig> pools) {

  /**
   * Checks every field.
   *
   * @throws IllegalArgumentException naming the field, its value and what would be right
   */
  public TierConfig {
    PoolConfig.requireName("name of a tier", name);
    pools = List.copyOf(pools);
    if (pools.isEmpty()) {
      throw new IllegalArgumentException(
          "pools of tier '" + name + "' must not be empty; add a pool or remove the tier");
    }
  }
}
