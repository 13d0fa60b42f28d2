package io.keyvalueserve.grid.space;

import java.util.Comparator;

/**
 * The keys of one partition of a map: what one operation locks and changes. All transactions lock
 * in this order, so none waits in a circle.
 *
 * @param map the map's name in the grid
 * @param partition the partition
 */
record KeyGroup(String map, int partition) implements Comparable<KeyGroup> {
  private static final Comparator<KeyGroup> ORDER =
      Comparator.comparing(KeyGroup::map).thenComparingInt(KeyGroup::partition);

  @Override
  public int compareTo(KeyGroup other) {
    return ORDER.compare(this, other);
  }
}
