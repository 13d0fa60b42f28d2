package io.keyvalueserve.engine.collection;

/**
 * The pages of one large collection, as they are stored. A page has a number that is never used
 * again, and its bytes never change.
 */
@FunctionalInterface
public interface PageSource {
  /**
   * Returns a page.
   *
   * @param number of the page
   * @return its bytes, not changed by anyone
   * @throws CorruptCollectionException if there is no such page
   */
  byte[] read(long number);
}
