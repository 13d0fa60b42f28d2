package io.keyvalueserve.maps.query;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.ScannedMap;
import io.keyvalueserve.maps.index.IndexRange;
import io.keyvalueserve.maps.index.IndexReader;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question about the entries of one map, compiled for this member. It is good until the map's
 * indexes change; then it still gives the same rows. Immutable and thread-safe.
 */
public final class MapScan {
  /**
   * The number of entries that can be passed by at the cost of reading one that an index has found.
   */
  private static final int COST_OF_FOUND = 5;

  private final ScannedMap map;
  private final FastTest fast;
  private final RowTest test;
  private final Schemas schemas;
  private final List<FieldReader> fields;
  private final @Nullable Access access;

  /** Counts rows without a look at entries. */
  private final @Nullable RowCount count;

  private MapScan(
      ScannedMap map,
      FastTest fast,
      RowTest test,
      Schemas schemas,
      List<FieldReader> fields,
      @Nullable Access access,
      @Nullable RowCount count) {
    this.map = map;
    this.fast = fast;
    this.test = test;
    this.schemas = schemas;
    this.fields = fields;
    this.access = access;
    this.count = count;
  }

  /**
   * Compiles a scan.
   *
   * @param maps of a member that has been started
   * @param gridMapName the map's name in the grid, with its tenant
   * @param condition which entries become rows
   * @param fields what can be asked of rows
   * @throws QueryException if the condition makes no sense
   */
  public static MapScan of(
      NativeMaps maps, String gridMapName, Condition condition, List<Field> fields) {
    ScannedMap map = ScannedMap.of(maps, gridMapName);
    List<IndexReader> indexes = map.indexes();
    RowTest test = Tests.of(condition); // says what makes no sense
    Schemas schemas = Schemas.of(map.container(), map.serialization());
    return new MapScan(
        map,
        FastTests.of(condition, schemas),
        test,
        schemas,
        fields.stream().map(field -> new FieldReader(field, FastField.of(field, schemas))).toList(),
        access(indexes, condition),
        RowCount.of(map, indexes, condition));
  }

  private static @Nullable Access access(List<IndexReader> indexes, Condition condition) {
    return indexes.isEmpty()
        ? null
        : new AccessPlanner(indexes, fewest(indexes) / COST_OF_FOUND).plan(condition);
  }

  /** An index has each entry of this member once, or more often. */
  private static long fewest(List<IndexReader> indexes) {
    long fewest = Long.MAX_VALUE;
    for (IndexReader index : indexes) {
      fewest = Math.min(fewest, index.size());
    }
    return fewest;
  }

  /** Returns how entries are found, in words for {@code EXPLAIN}. */
  public String access() {
    return access == null ? "all entries" : access.words();
  }

  /**
   * Returns the number of rows of some partitions, if it can be told without a look at entries: the
   * condition is true for all of them, or is a range of an index, and none expires.
   *
   * @return -1 if it cannot be told
   */
  public long count(BitSet partitions) {
    return count == null ? -1 : count.of(partitions);
  }

  /** Returns the partitions that this member may read now. */
  public BitSet readable() {
    return map.readable();
  }

  /** Returns about how many entries of the map this member has in its partitions. */
  public long estimatedEntries() {
    return map.size();
  }

  /**
   * Visits rows. To be called by a thread that may wait for the disk; it holds no lock. What is
   * visited was the owner's at that time. An entry that changes is seen before or after its change.
   *
   * @param from where to go on; from {@link ScanPosition#begin}, or what this or a scan of the same
   *     condition on any member returned
   * @param mostNanos about so much work is done at most, in nanoseconds: at least a few rows
   * @return where to go on
   * @throws QueryException if a row cannot be tested or read, or by the visitor
   */
  public ScanPosition run(ScanPosition from, RowVisitor visitor, long mostNanos) {
    ScanPosition.Draft position = from.draft();
    long deadline = System.nanoTime() + mostNanos;
    FoundHashes found = access == null ? null : found(position, access);
    new ScanRun(map, fast, test, schemas, fields, visitor, deadline).run(position, found);
    return position.done();
  }

  /** Returns what the indexes have, found by this call or by one before. */
  private FoundHashes found(ScanPosition.Draft position, Access by) {
    FoundHashes known = position.found();
    if (known == null || !known.isOf(this)) {
      known = find(position.left(), by);
      Access second = by.second();
      if (second != null) {
        known = known.and(find(position.left(), second));
      }
      position.found(known);
    }
    return known;
  }

  private FoundHashes find(BitSet left, Access by) {
    BitSet wanted = new BitSet();
    for (int p = left.nextSetBit(0); p >= 0; p = left.nextSetBit(p + 1)) {
      if (by.covers(p)) {
        wanted.set(p);
      }
    }
    FoundHashes.Builder found = new FoundHashes.Builder(this, wanted, map.partitionCount());
    for (IndexRange range : by.ranges()) {
      boolean all =
          range.visit(
              (key, length) -> {
                int partition = map.partitionOf(key, length);
                return !found.wants(partition) || found.add(partition, map.hashOf(key, length));
              });
      if (!all) {
        return new FoundHashes.Builder(this, new BitSet(), map.partitionCount()).build();
      }
    }
    return found.build();
  }

  /**
   * Visits the entry of a key if it meets the condition, as {@link #run} visits many.
   *
   * @return the key's partition if it cannot be read here now, else -1
   */
  public int visitKey(Data key, RowVisitor visitor) {
    return new ScanRun(map, fast, test, schemas, fields, visitor, Long.MAX_VALUE).visitKey(key);
  }
}
