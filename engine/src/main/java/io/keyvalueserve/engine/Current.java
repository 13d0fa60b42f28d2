package io.keyvalueserve.engine;

import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.PageSource;
import org.jspecify.annotations.Nullable;

/**
 * An entry as a command finds it. Read only during {@link KeyCommand#apply}, on the thread that
 * owns the entry.
 */
public interface Current {
  /**
   * Returns whether there is an entry that has not expired. The other methods, but {@link #pages},
   * are called only if there is.
   */
  boolean exists();

  /**
   * The value as bytes; a string, a number or JSON as its text in UTF-8.
   *
   * @return null if the value is of a type that has no text; a collection has none
   */
  byte @Nullable [] bytes();

  /**
   * The value as a collection.
   *
   * @return null if it is none
   */
  @Nullable CollectionValue collection();

  /**
   * The pages of the value, if it is a large collection, or becomes one. May be called if there is
   * no entry.
   *
   * @return null if a collection is always one piece here
   */
  default @Nullable PageSource pages() {
    return null;
  }

  /** The length of {@link #bytes}, or -1 where that is null; cheaper. */
  int length();

  /**
   * Returns the time when the entry expires, in milliseconds since 1970, or {@link Expiry#NONE}.
   */
  long expireAtMillis();

  /** Returns for how long nobody has used the entry, in milliseconds; 0 if that is not known. */
  default long idleMillis() {
    return 0;
  }

  /** Returns the bytes that are kept of the entry; those of its value if that is not known. */
  default long storedBytes() {
    return Math.max(length(), 0);
  }
}
