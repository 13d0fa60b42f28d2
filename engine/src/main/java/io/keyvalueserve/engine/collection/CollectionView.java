package io.keyvalueserve.engine.collection;

/**
 * A collection as an operation sees it. One that does not exist is empty. Changes are seen by the
 * operation at once, and take effect when it returns an outcome that is no refusal. One that is
 * left empty is removed.
 *
 * <p>For one run, on one thread. Arrays that are handed in are not changed afterwards, by either
 * side.
 */
public interface CollectionView {
  /** Returns whether the key exists. */
  boolean exists();

  /** Returns the number of elements. */
  long size();
}
