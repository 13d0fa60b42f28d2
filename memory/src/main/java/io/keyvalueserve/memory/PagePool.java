package io.keyvalueserve.memory;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The pages of one source, and who holds which. Thread-safe: one lock a pool, held for page-level
 * work only.
 */
final class PagePool implements AutoCloseable {

  /** No lock is held for longer than it takes to give back so much. */
  private static final int DISCARD_PAGES = 256;

  private final String name;
  private final PageSource source;
  private final Region[] regions;
  private final long capacityPages;

  private final ReentrantLock lock = new ReentrantLock();
  private int current; // the region that served last
  private long freePages;
  private long touchedPages;
  private long returnedPages;
  private boolean closed;

  /** An extent and the state of its pages. */
  private static final class Region {
    private final Extent extent;
    private final PageBitmap taken;
    private final BitSet touched = new BitSet();

    Region(Extent extent) {
      this.extent = extent;
      this.taken = new PageBitmap(extent.pages());
    }

    long address(int page) {
      return extent.address() + page * PageHeap.PAGE_BYTES;
    }
  }

  /** Takes over the source: the pool closes it. */
  PagePool(String name, PageSource source) {
    this.name = name;
    this.source = source;
    this.regions = source.extents().stream().map(Region::new).toArray(Region[]::new);
    this.capacityPages = source.extents().stream().mapToLong(Extent::pages).sum();
    this.freePages = capacityPages;
  }

  /**
   * Opens the source of a pool, and touches all of it if it is configured so.
   *
   * @throws MemorySourceException if it cannot be opened or touched; nothing stays open
   */
  static PagePool open(PoolConfig config, Machine machine) {
    PagePool pool = new PagePool(config.name(), PageSource.open(config, machine));
    if (config.preTouch()) {
      pool.touchAll();
    }
    return pool;
  }

  List<Extent> extents() {
    return source.extents();
  }

  int node() {
    return source.node();
  }

  /**
   * Takes a run of pages.
   *
   * @return its address, or 0 when the pool has no free run so long
   */
  long acquire(int pages) {
    lock.lock();
    try {
      requireOpen();
      if (pages > freePages) {
        return 0;
      }
      for (int i = 0; i < regions.length; i++) {
        int index = (current + i) % regions.length;
        Region region = regions[index];
        int page = region.taken.acquire(pages);
        if (page >= 0) {
          current = index;
          freePages -= pages;
          touch(region, page, pages);
          return region.address(page);
        }
      }
      return 0;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes a run back.
   *
   * @param extent which of the source's extents holds it
   * @throws IllegalStateException if a page of it is not taken; nothing is changed
   */
  void release(int extent, long address, int pages) {
    lock.lock();
    try {
      requireOpen();
      Region region = regions[extent];
      int page = (int) ((address - region.extent.address()) / PageHeap.PAGE_BYTES);
      try {
        region.taken.release(page, pages);
      } catch (IllegalStateException e) {
        throw new IllegalStateException(
            "pages were released that nobody holds: pool '%s' address=0x%x pages=%d"
                .formatted(name, address, pages),
            e);
      }
      freePages += pages;
    } finally {
      lock.unlock();
    }
  }

  /** Gives free pages that were touched back to the OS, if the source can; returns the bytes. */
  long returnToOs() {
    if (!source.discards()) {
      return 0;
    }
    long returned = 0;
    for (Region region : regions) {
      for (int page = 0; page >= 0; ) {
        lock.lock();
        try {
          requireOpen();
          page = nextIdle(region, page);
          if (page >= 0) {
            int end = Math.min(region.taken.nextTaken(page), region.touched.nextClearBit(page));
            int run = Math.min(end - page, DISCARD_PAGES);
            source.discard(region.address(page), run * PageHeap.PAGE_BYTES);
            region.touched.clear(page, page + run);
            touchedPages -= run;
            returnedPages += run;
            returned += run * PageHeap.PAGE_BYTES;
            page += run;
          }
        } finally {
          lock.unlock();
        }
      }
    }
    return returned;
  }

  PoolReport report() {
    lock.lock();
    try {
      long largest = 0;
      for (Region region : regions) {
        largest = Math.max(largest, region.taken.largestFreeRun());
      }
      return new PoolReport(
          name,
          source.kind(),
          source.detail(),
          source.node(),
          capacityPages * PageHeap.PAGE_BYTES,
          (capacityPages - freePages) * PageHeap.PAGE_BYTES,
          touchedPages * PageHeap.PAGE_BYTES,
          returnedPages * PageHeap.PAGE_BYTES,
          largest * PageHeap.PAGE_BYTES);
    } finally {
      lock.unlock();
    }
  }

  /** Unmaps all pages, taken or not. Nobody may touch them any more. */
  @Override
  public void close() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        source.close();
      }
    } finally {
      lock.unlock();
    }
  }

  private void touchAll() {
    try {
      for (Region region : regions) {
        Mappings.touch(region.extent);
        region.touched.set(0, region.extent.pages());
      }
      touchedPages = capacityPages;
    } catch (LibC.Failure e) {
      close();
      throw new MemorySourceException(
          """
              pool '%s' cannot touch all its pages: bytes=%d; the machine has not so much free: \
              lower its capacity"""
              .formatted(name, capacityPages * PageHeap.PAGE_BYTES),
          e);
    }
  }

  /** Returns the first page at or after one that is free and touched, -1 when there is none. */
  private static int nextIdle(Region region, int from) {
    int page = from;
    while (true) {
      page = region.touched.nextSetBit(page);
      if (page < 0 || !region.taken.isTaken(page)) {
        return page;
      }
      page = region.taken.nextFree(page);
      if (page < 0) {
        return -1;
      }
    }
  }

  /** Page by page: asking for the next clear bit would look beyond the run, and far. */
  private void touch(Region region, int page, int pages) {
    for (int i = page; i < page + pages; i++) {
      if (!region.touched.get(i)) {
        region.touched.set(i);
        touchedPages++;
      }
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the heap is closed: pool '" + name + "'");
    }
  }
}
