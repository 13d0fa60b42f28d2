package io.keyvalueserve.maps.query;

import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.maps.ScannedMap;
import io.keyvalueserve.maps.index.IndexRange;
import io.keyvalueserve.maps.index.IndexReader;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the entries that meet a condition, and looks at none. Immutable and thread-safe. */
final class RowCount {
  private final ScannedMap map;

  /** The values of the entries that meet the condition; null if all do. */
  private final @Nullable IndexRange range;

  private RowCount(ScannedMap map, @Nullable IndexRange range) {
    this.map = map;
    this.range = range;
  }

  /** Returns what counts the entries that meet a condition; null if only a look at them tells. */
  static @Nullable RowCount of(ScannedMap map, List<IndexReader> indexes, Condition condition) {
    if (condition instanceof Condition.Constant constant && constant.value()) {
      return new RowCount(map, null);
    }
    IndexRange range =
        indexes.isEmpty() ? null : new AccessPlanner(indexes, Long.MAX_VALUE).exact(condition);
    return range == null ? null : new RowCount(map, range);
  }

  /**
   * Returns the number of entries of some partitions that meet the condition.
   *
   * @return -1 if that cannot be told now: some entries expire, or an index has those of other
   *     partitions too
   */
  long of(BitSet partitions) {
    int stamp = map.stamp();
    long all = 0;
    for (int p = 0; p < map.partitionCount(); p++) {
      boolean isAsked = partitions.get(p);
      if (range != null && range.index().covers(p) != isAsked) {
        return -1;
      }
      if (isAsked) {
        long count = map.countOfLasting(p);
        if (count < 0) {
          return -1;
        }
        all += count;
      }
    }
    long found = range == null ? all : range.exactCount();
    return map.isStill(stamp) ? found : -1;
  }
}
