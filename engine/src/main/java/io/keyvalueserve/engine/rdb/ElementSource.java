package io.keyvalueserve.engine.rdb;

import io.keyvalueserve.engine.collection.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Elements that Redis has packed into one string. Whatever the string is, reading ends within it.
 *
 * <p>For one thread.
 */
@FunctionalInterface
interface ElementSource {
  /**
   * Returns the next element, an integer as its decimal text, or null behind the last one.
   *
   * @throws RdbException if the string is not in the format
   */
  @Nullable Bytes next() throws RdbException;
}
