package io.keyvalueserve.maps;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * The taps that are open on this member, with a bound on what waits in all of them. Thread-safe.
 */
public final class ChangeTaps {
  private static final ChangeTap[] NONE = {};

  /** The part of the Java heap that the changes in all taps may take. */
  private static final int HEAP_PART = 8;

  private final MemberPartitions partitions;
  private final AtomicLong bytes = new AtomicLong();
  private final long mostBytes = Runtime.getRuntime().maxMemory() / HEAP_PART;
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

  /** Returns whether there is room for so many bytes in all taps together. */
  boolean reserve(int more) {
    if (bytes.addAndGet(more) > mostBytes) {
      release(more);
      return false;
    }
    return true;
  }

  void release(int less) {
    long _ = bytes.addAndGet(-less);
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
