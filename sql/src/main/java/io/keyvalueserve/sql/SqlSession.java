package io.keyvalueserve.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statements of one client, one after the other. Used by one thread at a time, which may block: a
 * virtual thread is best. {@link #cancel} may be called by any thread.
 */
public interface SqlSession extends AutoCloseable {
  /**
   * Parses and validates a statement, or takes it from a cache. The result is valid as long as the
   * tables that it names do not change; {@link #execute} prepares it again then.
   *
   * @param sql one statement, with or without a semicolon at the end; parameters are {@code ?}, or
   *     {@code $1} and so on
   * @throws SqlException if it is not valid
   */
  SqlStatement prepare(String sql) throws SqlException;

  /**
   * Carries a statement out. A statement that returns no rows is done when this returns. One cursor
   * is open at a time: an open one is closed.
   *
   * @param parameters their values, of the classes of the parameters' types, of classes that can be
   *     converted to these, or text
   * @throws SqlException if it fails
   */
  SqlCursor execute(SqlStatement statement, List<@Nullable Object> parameters) throws SqlException;

  /** Ends the statement that is carried out now, if any: it fails with {@code 57014}. */
  void cancel();

  /** Changes the options, from the next statement on. */
  void set(SqlOptions options);

  /** Returns the options. */
  SqlOptions options();

  /** Closes an open cursor, and the session. Idempotent. */
  @Override
  void close();
}
