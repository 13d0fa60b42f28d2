package com.hazelcast.map.impl.query;

import com.hazelcast.internal.nio.BufferObjectDataInput;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.internal.util.SortingUtil;
import com.hazelcast.internal.util.collection.PartitionIdSet;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.query.PagingPredicate;
import com.hazelcast.query.impl.QueryableEntry;
import com.hazelcast.query.impl.predicates.PagingPredicateImpl;
import io.keyvalueserve.maps.gather.Gathering;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are counted as they are added, and as they arrive from another member. Of a query that
 * asks for a page, only the best entries are held. Owned by one thread at a time.
 */
@SuppressWarnings({"rawtypes", "unchecked", "NullAway"}) // as Hazelcast's, which take null
final class CountedRows extends QueryResult {
  /** Sorting reads the values of entries, and these stay with the entry. */
  private static final int COPIES_OF_SORTED = 3;

  private static final long UNSORTED = Long.MAX_VALUE;

  private final transient @Nullable CountedQuery query;
  private final transient @Nullable SerializationService serialization;
  private final transient @Nullable PagingPredicateImpl page;

  /** The number of entries that are enough. */
  private final transient long enough;

  /** Creates empty rows for deserialization. */
  CountedRows() {
    query = null;
    serialization = null;
    page = null;
    enough = UNSORTED;
  }

  CountedRows(CountedQuery query, SerializationService serialization, long limit) {
    this(
        query,
        serialization,
        limit,
        query.getPredicate() instanceof PagingPredicateImpl paging ? paging : null);
  }

  /**
   * @param page the page that the query asks for; null if entries become rows as they are added
   */
  CountedRows(
      CountedQuery query,
      SerializationService serialization,
      long limit,
      @Nullable PagingPredicateImpl page) {
    super(
        query.getIterationType(), query.getProjection(), serialization, limit, page != null, null);
    this.query = query;
    this.serialization = serialization;
    this.page = page;
    this.enough = page == null ? UNSORTED : enough(page);
  }

  private static long enough(PagingPredicateImpl page) {
    long pages = (long) page.getPage() - (Integer) page.getNearestAnchorEntry().getKey();
    return Math.max(1, page.getPageSize() * pages);
  }

  @Override
  public void add(QueryableEntry entry) {
    if (query == null) {
      super.add(entry);
      return;
    }
    query.checkGoesOn();
    super.add(entry);
    List rows = getRows();
    if (page != null) {
      addSorted(rows, entry);
    } else {
      query.gathering().take(RowCost.of((QueryResultRow) rows.getLast()));
    }
  }

  private void addSorted(List rows, QueryableEntry entry) {
    Gathering gathering = counted().gathering();
    long bytes = sorted(RowCost.of(entry));
    if (!gathering.tryTake(bytes)) {
      Object _ = rows.removeLast();
      keepBest(rows); // may make room
      gathering.take(bytes);
      rows.add(entry);
    }
    if (rows.size() / 2 >= enough) {
      keepBest(rows);
    }
  }

  private long sorted(long bytes) {
    return page != null && page.getComparator() != null ? bytes * COPIES_OF_SORTED : bytes;
  }

  private void keepBest(List rows) {
    if (page == null || rows.size() <= enough) {
      return;
    }
    int _ = SortingUtil.getSortedSubList(rows, page, page.getNearestAnchorEntry()).size();
    List dropped = rows.subList((int) enough, rows.size());
    counted().gathering().give(sorted(RowCost.of(dropped)));
    dropped.clear();
  }

  private CountedQuery counted() {
    if (query == null) {
      throw new IllegalStateException("rows that have arrived are not added to");
    }
    return query;
  }

  @Override
  public CountedRows createSubResult() {
    if (query == null || serialization == null) {
      throw new IllegalStateException("rows that have arrived have no parts");
    }
    return new CountedRows(query, serialization, Long.MAX_VALUE, page);
  }

  /** Moves a partition's best entries to those of the partitions that are done. */
  @Override
  public void orderAndLimit(
      PagingPredicate ofPage, Map.Entry<Integer, Map.Entry> nearestAnchorEntry) {
    if (query == null || page == null || ofPage == null) {
      super.orderAndLimit(ofPage, nearestAnchorEntry);
      return;
    }
    List mine = getRows();
    List<QueryableEntry<?, ?>> all = new ArrayList<>(mine);
    mine.clear();
    do {
      List<QueryableEntry<?, ?>> others = query.best().getAndSet(null);
      if (others != null) {
        all.addAll(others);
      }
      keepBest(all);
    } while (!query.best().compareAndSet(null, all));
  }

  /** Takes the best entries of all partitions as rows: all of them are done. */
  void takeBest() {
    List<QueryableEntry<?, ?>> best = counted().best().getAndSet(null);
    PartitionIdSet partitions = getPartitionIds();
    if (best != null && partitions != null) {
      ((List) getRows()).addAll(best);
      completeConstruction(partitions);
    }
  }

  @Override
  public int getFactoryId() {
    return GatherSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return GatherSerialization.ROWS;
  }

  /** Runs on the thread that carries the request out. */
  @Override
  public void readData(ObjectDataInput in) throws IOException {
    BufferObjectDataInput buffer = (BufferObjectDataInput) in;
    int from = buffer.position();
    super.readData(in);
    Gathering gathering = Gathering.current();
    if (gathering != null) {
      gathering.arrived(Math.max(RowCost.of(getRows()), buffer.position() - from));
    }
  }
}
