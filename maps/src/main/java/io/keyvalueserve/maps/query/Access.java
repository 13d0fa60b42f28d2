package io.keyvalueserve.maps.query;

import io.keyvalueserve.maps.index.IndexRange;
import io.keyvalueserve.maps.index.IndexReader;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A way to the entries that may meet a condition: the keys of one range, or of several, of indexes.
 *
 * @param words for {@code EXPLAIN}
 * @param second another way, or null. If there is one, only keys that both find are looked at
 */
record Access(List<IndexRange> ranges, String words, @Nullable Access second) {
  Access {
    ranges = List.copyOf(ranges);
  }

  Access(List<IndexRange> ranges, String words) {
    this(ranges, words, null);
  }

  /** Returns the way to entries that are found by another way, too. */
  Access and(Access other) {
    return new Access(ranges, words + " and " + other.words, other);
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

  /** Returns whether keys are found by an index. */
  @SuppressWarnings("ReferenceEquality") // there is one of each
  boolean uses(IndexReader index) {
    return ranges.stream().anyMatch(range -> range.index() == index);
  }

  /** Returns the way to all entries that any of several ways finds. None of these has a second. */
  static Access union(List<Access> parts) {
    return new Access(
        parts.stream().flatMap(part -> part.ranges().stream()).toList(),
        parts.stream().map(Access::words).distinct().collect(Collectors.joining(" or ")));
  }
}
