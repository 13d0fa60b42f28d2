package io.keyvalueserve.engine.collection;

import java.util.List;

/**
 * The changes to the pages of a large collection that a command makes. They are stored before the
 * value of the entry, which refers to them, and removals behind it.
 *
 * @param written the new pages
 * @param removed the numbers of the pages that are no longer needed
 * @param dropped whole trees that are no longer needed. Whoever stores the pages removes these
 *     later, a few at a time
 */
public record PageChanges(List<Page> written, List<Long> removed, List<Subtree> dropped) {
  /** No change. */
  public static final PageChanges NONE = new PageChanges(List.of(), List.of(), List.of());

  /** A new page. */
  public record Page(long number, byte[] bytes) {}

  /**
   * A tree of pages.
   *
   * @param root the number of its root
   * @param height 0 if the root is a leaf, else how many levels there are above the leaves
   */
  public record Subtree(long root, int height) {}

  /** Returns how many bytes the new pages have. */
  public long bytesWritten() {
    return written.stream().mapToLong(page -> page.bytes().length).sum();
  }

  /** Returns whether there is no change. */
  public boolean isNothing() {
    return written.isEmpty() && removed.isEmpty() && dropped.isEmpty();
  }
}
