package com.hazelcast.map.impl.query;

import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.internal.util.collection.PartitionIdSet;
import com.hazelcast.query.impl.QueryableEntry;

/** Makes results of the entries that an index has found, counted if the query is. */
@SuppressWarnings({"rawtypes", "NullAway"}) // as Hazelcast's own, which take null
public final class CountedProcessors {
  private CountedProcessors() {}

  /** Replaces Hazelcast's processors in a registry. */
  public static void register(
      ResultProcessorRegistry registry, SerializationService serialization) {
    registry.registerProcessor(QueryResult.class, new OfRows(serialization));
    ResultProcessor stock = registry.get(AggregationResult.class);
    registry.registerProcessor(
        AggregationResult.class,
        new OfAggregations((AggregationResultProcessor) stock, serialization));
  }

  private static final class OfRows extends QueryResultProcessor {
    private final SerializationService serialization;

    OfRows(SerializationService serialization) {
      super(serialization);
      this.serialization = serialization;
    }

    @Override
    public QueryResult populateResult(
        Query query, long limit, Iterable<QueryableEntry> entries, PartitionIdSet partitions) {
      if (!(query instanceof CountedQuery)) {
        return super.populateResult(query, limit, entries, partitions);
      }
      QueryResult result = populateResult(query, limit);
      entries.forEach(result::add);
      result.setPartitionIds(partitions);
      return result;
    }

    @Override
    public QueryResult populateResult(Query query, long limit) {
      return query instanceof CountedQuery counted
          ? new CountedRows(counted, serialization, limit, null)
          : super.populateResult(query, limit);
    }
  }

  private static final class OfAggregations implements ResultProcessor<AggregationResult> {
    private final AggregationResultProcessor stock;
    private final SerializationService serialization;

    OfAggregations(AggregationResultProcessor stock, SerializationService serialization) {
      this.stock = stock;
      this.serialization = serialization;
    }

    @Override
    public AggregationResult populateResult(
        Query query, long limit, Iterable<QueryableEntry> entries, PartitionIdSet partitions) {
      if (!(query instanceof CountedQuery counted)) {
        return stock.populateResult(query, limit, entries, partitions);
      }
      CountedAggregation result = new CountedAggregation(counted, serialization);
      try {
        entries.forEach(result::add);
      } finally {
        result.getAggregator().onAccumulationFinished();
      }
      result.completeConstruction(partitions);
      return result;
    }

    @Override
    public AggregationResult populateResult(Query query, long limit) {
      return query instanceof CountedQuery counted
          ? new CountedAggregation(counted, serialization)
          : stock.populateResult(query, limit);
    }
  }
}
