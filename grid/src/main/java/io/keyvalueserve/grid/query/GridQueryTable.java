package io.keyvalueserve.grid.query;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.engine.query.TableIndex;
import io.keyvalueserve.maps.query.MapScan;
import io.keyvalueserve.tenancy.grant.Rights;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A table over a map of the grid. */
final class GridQueryTable implements QueryTable {
  private static final RowSource NO_ROWS =
      new RowSource() {
        @Override
        public boolean next() {
          return false;
        }

        @Override
        public @Nullable Object[] row() {
          throw new IllegalStateException("there is no row");
        }

        @Override
        public void close() {
          // nothing is open
        }
      };

  private final GridQueries queries;
  private final TableMap map;
  private final Mapping mapping;
  private final TableShape shape;
  private final List<TableIndex> indexes;

  GridQueryTable(GridQueries queries, TableMap map, Mapping mapping, TableShape shape) {
    this.queries = queries;
    this.map = map;
    this.mapping = mapping;
    this.shape = shape;
    this.indexes = queries.indexesOf(map.gridName());
  }

  @Override
  public Mapping mapping() {
    return mapping;
  }

  @Override
  public List<Column> columns() {
    return shape.columns();
  }

  @Override
  public List<TableIndex> indexes() {
    return indexes;
  }

  @Override
  public long estimatedRows() {
    return queries.estimatedEntries(map.gridName());
  }

  @Override
  public boolean isWritable() {
    return shape.isWritable();
  }

  /** Returns the shape of the map's entries. */
  TableShape shape() {
    return shape;
  }

  /** Returns the map. */
  TableMap map() {
    return map;
  }

  /**
   * @throws QueryException if an index cannot be made of some attributes
   */
  void requireIndexable(List<String> attributes) {
    boolean isText =
        switch (shape.value().kind()) {
          case TEXT, JSON_TEXT -> true;
          default -> false;
        };
    boolean areOfKey =
        attributes.stream()
            .allMatch(
                each ->
                    each.equals(TableShape.KEY_COLUMN)
                        || each.startsWith(TableShape.KEY_COLUMN + "."));
    if (isText && !areOfKey) {
      throw new QueryException(
          QueryException.Kind.UNSUPPORTED,
          "values that Redis clients wrote as text have no attributes for an index: write them as"
              + " JSON of Hazelcast's clients, or as Compact records");
    }
  }

  @Override
  public RowSource scan(Scan scan, QueryControl control) {
    map.require(Rights.READ);
    if (scan.limit() == 0) {
      return NO_ROWS;
    }
    Scan.Grouping grouping = scan.grouping();
    List<Object> keys = scan.keys();
    if (keys != null) {
      return keys(scan, keys, control);
    }
    if (grouping != null && grouping.aggregates().stream().anyMatch(Accumulator::isDistinct)) {
      return new GroupedRows(distinct(scan, grouping, control), grouping, scan.fields(), control);
    }
    return new ScanRows(queries, map, scan, false, control);
  }

  /** Returns the rows that a grouping needs in which equal values count once. */
  private RowSource distinct(Scan scan, Scan.Grouping grouping, QueryControl control) {
    boolean isEachOnce =
        grouping.aggregates().stream()
            .allMatch(
                each ->
                    Accumulator.isDistinct(each)
                        || switch (each.function()) {
                          case MIN, MAX, ANY -> true;
                          case COUNT_ALL, COUNT, SUM -> false;
                        });
    List<Integer> all = IntStream.range(0, scan.fields().size()).boxed().toList();
    Scan.Grouping once = isEachOnce ? new Scan.Grouping(all, List.of()) : null;
    Scan rows = new Scan(scan.fields(), scan.condition(), null, once, List.of(), Scan.ALL);
    return new ScanRows(queries, map, rows, false, control);
  }

  private RowSource keys(Scan scan, List<Object> keys, QueryControl control) {
    EntryMaker maker = maker();
    List<Data> wanted = keys.stream().map(maker::keyOf).distinct().toList();
    Scan.Grouping grouping = scan.grouping();
    if (grouping == null && scan.order().isEmpty()) {
      return new KeyRows(queries, map, scan, wanted, false, control);
    }
    Scan rows = new Scan(scan.fields(), scan.condition(), null, null, List.of(), Scan.ALL);
    RowSource source = new KeyRows(queries, map, rows, wanted, false, control);
    return grouping != null
        ? new GroupedRows(source, grouping, scan.fields(), control)
        : new SortedRows(source, scan, control);
  }

  private EntryMaker maker() {
    return new EntryMaker(shape, queries.serialization());
  }

  @Override
  public String explain(Scan scan) {
    List<Object> keys = scan.keys();
    return keys != null
        ? keys.size() + (keys.size() == 1 ? " key" : " keys")
        : MapScan.of(queries.maps(), map.gridName(), scan.condition(), scan.fields()).access();
  }

  @Override
  public long put(
      List<Integer> columns,
      List<@Nullable Object[]> rows,
      boolean replaces,
      QueryControl control) {
    return writer(control).put(columns, rows, replaces);
  }

  @Override
  public long update(
      List<Object> keys,
      List<Integer> columns,
      List<@Nullable Object[]> rows,
      Condition stillTrue,
      QueryControl control) {
    map.require(Rights.READ);
    return writer(control).update(keys, columns, rows, stillTrue);
  }

  @Override
  public long remove(List<Object> keys, Condition stillTrue, QueryControl control) {
    map.require(Rights.READ);
    return writer(control).remove(keys, stillTrue);
  }

  private TableWriter writer(QueryControl control) {
    map.require(Rights.WRITE);
    if (!shape.isWritable()) {
      throw new QueryException(
          QueryException.Kind.UNSUPPORTED,
          "the table '"
              + mapping.name()
              + "' can be read only: SQL has no way to make its keys or values");
    }
    return new TableWriter(queries, map, maker(), control);
  }
}
