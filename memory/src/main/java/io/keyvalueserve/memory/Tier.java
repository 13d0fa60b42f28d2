package io.keyvalueserve.memory;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** The open pools of a tier, and which comes next. Thread-safe. */
final class Tier {

  private final TierConfig config;
  private final PagePool[] pools;
  private final NumaTopology topology;
  private final IntSupplier currentCpu;
  private final NearestPools nearest;
  private final AtomicInteger turn = new AtomicInteger();

  /**
   * Puts open pools together.
   *
   * @param currentCpu tells the processor of the calling thread
   */
  Tier(TierConfig config, List<PagePool> pools, NumaTopology topology, IntSupplier currentCpu) {
    this.config = config;
    this.pools = pools.toArray(PagePool[]::new);
    this.topology = topology;
    this.currentCpu = currentCpu;
    this.nearest =
        switch (config.placement()) {
          case ROUND_ROBIN -> NearestPools.allAlike(pools.size());
          case LOCAL ->
              NearestPools.of(pools.stream().mapToInt(PagePool::node).toArray(), topology);
        };
  }

  /** Takes a run from the pool that placement prefers, or the next that has room; 0 if none has. */
  long acquire(int pages) {
    if (pools.length == 1) {
      return pools[0].acquire(pages);
    }
    boolean local = config.placement() == Placement.LOCAL;
    int[][] groups = nearest.groups(local ? topology.nodeOfCpu(currentCpu.getAsInt()) : -1);
    int first = turn.getAndIncrement();
    for (int[] group : groups) {
      for (int i = 0; i < group.length; i++) {
        long address = pools[group[Math.floorMod(first + i, group.length)]].acquire(pages);
        if (address != 0) {
          return address;
        }
      }
    }
    return 0;
  }

  PagePool[] pools() {
    return pools;
  }

  TierReport report() {
    return new TierReport(
        config.name(), config.placement(), Arrays.stream(pools).map(PagePool::report).toList());
  }
}
