package com.hazelcast.map.impl.query;

import com.hazelcast.aggregation.Aggregator;
import com.hazelcast.aggregation.impl.CountAggregator;
import com.hazelcast.aggregation.impl.MaxByAggregator;
import com.hazelcast.aggregation.impl.MinByAggregator;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.internal.util.SortingUtil;
import com.hazelcast.internal.util.collection.PartitionIdSet;
import com.hazelcast.projection.Projection;
import com.hazelcast.projection.impl.MultiAttributeProjection;
import com.hazelcast.projection.impl.SingleAttributeProjection;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.impl.predicates.PagingPredicateImpl;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.ScannedMap;
import io.keyvalueserve.maps.predicate.PredicateConditions;
import io.keyvalueserve.maps.query.EntryRow;
import io.keyvalueserve.maps.query.MapScan;
import io.keyvalueserve.maps.query.RowScan;
import io.keyvalueserve.maps.query.RowsOperation;
import io.keyvalueserve.maps.query.ScanPosition;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries a query out on all partitions of this member with one scan of their bytes: for requests
 * whose result is made of objects, as projections, aggregations and pages are.
 */
@SuppressWarnings({"rawtypes", "unchecked", "NullAway"}) // as Hazelcast's own, which take null
final class ScannedQuery {
  /** Is equal to what counts entries, and not values of an attribute. */
  private static final CountAggregator<?> ALL_ENTRIES = new CountAggregator<>();

  private static final Map.Entry<?, ?> SOME_ENTRY = new SimpleImmutableEntry<>(null, null);

  private final CountedQuery query;
  private final MapScan scan;
  private final NativeMaps maps;
  private final int tenant;
  private final Result result;
  private final boolean valueMatters;
  private final boolean keepsEntries;
  private final @Nullable PagingPredicateImpl page;

  private ScannedQuery(
      CountedQuery query,
      Condition condition,
      NativeMaps maps,
      SerializationService serialization) {
    this.query = query;
    this.maps = maps;
    this.tenant = query.gathering().tenant();
    this.scan = MapScan.of(maps, query.getMapName(), condition, List.of());
    this.page = query.getPredicate() instanceof PagingPredicateImpl paging ? paging : null;
    this.valueMatters = !(query.getAggregator() instanceof CountAggregator);
    this.keepsEntries = keepsEntries(query.getAggregator(), query.getProjection());
    this.result =
        query.isAggregationQuery()
            ? new CountedAggregation(query, serialization)
            : new CountedRows(query, serialization, Long.MAX_VALUE);
  }

  /** Returns whether entries may be kept beyond the visit of their row. */
  private static boolean keepsEntries(
      @Nullable Aggregator<?, ?> aggregator, @Nullable Projection<?, ?> projection) {
    if (aggregator != null) {
      return aggregator instanceof MaxByAggregator
          || aggregator instanceof MinByAggregator
          || !aggregator.getClass().getPackage().equals(CountAggregator.class.getPackage());
    }
    return projection != null
        && !(projection instanceof SingleAttributeProjection)
        && !(projection instanceof MultiAttributeProjection);
  }

  /** Returns the scan of a query; null if its predicate has no translation. */
  static @Nullable ScannedQuery of(
      CountedQuery query, NativeMaps maps, SerializationService serialization) {
    Predicate predicate = query.getPredicate();
    if (predicate instanceof PagingPredicateImpl paging) {
      predicate = paging.getPredicate();
    }
    Condition condition =
        predicate == null ? new Condition.Constant(true) : PredicateConditions.of(predicate);
    return condition != null && ScannedMap.of(maps, query.getMapName()).isReadDirectly()
        ? new ScannedQuery(query, condition, maps, serialization)
        : null;
  }

  /**
   * Begins. Holds no thread between slices.
   *
   * @param done takes the result of those of the partitions that could be read, or why it failed
   */
  void start(BitSet partitions, BiConsumer<@Nullable Result, @Nullable Throwable> done) {
    RowScan slices =
        new RowScan(
            scan,
            this::take,
            maps.queries(),
            tenant,
            () -> true,
            (position, failure) -> finish(partitions, position, failure, done));
    maps.queries()
        .execute(
            tenant,
            () -> {
              if (counted(partitions)) {
                finish(partitions, ScanPosition.begin(new BitSet()), null, done);
              } else {
                slices.run(ScanPosition.begin(partitions));
              }
            });
  }

  /** Counts all entries at once, if only their number is asked for and can be told. */
  private boolean counted(BitSet partitions) {
    if (page != null
        || !ALL_ENTRIES.equals(query.getAggregator())
        || !(result instanceof CountedAggregation counted)) {
      return false;
    }
    long count = scan.count(partitions);
    if (count < 0) {
      return false;
    }
    CountAggregator power = new CountAggregator(); // it can be told a number in no other way
    power.accumulate(SOME_ENTRY);
    for (long rest = count; rest > 0; rest >>>= 1) {
      if ((rest & 1) != 0) {
        counted.getAggregator().combine(power);
      }
      power.combine(power);
    }
    return true;
  }

  private boolean take(EntryRow row) {
    query.checkGoesOn();
    if (page == null) {
      result.add(keepsEntries ? row.entry() : row.attributes(valueMatters));
    } else if (SortingUtil.compareAnchor(page, row.entry(), page.getNearestAnchorEntry())) {
      result.add(row.entry());
    }
    return true;
  }

  private void finish(
      BitSet partitions,
      ScanPosition position,
      @Nullable RuntimeException failure,
      BiConsumer<@Nullable Result, @Nullable Throwable> done) {
    try {
      if (failure != null) {
        done.accept(null, RowsOperation.told(failure));
        return;
      }
      if (position.isInPartitions()) { // its rows cannot be taken out of the result
        done.accept(
            null, new RetryableHazelcastException("a partition has moved while it was read"));
        return;
      }
      PartitionIdSet read = new PartitionIdSet(maps.partitionCount());
      partitions.stream().filter(each -> !position.left().get(each)).forEach(read::add);
      if (result instanceof CountedAggregation aggregation) {
        aggregation.getAggregator().onAccumulationFinished();
      } else if (page != null) {
        ((CountedRows) result).orderAndLimit(page, page.getNearestAnchorEntry());
      }
      result.completeConstruction(read);
      done.accept(result, null);
    } catch (RuntimeException e) {
      done.accept(null, e);
    }
  }
}
