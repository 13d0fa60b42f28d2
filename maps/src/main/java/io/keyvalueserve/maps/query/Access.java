package io.keyvalueserve.maps.query;

import io.keyvalueserve.maps.index.IndexRange;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A way to the entries that may meet a condition: the keys of one range, or of several, of indexes.
 *
 * @param words for {@code EXPLAIN}
 */
record Access(List<IndexRange> ranges, String words) {
  Access {
    ranges = List.copyOf(ranges);
  }

  /** Returns about how many keys there are, if not more than so many; else any larger number. */
  long count(long most) {
    long count = 0;
    for (IndexRange range : ranges) {
      count += range.count(most - count);
      if (count > most) {
        break;
      }
    }
    return count;
  }

  /** Returns whether the indexes have all entries of a partition. */
  boolean covers(int partition) {
    for (int i = 0; i < ranges.size(); i++) {
      if (!ranges.get(i).index().covers(partition)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the way to entries that take one of several ways. */
  static Access union(List<Access> parts) {
    return new Access(
        parts.stream().flatMap(part -> part.ranges().stream()).toList(),
        parts.stream().map(Access::words).distinct().collect(Collectors.joining(" or ")));
  }
}
