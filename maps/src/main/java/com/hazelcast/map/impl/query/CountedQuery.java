package com.hazelcast.map.impl.query;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.query.impl.QueryableEntry;
import io.keyvalueserve.maps.gather.Gathering;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A query as one member carries it out: the parts of its result count together. Never sent.
 * Thread-safe.
 */
@SuppressWarnings({"rawtypes", "NullAway"}) // as Hazelcast's own, which take null
final class CountedQuery extends Query {
  private final Gathering gathering;

  /** The best entries of the partitions that are done, for a query that asks for a page. */
  private final AtomicReference<@Nullable List<QueryableEntry<?, ?>>> best =
      new AtomicReference<>();

  private volatile boolean stopped;

  CountedQuery(Query query, Gathering gathering) {
    super(
        query.getMapName(),
        query.getPredicate(),
        query.getIterationType(),
        query.getAggregator(),
        query.getProjection(),
        query.getPartitionIdSet());
    this.gathering = gathering;
  }

  @Override
  public Result createResult(
      SerializationService serialization, QueryResultSizeLimiter limiter, int partitions) {
    return isAggregationQuery()
        ? new CountedAggregation(this, serialization)
        : new CountedRows(this, serialization, limiter.getNodeResultLimit(partitions));
  }

  Gathering gathering() {
    return gathering;
  }

  AtomicReference<@Nullable List<QueryableEntry<?, ?>>> best() {
    return best;
  }

  /** Has partitions that are being read end: the query has failed. */
  void stop() {
    stopped = true;
  }

  /**
   * Asked before each entry is added.
   *
   * @throws HazelcastException if the query has failed
   */
  void checkGoesOn() {
    if (stopped) {
      throw new HazelcastException("the query has failed at another partition");
    }
  }
}
