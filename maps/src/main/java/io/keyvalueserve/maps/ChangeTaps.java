package io.keyvalueserve.maps;

import java.util.Arrays;
import java.util.function.Predicate;

/** The taps that are open on this member. Thread-safe. */
public final class ChangeTaps {
  private static final ChangeTap[] NONE = {};

  private final MemberPartitions partitions;
  private volatile ChangeTap[] open = NONE;

  ChangeTaps(MemberPartitions partitions) {
    this.partitions = partitions;
  }

  /**
   * Opens a tap. When this returns, every later change is taken. Blocks while partitions are being
   * changed.
   *
   * @param maps chooses maps by their names in the grid; asked once for each map and partition
   * @param mostBytes the most bytes of the Java heap that changes may take while they wait
   */
  public ChangeTap open(Predicate<String> maps, long mostBytes) {
    ChangeTap tap = new ChangeTap(this, maps, mostBytes);
    synchronized (this) {
      ChangeTap[] next = Arrays.copyOf(open, open.length + 1);
      next[open.length] = tap;
      open = next;
    }
    settle();
    return tap;
  }

  synchronized void remove(ChangeTap tap) {
    open = Arrays.stream(open).filter(each -> !each.equals(tap)).toArray(ChangeTap[]::new);
  }

  /**
   * Waits until every change that has a stamp of now or earlier is in the taps. Blocks while
   * partitions are being changed.
   */
  public void settle() {
    for (int partition = 0; partition < partitions.count(); partition++) {
      partitions.exclusively(partition, () -> {});
    }
  }

  /** Returns all open taps: the same array until one is opened or closed. */
  ChangeTap[] open() {
    return open;
  }

  /** Returns those of some taps that take a map's changes. */
  static ChangeTap[] of(ChangeTap[] taps, String map) {
    return taps.length == 0
        ? NONE
        : Arrays.stream(taps).filter(tap -> tap.takes(map)).toArray(ChangeTap[]::new);
  }
}
