package io.keyvalueserve.engine.collection;

import io.keyvalueserve.engine.collection.PageChanges.Page;
import io.keyvalueserve.engine.collection.PageChanges.Subtree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a collection under one run of a command: those read, those made, and those given up.
 * It serves all trees of the collection, on one thread.
 */
final class PageDraft {
  /** The pages that are kept for a second look, a power of two. */
  private static final int KEPT = 32;

  private final PageSource source;
  private final long[] numbers = new long[KEPT];
  private final byte[] @Nullable [] kept = new byte[KEPT][];
  private final List<Page> written = new ArrayList<>();
  private final List<Long> removed = new ArrayList<>();
  private final List<Subtree> dropped = new ArrayList<>();

  PageDraft(PageSource source) {
    this.source = source;
  }

  /** Returns the changes of the pages, after all trees were finished. */
  PageChanges changes() {
    PageChanges changes =
        new PageChanges(
            Collections.unmodifiableList(written),
            Collections.unmodifiableList(removed),
            Collections.unmodifiableList(dropped));
    return changes.isNothing() ? PageChanges.NONE : changes;
  }

  /**
   * Reads a stored page and checks that it is the one that its parent knows.
   *
   * @param count of the elements under the page
   * @param bytes of the page and all pages under it
   */
  byte[] read(boolean keyed, long number, int height, long count, long bytes) {
    int slot = (int) number & KEPT - 1;
    byte[] page = kept[slot];
    if (page == null || numbers[slot] != number) {
      page = source.read(number);
      numbers[slot] = number;
      kept[slot] = page;
    }
    TreePage.check(page, keyed, height);
    int entries = TreePage.count(page);
    boolean known;
    if (height == 0) {
      LeafPage.check(page);
      known = entries == count && page.length == bytes;
    } else {
      InnerPage.check(page);
      known =
          InnerPage.countBefore(page, entries) == count
              && InnerPage.bytesBefore(page, entries) == bytes - page.length;
    }
    if (!known) {
      throw new CorruptCollectionException("a page is not the one that its parent knows");
    }
    return page;
  }

  /** Takes note of a new page. */
  long write(byte[] page) {
    long number = newNumber();
    written.add(new Page(number, page));
    return number;
  }

  /** Takes note that a stored page is no longer needed; what is under it goes on. */
  void remove(long number) {
    removed.add(number);
  }

  /** Takes note that a stored page is no longer needed, nor is any page under it. */
  void drop(long root, int height) {
    dropped.add(new Subtree(root, height));
  }

  /**
   * Draws the number of a new page: 64 random bits, but not 0. Members make pages without asking
   * each other, so it is chance that keeps the numbers of a collection apart. With 10 million
   * elements there are fewer than a million pages at a time, and a new page has the number of one
   * of them once in 18 trillion times.
   */
  private static long newNumber() {
    while (true) {
      long number = ThreadLocalRandom.current().nextLong();
      if (number != 0) {
        return number;
      }
    }
  }
}
