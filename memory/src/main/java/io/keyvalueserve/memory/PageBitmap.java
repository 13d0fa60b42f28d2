package io.keyvalueserve.memory;

import java.util.Arrays;

/**
 * The pages of one extent that are taken: one bit a page, 1 when taken. Not thread-safe: its pool
 * guards it.
 *
 * <p>Single pages take the lowest free page, so that they stay together and leave long runs alone;
 * runs search onwards from the end of the run before (next fit: Knuth, The Art of Computer
 * Programming, 1, 2.5). A search that found no run of some length is remembered until a page comes
 * back, and so is the largest free run until anything changes: a full heap refuses in constant
 * time.
 */
final class PageBitmap {

  private final int pages;
  private final long[] taken;
  private int free;
  private int lowestFree; // no page below is free
  private int cursor; // where the search for the next run starts
  private int shortestRefused = Integer.MAX_VALUE; // no run of so many pages since the last release
  private int largestFreeRun; // -1 when not known

  PageBitmap(int pages) {
    this.pages = pages;
    this.taken = new long[(pages + 63) >>> 6];
    this.free = pages;
    this.largestFreeRun = pages;
    if ((pages & 63) != 0) {
      taken[taken.length - 1] = -1L << pages; // the bits beyond the end are taken for ever
    }
  }

  int free() {
    return free;
  }

  boolean isTaken(int page) {
    return (taken[page >>> 6] & 1L << page) != 0;
  }

  /** Takes a run of pages; returns its first page, or -1 when no free run is so long. */
  int acquire(int run) {
    if (run > free || run >= shortestRefused) {
      return -1;
    }
    int page = run == 1 ? nextFree(lowestFree) : search(run);
    if (page < 0) {
      shortestRefused = run;
      return -1;
    }
    fill(page, run, true);
    free -= run;
    largestFreeRun = -1;
    if (run == 1) {
      lowestFree = page + 1;
    } else {
      cursor = page + run;
      lowestFree = lowestFree == page ? page + run : lowestFree;
    }
    return page;
  }

  /**
   * Frees a run of pages.
   *
   * @throws IllegalStateException if one of them is free already; nothing is changed
   */
  void release(int page, int run) {
    int hole = firstFreeIn(page, run);
    if (hole >= 0) {
      throw new IllegalStateException(
          "a page must be taken to be released: page="
              + hole
              + " of run=["
              + page
              + ", +"
              + run
              + ")");
    }
    fill(page, run, false);
    free += run;
    largestFreeRun = -1;
    shortestRefused = Integer.MAX_VALUE;
    lowestFree = Math.min(lowestFree, page);
  }

  /** Returns the length in pages of the longest free run. */
  int largestFreeRun() {
    if (largestFreeRun < 0) {
      int largest = 0;
      for (int start = nextFree(lowestFree); start >= 0; ) {
        int end = nextTaken(start);
        largest = Math.max(largest, end - start);
        start = nextFree(end);
      }
      largestFreeRun = largest;
    }
    return largestFreeRun;
  }

  private int search(int run) {
    int found = searchBetween(Math.max(cursor, lowestFree), pages, run);
    // A run that begins before the cursor may end after it.
    return found >= 0 ? found : searchBetween(lowestFree, Math.min(pages, cursor + run - 1), run);
  }

  private int searchBetween(int from, int to, int run) {
    for (int start = nextFree(from); start >= 0 && start + run <= to; ) {
      int end = nextTaken(start);
      if (end - start >= run) {
        return start;
      }
      start = nextFree(end);
    }
    return -1;
  }

  /** Returns the first free page at or after one, -1 when there is none. */
  int nextFree(int from) {
    if (from >= pages) {
      return -1;
    }
    int word = from >>> 6;
    long bits = ~taken[word] & -1L << from;
    while (bits == 0) {
      if (++word == taken.length) {
        return -1;
      }
      bits = ~taken[word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  /** Returns the first taken page at or after one, the number of pages when there is none. */
  int nextTaken(int from) {
    int word = from >>> 6;
    if (from >= pages) {
      return pages;
    }
    long bits = taken[word] & -1L << from;
    while (bits == 0) {
      if (++word == taken.length) {
        return pages;
      }
      bits = taken[word];
    }
    return Math.min(pages, (word << 6) + Long.numberOfTrailingZeros(bits));
  }

  /** Looks no farther than the run: in a full heap the next free page is far away. */
  private int firstFreeIn(int page, int run) {
    for (int from = page; from < page + run; from = (from | 63) + 1) {
      long bits = ~taken[from >>> 6] & (-1L << from);
      if (bits != 0) {
        int free = (from & ~63) + Long.numberOfTrailingZeros(bits);
        return free < page + run ? free : -1;
      }
    }
    return -1;
  }

  private void fill(int page, int run, boolean value) {
    int first = page >>> 6;
    int last = (page + run - 1) >>> 6;
    long head = -1L << page;
    long tail = -1L >>> -(page + run);
    if (first == last) {
      set(first, head & tail, value);
      return;
    }
    set(first, head, value);
    Arrays.fill(taken, first + 1, last, value ? -1L : 0L);
    set(last, tail, value);
  }

  private void set(int word, long mask, boolean value) {
    taken[word] = value ? taken[word] | mask : taken[word] & ~mask;
  }
}
