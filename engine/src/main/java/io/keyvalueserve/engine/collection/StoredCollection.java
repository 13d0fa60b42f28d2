package io.keyvalueserve.engine.collection;

/** A collection in the form in which it is stored: in one piece, or in pages. */
interface StoredCollection extends CollectionView {
  /**
   * Returns whether it was changed, or what is stored differs from what there is for another
   * reason: some of it has expired.
   */
  boolean isChanged();

  /** Removes some of what has expired, if that is still stored. */
  default void reap() {}

  /**
   * Packs it into one piece, as it is now.
   *
   * @throws CollectionTooLargeException if it does not fit an array
   */
  CollectionValue pack();
}
