package io.keyvalueserve.engine.query;

import org.jspecify.annotations.Nullable;

/** Rows that are read one after the other, by one thread at a time. */
public interface RowSource extends AutoCloseable {
  /**
   * Moves to the next row. May wait for other members. The thread is a virtual one, or one that may
   * block.
   *
   * @return false if there is none
   * @throws QueryException if it cannot be told whether there is one
   */
  boolean next();

  /**
   * Returns the values of the present row, in an array that the next call of {@link #next} may
   * reuse.
   */
  @Nullable Object[] row();

  /** Ends the reading. Idempotent. */
  @Override
  void close();
}
