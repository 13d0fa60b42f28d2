package io.keyvalueserve.engine.collection;

import org.jspecify.annotations.Nullable;

/**
 * Reads a tree of stored pages, or a part of one. A tree is given by its root: the number, the
 * height, the count of the elements under it, and the bytes of its pages.
 */
final class StoredTree {
  private StoredTree() {}

  /** The value of a key. */
  static @Nullable Bytes get(
      PageDraft pages, long root, int height, long count, long bytes, Bytes key) {
    byte[] page = pages.read(true, root, height, count, bytes);
    for (int level = height; level > 0; level--) {
      page = child(pages, page, InnerPage.find(page, key));
    }
    int index = LeafPage.find(page, key);
    return index < 0 ? null : LeafPage.value(page, index);
  }

  /** How many elements have a key below one, or at it. */
  static long rank(
      PageDraft pages, long root, int height, long count, long bytes, Bytes key, boolean orAt) {
    byte[] page = pages.read(true, root, height, count, bytes);
    long rank = 0;
    for (int level = height; level > 0; level--) {
      int child = InnerPage.find(page, key);
      rank += InnerPage.countBefore(page, child);
      page = child(pages, page, child);
    }
    int index = LeafPage.find(page, key);
    return rank + (index < 0 ? ~index : orAt ? index + 1 : index);
  }

  /**
   * Visits elements.
   *
   * @param from the index of the first
   * @param to the index behind the last, above {@code from} and not above {@code count}
   * @return whether the visitor wants more
   */
  static boolean visit(
      PageDraft pages,
      boolean keyed,
      long root,
      int height,
      long count,
      long bytes,
      long from,
      long to,
      ElementTree.Visitor visitor) {
    byte[] page = pages.read(keyed, root, height, count, bytes);
    if (height == 0) {
      for (int i = (int) from; i < to; i++) {
        if (!visitor.visit(LeafPage.key(page, i), LeafPage.value(page, i))) {
          return false;
        }
      }
      return true;
    }
    int children = TreePage.count(page);
    long next = from;
    for (int i = InnerPage.find(page, from); next < to; i++) {
      if (i == children) {
        throw new CorruptCollectionException("a page has fewer elements than it says");
      }
      long before = InnerPage.countBefore(page, i);
      long under = InnerPage.count(page, i);
      if (next < before || next >= before + under) {
        throw new CorruptCollectionException("the elements of a page are out of order");
      }
      long end = Math.min(to - before, under);
      if (!visit(
          pages,
          keyed,
          InnerPage.number(page, i),
          height - 1,
          under,
          InnerPage.bytes(page, i),
          next - before,
          end,
          visitor)) {
        return false;
      }
      next = before + end;
    }
    return true;
  }

  private static byte[] child(PageDraft pages, byte[] page, int child) {
    return pages.read(
        true,
        InnerPage.number(page, child),
        TreePage.height(page) - 1,
        InnerPage.count(page, child),
        InnerPage.bytes(page, child));
  }
}
