package io.keyvalueserve.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a statement: rows, or the number of rows that it has written. Used as its session
 * is.
 */
public interface SqlCursor extends AutoCloseable {
  /** Returns the statement's id, as {@link SqlService#kill} takes it. */
  String id();

  /** Returns the columns; empty if there are no rows. */
  List<SqlColumn> columns();

  /** Returns how many rows were written; -1 if the statement returns rows. */
  long updated();

  /**
   * Moves to the next row. May wait. Rows are made as they are asked for: who asks slowly holds no
   * turn and no more memory than a page.
   *
   * @throws SqlException if the statement fails or was ended
   */
  boolean next() throws SqlException;

  /**
   * Returns the values of the present row; the array may be reused by the next call of {@link
   * #next}.
   */
  @Nullable Object[] row();

  /** Ends the statement. Idempotent. */
  @Override
  void close();
}
