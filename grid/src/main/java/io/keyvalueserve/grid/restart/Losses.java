package io.keyvalueserve.grid.restart;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Data that no copy had when the cluster started, as one member has found.
 *
 * @param records how many records are known to be lost, by the grid's names of their maps
 * @param partitions the partitions that they were in, and those of {@code places}
 * @param places how many damaged places there are, missing files among them, of which it is not
 *     known what was in them
 */
public record Losses(SortedMap<String, Long> records, SortedSet<Integer> partitions, long places) {
  /** Nothing is lost. */
  public static final Losses NONE = new Losses(new TreeMap<>(), new TreeSet<>(), 0);

  public Losses {
    records = Collections.unmodifiableSortedMap(new TreeMap<>(records));
    partitions = Collections.unmodifiableSortedSet(new TreeSet<>(partitions));
  }

  /** Returns whether nothing is lost. */
  public boolean isEmpty() {
    return records.isEmpty() && places == 0;
  }

  /** Returns how many records are known to be lost. */
  public long count() {
    return records.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns these and others. */
  public Losses and(Losses others) {
    SortedMap<String, Long> all = new TreeMap<>(records);
    others.records.forEach((map, count) -> all.merge(map, count, Long::sum));
    SortedSet<Integer> both = new TreeSet<>(partitions);
    both.addAll(others.partitions);
    return new Losses(all, both, places + others.places);
  }
}
