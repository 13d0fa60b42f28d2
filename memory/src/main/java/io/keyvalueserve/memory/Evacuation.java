package io.keyvalueserve.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Slabs of one allocator that are to become empty: whoever has blocks in them moves these
 * elsewhere. Without it, memory that came free block by block would serve blocks of the same size
 * only. Guarded by the allocator's lock.
 */
final class Evacuation {
  private final long[] partial;
  private long head;

  /**
   * @param partial the allocator's lists of slabs that have free blocks, by class
   */
  Evacuation(long[] partial) {
    this.partial = partial;
  }

  /**
   * Chooses slabs, the emptiest of each class, as long as what is in them fits into the rest.
   *
   * @return how many pages they have
   */
  long begin() {
    long pages = 0;
    for (int sizeClass = 0; sizeClass < partial.length; sizeClass++) {
      pages += begin(sizeClass);
    }
    return pages;
  }

  private long begin(int sizeClass) {
    int capacity = SizeClasses.capacity(sizeClass);
    List<Long> slabs = new ArrayList<>();
    long free = 0;
    for (long slab = partial[sizeClass]; slab != 0; slab = Slab.next(slab)) {
      slabs.add(slab);
      free += capacity - Slab.used(slab);
    }
    slabs.sort(Comparator.comparingInt(Slab::used));
    long moved = 0;
    long pages = 0;
    for (long slab : slabs) {
      moved += Slab.used(slab);
      free -= capacity - Slab.used(slab);
      if (moved > free) {
        break;
      }
      partial[sizeClass] = Slab.unlink(slab, partial[sizeClass]);
      head = Slab.push(slab, head);
      Slab.setEvacuated(slab, true);
      pages += Slab.pages(slab);
    }
    return pages;
  }

  /** A slab became empty. */
  void remove(long slab) {
    head = Slab.unlink(slab, head);
  }

  /** Returns slabs that did not become empty to the others. */
  void end() {
    while (head != 0) {
      long slab = head;
      head = Slab.unlink(slab, head);
      int sizeClass = Slab.sizeClass(slab);
      partial[sizeClass] = Slab.push(slab, partial[sizeClass]);
    }
  }
}
