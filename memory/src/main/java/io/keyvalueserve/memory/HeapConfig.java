package io.keyvalueserve.memory;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The configuration of a heap: its tiers, the preferred one first.
 *
 * @param tiers at least one; a later tier serves when all before it are full
 */
public record HeapConfig(List<TierConfig> tiers) {

  /**
   * Checks the tiers against each other.
   *
   * @throws IllegalArgumentException naming the field, its value and what would be right
   */
  public HeapConfig {
    tiers = List.copyOf(tiers);
    if (tiers.isEmpty()) {
      throw new IllegalArgumentException(
          "tiers of a heap must not be empty; HeapConfig.dram(bytes) is the simplest heap");
    }
    Set<String> tierNames = new HashSet<>();
    Set<String> poolNames = new HashSet<>();
    for (TierConfig tier : tiers) {
      if (!tierNames.add(tier.name())) {
        throw new IllegalArgumentException("two tiers are named '" + tier.name() + "'; rename one");
      }
      for (PoolConfig pool : tier.pools()) {
        if (!poolNames.add(pool.name())) {
          throw new IllegalArgumentException(
              "two pools are named '"
                  + pool.name()
                  + "' (one in tier '"
                  + tier.name()
                  + "'); rename one");
        }
      }
    }
  }

  /** Returns the heap of one pool of anonymous memory of so many bytes. */
  public static HeapConfig dram(long bytes) {
    return of(new PoolConfig("dram", new Source.Dram(), bytes, false));
  }

  /** Returns the heap of one tier over these pools, taken in turns. */
  public static HeapConfig of(PoolConfig... pools) {
    return new HeapConfig(List.of(new TierConfig("memory", Placement.ROUND_ROBIN, List.of(pools))));
  }

  /** Returns the bytes of all pools together. */
  public long capacityBytes() {
    return tiers.stream()
        .flatMap(tier -> tier.pools().stream())
        .mapToLong(PoolConfig::capacityBytes)
        .sum();
  }

  /**
   * Returns the bytes that count against the process's memory limit when all are touched: those not
   * in files or in huge pages that were set apart.
   */
  public long chargedBytes() {
    return tiers.stream()
        .flatMap(tier -> tier.pools().stream())
        .filter(pool -> pool.source().chargedToProcess())
        .mapToLong(PoolConfig::capacityBytes)
        .sum();
  }
}
