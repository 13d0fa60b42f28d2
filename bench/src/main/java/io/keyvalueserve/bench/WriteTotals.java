package io.keyvalueserve.bench;

import java.util.Map;
import java.util.TreeMap;

/**
 * What became of the writes of a round; an MSET is a write of each of its keys.
 *
 * @param acknowledged that were acknowledged
 * @param refused that were answered by an error that says that they were not done
 * @param inDoubt that were not answered, or by another error
 * @param errors answers that were errors, by their kind
 */
record WriteTotals(long acknowledged, long refused, long inDoubt, Map<String, Long> errors) {
  /** Nothing was written. */
  static final WriteTotals NONE = new WriteTotals(0, 0, 0, Map.of());

  WriteTotals plus(WriteTotals other) {
    Map<String, Long> both = new TreeMap<>(errors);
    other.errors.forEach((kind, count) -> both.merge(kind, count, Long::sum));
    return new WriteTotals(
        acknowledged + other.acknowledged, refused + other.refused, inDoubt + other.inDoubt, both);
  }
}
