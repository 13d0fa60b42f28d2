package io.keyvalueserve.memory;

import java.io.Serializable;
import java.util.List;

/**
 * The figures of one tier at one moment.
 *
 * @param name the tier's name
 * @param placement how it chooses among its pools
 * @param pools the figures of its pools, in the configured order
 */
public record TierReport(String name, Placement placement, List<PoolReport> pools)
    implements Serializable {

  /** Keeps a copy of the list. */
  public TierReport {
    pools = List.copyOf(pools);
  }

  /** Returns the bytes its pools may hold. */
  public long capacityBytes() {
    return pools.stream().mapToLong(PoolReport::capacityBytes).sum();
  }

  /** Returns the bytes of its pages that are acquired. */
  public long usedBytes() {
    return pools.stream().mapToLong(PoolReport::usedBytes).sum();
  }

  /** Returns the bytes of its pages that were touched and not returned to the OS since. */
  public long residentBytes() {
    return pools.stream().mapToLong(PoolReport::residentBytes).sum();
  }
}
