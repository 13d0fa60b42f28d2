package io.keyvalueserve.grid.turn;

import com.hazelcast.internal.util.RuntimeAvailableProcessors;
import com.hazelcast.internal.util.executor.ExecutorType;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.executionservice.ExecutionService;
import io.keyvalueserve.maps.query.QueryTurns;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * The threads that slices of queries run on, in turns of their tenants. Slices wait for nobody but
 * a disk, so none keeps others from going on. Thread-safe.
 */
public final class QuerySlices implements QueryTurns {
  private static final String NAME = "kvs:query-slices";
  private static final int FEWEST_THREADS = 2;
  private static final int MOST_WAITING = 100_000;

  private final TurnPool pool;

  /** Makes the pool of a member, once. */
  public QuerySlices(NodeEngine nodeEngine, PartitionTurns turns) {
    ExecutionService pools = nodeEngine.getExecutionService();
    int processors = RuntimeAvailableProcessors.get();
    int threads = Math.max(FEWEST_THREADS, processors);
    this.pool =
        turns.share(
            (ThreadPoolExecutor) pools.register(NAME, threads, MOST_WAITING, ExecutorType.CONCRETE),
            processors);
  }

  @Override
  public void execute(int tenant, Runnable slice) {
    pool.execute(tenant, slice, () -> true);
  }
}
