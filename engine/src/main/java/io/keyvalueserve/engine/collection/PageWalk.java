package io.keyvalueserve.engine.collection;

/** A walk over the pages of a tree, for whoever frees them and knows nothing of the elements. */
public final class PageWalk {
  private PageWalk() {}

  /**
   * Returns the children of a page.
   *
   * @param page its bytes, as they were written
   * @return the numbers of the pages under an inner page, in their order; empty for a leaf
   * @throws CorruptCollectionException if it is not a page of a tree
   */
  public static long[] children(byte[] page) {
    TreePage.check(page);
    if (TreePage.height(page) == 0) {
      LeafPage.check(page);
      return new long[0];
    }
    InnerPage.check(page);
    long[] children = new long[TreePage.count(page)];
    for (int i = 0; i < children.length; i++) {
      children[i] = InnerPage.number(page, i);
    }
    return children;
  }
}
