package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Checks that no two clients held the same lock at the same time. Stateless. */
final class LockCheck {
  private LockCheck() {}

  /**
   * Returns a line for each pair of holds of different clients that overlap, by key and time. A
   * hold that begins at the moment in which another one ends does not overlap it.
   *
   * @param holds of any keys, in any order
   */
  static List<String> overlaps(List<LockHold> holds) {
    List<String> lines = new ArrayList<>();
    long origin = holds.stream().mapToLong(LockHold::acquiredNanos).min().orElse(0);
    Map<String, List<LockHold>> byKey =
        holds.stream()
            .sorted(Comparator.comparingLong(LockHold::acquiredNanos))
            .collect(Collectors.groupingBy(LockHold::key, TreeMap::new, Collectors.toList()));
    byKey.values().forEach(each -> addOverlaps(each, origin, lines));
    return lines;
  }

  /** Adds those of one key, whose holds are sorted by their beginning. */
  private static void addOverlaps(List<LockHold> holds, long origin, List<String> lines) {
    for (int i = 0; i < holds.size(); i++) {
      LockHold first = holds.get(i);
      for (int j = i + 1; j < holds.size(); j++) {
        LockHold second = holds.get(j);
        if (second.acquiredNanos() >= first.releasedNanos()) {
          break;
        }
        if (first.client() != second.client() && first.acquiredNanos() < second.releasedNanos()) {
          lines.add(
              "lock of %s: %s, %s"
                  .formatted(first.key(), first.describe(origin), second.describe(origin)));
        }
      }
    }
  }
}
