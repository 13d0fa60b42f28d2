package io.keyvalueserve.engine.collection;

import java.util.List;

/**
 * A page that is new in this run of a command, or a changed copy of a stored one. It changes in
 * place, and is written at the end.
 */
abstract sealed class DraftPage permits DraftLeaf, DraftInner {
  /** Where a page grew last. One that grows at an end is split there, so that it stays full. */
  enum Growth {
    AT_START,
    WITHIN,
    AT_END
  }

  /**
   * The pages that one was split into.
   *
   * @param pages one or more, in their order
   * @param separators before each page but the first; the first is not used. Empty in a list
   */
  record Parts(List<DraftPage> pages, List<Bytes> separators) {}

  final boolean keyed;
  Growth growth = Growth.WITHIN;

  DraftPage(boolean keyed) {
    this.keyed = keyed;
  }

  /**
   * Takes a stored page to change it.
   *
   * @param count of the elements under the page
   * @param bytes of the page and all pages under it
   */
  static DraftPage take(
      PageDraft pages, boolean keyed, long number, int height, long count, long bytes) {
    byte[] page = pages.read(keyed, number, height, count, bytes);
    DraftPage draft = height == 0 ? new DraftLeaf(page) : new DraftInner(page);
    pages.remove(number);
    return draft;
  }

  /** 0 for a leaf, else how many levels there are below. */
  abstract int height();

  /** The elements under the page. */
  abstract long count();

  /** The bytes of the page, written with narrow offsets. */
  abstract long size();

  /** Returns whether the page is too large and may be split. */
  abstract boolean isOver();

  /** Returns whether the page is so small that it should become one with a neighbour. */
  abstract boolean isUnder();

  /** Puts an element, of which is known whether its key is new. */
  abstract void put(PageDraft pages, Bytes key, Bytes value, boolean isNew);

  /** Removes an element that is there. */
  abstract void remove(PageDraft pages, Bytes key);

  /** Inserts elements of a list before the one at an index, or behind the last. */
  abstract void insert(PageDraft pages, long at, List<Bytes> values);

  /** Removes the elements of a range, but not all. */
  abstract void removeRange(PageDraft pages, long from, long to);

  /** How many elements have a key below one, or at it. */
  abstract long rank(PageDraft pages, Bytes key, boolean orAt);

  /** Visits the elements of a range; returns whether the visitor wants more. */
  abstract boolean visit(PageDraft pages, long from, long to, ElementTree.Visitor visitor);

  /** Gives up the page and all under it. */
  abstract void discard(PageDraft pages);

  /** Splits the page. It is not used afterwards. */
  abstract Parts split();

  /** Appends all of the next page, which is not used afterwards. */
  abstract void append(DraftPage next, Bytes separator);

  /** Merges pages below that became small. */
  abstract void settle(PageDraft pages);

  /** Writes the page and all drafts under it; returns its number. */
  abstract long write(PageDraft pages);

  /** The bytes of the page and all under it, after it was written. */
  abstract long bytes();
}
