package io.keyvalueserve.engine;

import org.jspecify.annotations.Nullable;

/**
 * An entry as a command finds it. Read only during {@link KeyCommand#apply}, on the thread that
 * owns the entry.
 */
public interface Current {
  /**
   * Returns whether there is an entry that has not expired. The other methods are called only if
   * there is.
   */
  boolean exists();

  /**
   * The value as bytes; a string, a number or JSON as its text in UTF-8.
   *
   * @return null if the value is of a type that has no text
   */
  byte @Nullable [] bytes();

  /** The length of {@link #bytes}, or -1 where that is null; cheaper. */
  int length();

  /**
   * Returns the time when the entry expires, in milliseconds since 1970, or {@link Expiry#NONE}.
   */
  long expireAtMillis();
}
